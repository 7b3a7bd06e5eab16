import fs from "node:fs";
import path from "node:path";
import { describe, expect } from "vitest";
import { forbiddenWrite, harmlessWrite } from "../support/events.ts";
import { daemonPid } from "../support/frames.ts";
import { type Answer, noProcessList, processesWith } from "../support/processes.ts";
import { counters, query } from "../support/records.ts";
import {
  ANY_CLIENT,
  daemonsOf,
  doctor,
  eventually,
  expectGuarded,
  runtimeDir,
  test,
  USABLE_CLIENTS,
} from "../support/surroundings.ts";
import { DIST } from "../support/world.ts";

const CLIENTS_AT_ONCE = 100;
/** A hundred programs on a machine with two processors take their time; how long a call may take is tested elsewhere. */
const PATIENT = ["--deadline-ms", "60000"];

if (noProcessList !== "") console.log(noProcessList);

describe.skipIf(noProcessList !== "")("a hundred clients at once, and no daemon", () => {
  test("one daemon in the end, every answer right, nothing left over", { timeout: 180_000 }, async ({ makeWorld }) => {
    const world = makeWorld();
    const started = performance.now();
    const sent = Array.from({ length: CLIENTS_AT_ONCE }, (_, i): Promise<Answer> => {
      const make = i % 3 === 0 ? harmlessWrite : forbiddenWrite;
      const client = USABLE_CLIENTS[i % USABLE_CLIENTS.length] ?? ANY_CLIENT;
      return world.send(make(world, `call-${i}`), { client, daemon: true }, { args: PATIENT, limitMs: 80_000 });
    });
    const answers = await Promise.all(sent);
    const slowest = Math.max(...answers.map(({ ms }) => ms));
    console.log(
      `${answers.length} answers in ${Math.round(performance.now() - started)} ms, the slowest ${slowest} ms`,
    );

    expect(answers.map(({ exit }) => exit)).toEqual(answers.map((_, i) => (i % 3 === 0 ? 0 : 2)));
    expect(answers.filter(({ stderr }) => stderr.includes("could not"))).toEqual([]);
    const rows = query(world, "SELECT count(*) AS n, count(DISTINCT tool_use_id) AS ids FROM journal");
    expect(rows).toEqual([{ n: CLIENTS_AT_ONCE, ids: CLIENTS_AT_ONCE }]);
    expect(counters(world, "session-1")).toEqual({ events: CLIENTS_AT_ONCE, toolCalls: CLIENTS_AT_ONCE });

    const pid = await eventually("a daemon", () => daemonPid(world));
    // Those that came too late to be the one have left by themselves.
    await eventually("the end of the others", () => daemonsOf(world).length === 1);
    expect(daemonsOf(world)).toEqual([pid]);
    await eventually("the end of the clients", () => processesWith(`HOOKWRIGHT_HOME=${world.home}`).length === 1);
    const stamps = (): string[] => fs.readdirSync(runtimeDir(world)).filter((name) => !/\.(?:sock|lock)/.test(name));
    await eventually("the end of the stamps", () => stamps().length === 0);
    expect(await daemonPid(world)).toBe(pid);
    const report = await doctor(world);
    const said = ["left behind", "other daemons", "not recorded"].map((name) => report.says(name));
    expect([report.state, ...said]).toEqual(["running", "nothing", "nothing", "nothing"]);
    expect(report.says("recording")).toBe(`ok: into ${world.database}`);
    await expectGuarded(world, "after");
  });
});

describe("two daemons at once", () => {
  test("the second sees the first and leaves at once, and the first stays", async ({ makeWorld }) => {
    const world = makeWorld();
    const env = { HOOKWRIGHT_DAEMON_LOG: "stderr" };
    const daemons = [1, 2, 3].map(() =>
      world.start([process.execPath, path.join(DIST, "daemon.cjs")], { cwd: "/", env, limitMs: 60_000 }),
    );
    const pid = await eventually("a daemon", () => daemonPid(world));
    const others = daemons.filter((daemon) => daemon.pid !== pid);
    expect(others).toHaveLength(2);
    for (const other of others) {
      expect(await other.ended).toMatchObject({ exit: 0, stderr: expect.stringContaining("already running") });
    }
    expect(await daemonPid(world)).toBe(pid);
  });
});
