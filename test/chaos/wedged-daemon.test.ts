import fs from "node:fs";
import { describe, expect } from "vitest";
import { forbiddenWrite, harmlessWrite, prompt } from "../support/events.ts";
import { daemonStatus } from "../support/frames.ts";
import type { Answer, Running } from "../support/processes.ts";
import { query, rulings } from "../support/records.ts";
import {
  ANY_CLIENT,
  doctor,
  eventually,
  expectGuarded,
  PATIENT,
  readReport,
  stamp,
  test,
  USABLE_CLIENTS,
} from "../support/surroundings.ts";
import type { World } from "../support/world.ts";

/** What a client gives a daemon before it decides by itself. */
const PATIENCE_MS = 1_000;

async function stoppedDaemon(world: World): Promise<Running> {
  const daemon = await world.startDaemon();
  // Stopped while it still sets the database up, it would hold a lock that nobody can get past.
  await world.send(prompt(world, "hello"), { client: ANY_CLIENT, daemon: true });
  daemon.kill("SIGSTOP");
  return daemon;
}

const isStamped = (world: World): boolean => fs.existsSync(stamp(world, "slow"));

describe.concurrent("a daemon that is stopped", () => {
  test("many clients at once: every answer is right and recorded once", async ({ makeWorld }) => {
    const world = makeWorld();
    await stoppedDaemon(world);
    const sent = Array.from({ length: 8 }, (_, i): Promise<Answer> => {
      const client = USABLE_CLIENTS[i % USABLE_CLIENTS.length] ?? ANY_CLIENT;
      const make = i % 4 < 2 ? forbiddenWrite : harmlessWrite;
      return world.send(make(world, `call-${i}`), { client, daemon: true });
    });
    const answers = await Promise.all(sent);
    expect(answers.map(({ exit }) => exit)).toEqual([2, 2, 0, 0, 2, 2, 0, 0]);
    expect(answers.filter(({ stderr }) => stderr.includes("could not"))).toEqual([]);
    expect(query(world, "SELECT count(*) AS n FROM journal WHERE tool_use_id <> ''")).toEqual([{ n: 8 }]);
  });

  test.for(USABLE_CLIENTS)("one waits for it, the next ones do not, %s client", async (client, { makeWorld }) => {
    const world = makeWorld();
    await stoppedDaemon(world);
    const first = await world.send(forbiddenWrite(world, "first"), { client, daemon: true });
    expect(first.exit).toBe(2);
    expect(first.ms).toBeGreaterThan(PATIENCE_MS);
    expect(isStamped(world)).toBe(true);
    const stampedAt = fs.statSync(stamp(world, "slow")).mtimeMs;
    for (let i = 0; i < 2; i++) {
      const asked = await world.send(forbiddenWrite(world, `next-${i}`), { client, daemon: true });
      expect([asked.exit, rulings(world, `next-${i}`)]).toEqual([2, ["deny"]]);
    }
    // Whoever waits in vain writes the stamp anew.
    expect(fs.statSync(stamp(world, "slow")).mtimeMs).toBe(stampedAt);
  });

  test("is asked again once the memory of it has faded", async ({ makeWorld }) => {
    const world = makeWorld();
    await stoppedDaemon(world);
    await world.send(forbiddenWrite(world, "first"), { client: ANY_CLIENT, daemon: true });
    const longAgo = new Date(Date.now() - 12_000);
    fs.utimesSync(stamp(world, "slow"), longAgo, longAgo);
    const again = await world.send(forbiddenWrite(world, "again"), { client: ANY_CLIENT, daemon: true });
    expect(again.exit).toBe(2);
    expect(again.ms).toBeGreaterThan(PATIENCE_MS);
    expect(fs.statSync(stamp(world, "slow")).mtimeMs).toBeGreaterThan(longAgo.getTime() + 10_000);
  });

  test("that wakes up is used again at once", async ({ makeWorld }) => {
    const world = makeWorld();
    const daemon = await stoppedDaemon(world);
    await expectGuarded(world, "stopped");
    expect(isStamped(world)).toBe(true);
    daemon.kill("SIGCONT");
    await eventually("the end of the stamp", () => !isStamped(world));
    const before = (await daemonStatus(world))?.events ?? 0;
    await expectGuarded(world, "awake", { args: PATIENT });
    // Two calls by every client, and this very question.
    expect((await daemonStatus(world))?.events).toBe(before + 2 * USABLE_CLIENTS.length + 1);
    expect(rulings(world, `stopped-${ANY_CLIENT}-denied`)).toEqual(["deny"]);
  });

  test("that is killed and started anew is used at once", async ({ makeWorld }) => {
    const world = makeWorld();
    const daemon = await stoppedDaemon(world);
    await expectGuarded(world, "stopped");
    daemon.kill("SIGKILL");
    await daemon.ended;
    await world.startDaemon();
    expect(isStamped(world)).toBe(false);
    await expectGuarded(world, "anew", { args: PATIENT });
    expect((await daemonStatus(world))?.events).toBe(2 * USABLE_CLIENTS.length + 1);
  });

  test("is named by doctor", async ({ makeWorld }) => {
    const world = makeWorld();
    const daemon = await stoppedDaemon(world);
    const printed = await world.hookwright("doctor", "--json");
    const report = readReport(printed.stdout);
    expect([printed.exit, report.state]).toEqual([1, "wedged"]);
    const said = `problem: it accepts connections but does not answer (process ${daemon.pid})`;
    expect(report.says("daemon")).toContain(said);
    expect(report.says("client answers")).toBe("ok: yes");
    await expectGuarded(world, "stopped");
    daemon.kill("SIGCONT");
    await eventually("the end of the stamp", () => !isStamped(world));
    const later = await doctor(world);
    expect([later.state, later.says("daemon"), later.says("left behind")]).toEqual(["running", "nothing", "nothing"]);
  });
});
