import fs from "node:fs";
import path from "node:path";
import { describe, expect } from "vitest";
import { type Event, forbiddenWrite, harmlessWrite, prompt } from "../support/events.ts";
import { daemonStatus } from "../support/frames.ts";
import type { Answer, Running } from "../support/processes.ts";
import { counters, jobsAreDone, query, rulings } from "../support/records.ts";
import {
  ANY_CLIENT,
  doctor,
  expectGuarded,
  PATIENT,
  readReport,
  test,
  USABLE_CLIENTS,
} from "../support/surroundings.ts";
import { DIST, LAUNCHER, type World } from "../support/world.ts";

const DAY_MS = 86_400_000;
const SHIFTS = [
  ["two days ahead", 2 * DAY_MS],
  ["two days behind", -2 * DAY_MS],
] as const;

/** The machine's clock cannot be set here, but the one that a process of ours reads can: by a number, or an expression. */
function nodeWithClock(world: World, shift: number | string): string[] {
  const file = path.join(world.temporary, typeof shift === "number" ? "clock.cjs" : "jumping-clock.cjs");
  fs.writeFileSync(
    file,
    `const real = Date.now;
    const RealDate = Date;
    const shift = () => ${shift};
    globalThis.Date = class extends RealDate {
      constructor(...parts) {
        super(...(parts.length === 0 ? [real() + shift()] : parts));
      }
      static now() {
        return real() + shift();
      }
    };`,
  );
  return [process.execPath, "--require", file];
}

/** One clock for everybody, which can be set while they run. */
function machineClock(world: World) {
  const file = path.join(world.temporary, "shift");
  const set = (shift: number): void => fs.writeFileSync(file, String(shift));
  set(0);
  const node = nodeWithClock(world, `Number(require("node:fs").readFileSync(${JSON.stringify(file)}, "utf8") || 0)`);
  return { set, node };
}

async function startDaemon(world: World, shift: number, node = nodeWithClock(world, shift)): Promise<Running> {
  const env = { HOOKWRIGHT_DAEMON_LOG: "stderr" };
  const daemon = world.start([...node, path.join(DIST, "daemon.cjs")], { cwd: "/", env });
  await daemon.sees("stderr", /listening on/);
  return daemon;
}

/** The Node client, with the engine in it when it decides by itself. */
function send(world: World, shift: number, event: Event, ...args: string[]): Promise<Answer> {
  const command = [...nodeWithClock(world, shift), path.join(DIST, "hook.cjs"), ...PATIENT, ...args];
  return world.start(command, { input: JSON.stringify(event) }).ended;
}

function sessionStart(world: World, session: string): Event {
  return { ...prompt(world, "", session), hook_event_name: "SessionStart", source: "startup" };
}

describe.concurrent.each(SHIFTS)("the daemon's clock is %s", (_, shift) => {
  test("calls are decided right, and recorded once", async ({ makeWorld }) => {
    const world = makeWorld();
    await startDaemon(world, shift);
    await expectGuarded(world, "call", { args: PATIENT });
    for (const client of USABLE_CLIENTS) {
      const route = { client, daemon: true };
      const again = await world.send(forbiddenWrite(world, `call-${client}-denied`), route, { args: PATIENT });
      expect(again.exit).toBe(2);
      expect(rulings(world, `call-${client}-denied`)).toEqual(["deny"]);
    }
    const calls = 2 * USABLE_CLIENTS.length;
    expect(counters(world, "session-1")).toEqual({ events: calls, toolCalls: calls });
    // One that is ahead takes every request for one that nobody waits for any more; one that is behind decides it.
    const [{ future } = { future: 0 }] = query(
      world,
      `SELECT count(*) AS future FROM journal WHERE abs(at - ${Date.now()}) > ${DAY_MS}`,
    );
    expect(future).toBe(shift < 0 ? calls : 0);
  });

  test("work left behind is done, once a day by anybody's clock", async ({ makeWorld }) => {
    const world = makeWorld();
    await startDaemon(world, shift);
    for (const [index, daemon] of [true, false, true].entries()) {
      const answer = await world.send(
        sessionStart(world, `session-${index}`),
        { client: ANY_CLIENT, daemon },
        { args: PATIENT },
      );
      expect(answer.exit).toBe(0);
    }
    await jobsAreDone(world);
    const jobs = query(world, "SELECT name, tries, error FROM jobs");
    expect(jobs.length).toBeGreaterThanOrEqual(1);
    expect(jobs.length).toBeLessThanOrEqual(2);
    for (const job of jobs) expect(job).toEqual({ name: "journal/prune", tries: 1, error: "" });
    expect(query(world, "SELECT count(*) AS n FROM journal")).toEqual([{ n: 3 }]);
  });
});

describe.concurrent.each(SHIFTS)("the client's clock is %s", (_, shift) => {
  test("calls are decided right, with a daemon and without", async ({ makeWorld }) => {
    const world = makeWorld();
    await world.startDaemon();
    for (const args of [[], ["--no-daemon"]]) {
      const name = args.join("") || "daemon";
      const denied = await send(world, shift, forbiddenWrite(world, `denied-${name}`), ...args);
      expect(denied.exit).toBe(2);
      expect(denied.stderr).toContain("git's own storage");
      expect(denied.stderr).not.toContain("could not");
      const passed = await send(world, shift, harmlessWrite(world, `passed-${name}`), ...args);
      expect(passed).toMatchObject({ exit: 0, stdout: "", stderr: "" });
      expect([rulings(world, `denied-${name}`), rulings(world, `passed-${name}`)]).toEqual([["deny"], ["pass"]]);
    }
    const events = (await daemonStatus(world))?.events;
    expect((await doctor(world)).says("clock")).toMatch(shift < 0 ? /^nothing$/ : /^note: .* which is in the future/);
    // It takes no request from one whose deadline seems to be over, and there is no harm in that.
    expect(events).toBe(shift < 0 ? 5 : 3);
    expect(counters(world, "session-1")).toEqual({ events: 4, toolCalls: 4 });
  });
});

describe.concurrent("a clock that is set back between two tries of one call", () => {
  test("changes nothing: the call keeps its one ruling", async ({ makeWorld }) => {
    const world = makeWorld();
    const event = forbiddenWrite(world, "call");
    for (const shift of [2 * DAY_MS, 0, -2 * DAY_MS]) {
      expect((await send(world, shift, event, "--no-daemon")).exit).toBe(2);
      expect(rulings(world, "call")).toEqual(["deny"]);
    }
    expect(counters(world, "session-1")).toEqual({ events: 1, toolCalls: 1 });
  });
});

describe.concurrent.each([
  ["forty days ahead", 40 * DAY_MS],
  ["forty days back", -40 * DAY_MS],
])("the machine's clock jumps %s and is set right again", (_, jump) => {
  test("calls stay right, nothing is lost, and doctor says so", async ({ makeWorld }) => {
    const world = makeWorld();
    const { set, node } = machineClock(world);
    const call = async (name: string): Promise<void> => {
      const send = (event: Event): Promise<Answer> =>
        world.start([...node, path.join(DIST, "hook.cjs"), ...PATIENT], { input: JSON.stringify(event) }).ended;
      const denied = await send(forbiddenWrite(world, `${name}-denied`));
      expect([denied.exit, denied.stderr.includes("git's own storage")]).toEqual([2, true]);
      expect(await send(harmlessWrite(world, `${name}-passed`))).toMatchObject({ exit: 0, stdout: "", stderr: "" });
      expect((await send(sessionStart(world, `session-${name}`))).exit).toBe(0);
      await jobsAreDone(world);
    };
    const asked = async () => {
      const printed = await world.start([...node, LAUNCHER, "doctor", "--json"], { limitMs: 60_000 }).ended;
      return readReport(printed.stdout);
    };
    const daemon = await startDaemon(world, 0, node);
    await call("before");
    set(jump);
    await call("jumped");
    const then = await asked();
    expect(then.says("clock")).toMatch(jump > 0 ? /^note: nothing was recorded for 40 days/ : /which is in the future/);
    set(0);
    await call("after");
    expect((await asked()).says("clock")).toMatch(jump > 0 ? /^note: .* which is in the future/ : /^nothing$/);
    for (const name of ["before", "jumped", "after"]) {
      expect([rulings(world, `${name}-denied`), rulings(world, `${name}-passed`)]).toEqual([["deny"], ["pass"]]);
    }
    expect(counters(world, "session-1")).toEqual({ events: 6, toolCalls: 6 });
    expect((await daemonStatus(world))?.pid).toBe(daemon.pid);
  });
});
