/**
 * `kill -9` of the agent, the daemon, the wrapper or whoever does the work, at every step of a hand-over, with real
 * processes. What must hold each time: the hand-over reaches one run that works with it, no other, and nobody stays behind.
 */
import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { IS_LONG, sampled } from "../support/long.ts";
import { killByPid, processesWith, type Running, sleep } from "../support/processes.ts";
import { query } from "../support/records.ts";
import { DIST, LAUNCHER, World } from "../support/world.ts";

const ENGINE = path.resolve(import.meta.dirname, "../../bin/engine.mjs");
const CLIENT = path.join(import.meta.dirname, "../support/hand-over-client.mjs");
const DIR = "sessions/2026_01_02_LOGIN";
const LIMIT_MS = 60_000;

type Victim = "agent" | "daemon" | "wrapper" | "whoever is stopped there";
interface Step {
  readonly name: string;
  /** Where a process of ours stops: by its point, in whom it is switched on. */
  readonly stop?: { readonly point: string; readonly in: "wrapper" | "daemon" | "dehydrate" };
  /** Or where the client itself waits. */
  readonly hold?: "start" | "told" | "acted";
  /** Who is there to be killed. */
  readonly victims: readonly Victim[];
  readonly first?: "dehydrate" | "compaction";
}

const ALL = ["agent", "daemon", "wrapper"] as const;
const WITHOUT_AGENT = ["daemon", "wrapper"] as const;
const RUNNER = "whoever is stopped there";
const STEPS: readonly Step[] = [
  { name: "before the hand-over is committed", stop: { point: "before-commit", in: "dehydrate" }, victims: ALL },
  {
    name: "after the commit, before its job is started",
    stop: { point: "restart-asked", in: "wrapper" },
    victims: [...ALL, RUNNER],
  },
  { name: "its job is claimed", stop: { point: "job-claimed", in: "wrapper" }, victims: [...ALL, RUNNER] },
  { name: "before the agent is ended", stop: { point: "before-signal", in: "wrapper" }, victims: [...ALL, RUNNER] },
  { name: "the agent has ended", stop: { point: "agent-ended", in: "wrapper" }, victims: WITHOUT_AGENT },
  { name: "before the new start", stop: { point: "restart-taken", in: "wrapper" }, victims: WITHOUT_AGENT },
  { name: "started, unknown to the watchdog", stop: { point: "agent-started", in: "wrapper" }, victims: WITHOUT_AGENT },
  { name: "after the start, before its event", hold: "start", victims: ALL },
  {
    name: "its start is decided, not committed",
    hold: "start",
    stop: { point: "before-commit", in: "daemon" },
    victims: ALL,
  },
  {
    name: "its start is committed, not answered",
    hold: "start",
    stop: { point: "after-commit", in: "daemon" },
    victims: ALL,
  },
  { name: "told, before it does anything", hold: "told", victims: ALL },
  { name: "it works with it", hold: "acted", victims: ALL },
  {
    name: "a compaction is committed, not answered",
    first: "compaction",
    stop: { point: "after-commit", in: "daemon" },
    victims: ALL,
  },
  {
    name: "a compaction's job is claimed",
    first: "compaction",
    stop: { point: "job-claimed", in: "daemon" },
    victims: ALL,
  },
  {
    name: "a compaction, before the agent is ended",
    first: "compaction",
    stop: { point: "before-signal", in: "daemon" },
    victims: ALL,
  },
];

let world: World;
let folder: string;
beforeEach(() => {
  world = new World();
  folder = world.folder("client");
  fs.mkdirSync(world.home, { recursive: true, mode: 0o700 });
  fs.writeFileSync(path.join(world.home, "config.yml"), "profiles: [session]\ncontextPolicy: restart\n");
});
afterEach(() => world.dispose());

const marker = (): string => path.join(world.home, "crash-points-allowed");
const lines = (name: string): unknown[] => {
  const file = path.join(folder, name);
  const text = fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "";
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as unknown);
};
const runs = () => lines("runs") as { pid: number; session: string }[];
const hold = (name: string): void => fs.writeFileSync(path.join(folder, `hold-${name}`), "");
const release = (name: string): void => fs.rmSync(path.join(folder, `hold-${name}`), { force: true });
const reached = (name: string): number => lines("reached").filter((one) => one === name).length;

async function until(what: string, isTrue: () => boolean): Promise<void> {
  for (const end = Date.now() + LIMIT_MS; !isTrue(); await sleep(20)) {
    if (Date.now() > end) throw new Error(`waited in vain: ${what}\n${JSON.stringify(lines("output"), undefined, 1)}`);
  }
}

function startWrapper(env: Readonly<Record<string, string>> = {}): Running {
  const claude = path.join(world.root, "claude");
  fs.writeFileSync(claude, `#!/bin/sh\nexec "${process.execPath}" "${CLIENT}" "$@"\n`, { mode: 0o755 });
  const own = { CLIENT_FOLDER: folder, CLIENT_HOOK: path.join(DIST, "hook.cjs"), CLIENT_ENGINE: ENGINE };
  return world.start([process.execPath, LAUNCHER, "run", "--", claude], { env: { ...own, ...env }, limitMs: 120_000 });
}

/** Who stopped at the point, as it says itself. */
async function stoppedAt(point: string): Promise<number> {
  const said = (): string | undefined =>
    new RegExp(`^crash point ${point} reached by (\\d+)$`, "m").exec(fs.readFileSync(marker(), "utf8"))?.[1];
  await until(`somebody stops at ${point}`, () => said() !== undefined);
  return Number(said());
}

/** A process that has ended but was not reaped yet counts as gone. */
function isAlive(pid: number): boolean {
  const stat = `/proc/${pid}/stat`;
  try {
    return !/\) Z /.test(fs.readFileSync(stat, "utf8"));
  } catch (error) {
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}

/** Drives a hand-over to the step and kills there. */
async function killAt(step: Step, victim: Victim): Promise<Running> {
  const { stop, hold: held, first = "dehydrate" } = step;
  const point = stop === undefined ? {} : { HOOKWRIGHT_CRASH_POINT: stop.point };
  const daemon = await world.startDaemon(stop?.in === "daemon" ? point : {});
  hold("work");
  const wrapper = startWrapper({
    CLIENT_FIRST: first,
    ...(stop?.in === "wrapper" ? point : {}),
    CLIENT_CRASH: stop?.in === "dehydrate" ? `dehydrate@${stop.point}` : stop?.in === "daemon" ? "nobody@" : "",
  });
  await until("the first run works", () => reached("work") === 1);
  if (held !== undefined) hold(held);
  else if (stop !== undefined) world.allowCrashPoints();
  release("work");
  if (held !== undefined) {
    await until(`the second run is at ${held}`, () => reached(held) > (held === "acted" ? 0 : 1));
    if (stop !== undefined) {
      world.allowCrashPoints();
      release(held);
    }
  }
  const stopped = stop === undefined ? 0 : await stoppedAt(stop.point);
  const pids: Record<Victim, number> = {
    agent: runs().at(-1)?.pid ?? 0,
    daemon: daemon.pid,
    wrapper: wrapper.pid,
    [RUNNER]: stopped,
  };
  expect(isAlive(pids[victim])).toBe(true);
  killByPid(pids[victim]);
  await until("it is dead", () => !isAlive(pids[victim]));
  // The watchdog ends an agent that nobody looks after; only then does whoever is left go on.
  if (victim === "wrapper") await until("the agent is dead too", () => !isAlive(pids.agent));
  fs.rmSync(marker(), { force: true });
  if (held !== undefined) release(held);
  return wrapper;
}

/** Who died before a run worked with the hand-over leaves it to the next person who comes by. */
async function finish(wrapper: Running): Promise<void> {
  const hasEnded = (): boolean => lines("ended").length > 0;
  await until("it goes on, or the wrapper ends", () => hasEnded() || !isAlive(wrapper.pid));
  if (hasEnded() || lines("delivered").length > 0) return;
  // What the agent ran when it died may still be on its way into the database.
  await until("the hand-over is kept", () => fs.existsSync(path.join(world.project, DIR, "DEHYDRATED_CONTEXT.md")));
  const before = wrapper.stderr;
  const next = startWrapper({ CLIENT_CONTINUE: DIR });
  const { exit, stderr } = await next.ended;
  expect({ exit, stderr: before + stderr }).toEqual({
    exit: 0,
    stderr: expect.stringContaining("2026_01_02_LOGIN was handed over. To continue it, run: engine session continue"),
  });
}

/** The short form kills one at every third step, everybody in turn; the long one kills everybody at every step. */
const cases = sampled(STEPS, 3).map((step, at) => ({
  ...step,
  victims: IS_LONG ? step.victims : step.victims.filter((_, index) => index === at % step.victims.length),
}));

describe.each(cases)("$name", (step) => {
  it.each(step.victims)("kill -9 of the %s", { timeout: 150_000 }, async (victim) => {
    const wrapper = await killAt(step, victim);
    await finish(wrapper);
    expect(lines("delivered")).toHaveLength(1);
    // Whoever comes later is told nothing.
    const env = { CLAUDE_CODE_SESSION_ID: "later", CLAUDE_PID: "1" };
    const later = await world.start([process.execPath, ENGINE, "session", "continue", DIR], { env }).ended;
    expect({ exit: later.exit, said: later.stdout + later.stderr }).toEqual({
      exit: 0,
      said: expect.stringContaining("is continued"),
    });
    expect(later.stdout).not.toMatch(/Half the form|about to be compacted/);
    const jobs = query(world, "SELECT error, done_at IS NOT NULL AS done FROM jobs WHERE name = 'session/restart'");
    expect(jobs.filter(({ error, done }) => error !== "" || done !== 1)).toEqual([]);
    const left = (): number[] => processesWith(`HOOKWRIGHT_HOME=${world.home}`).filter(isAlive);
    // A daemon that was just being started for an event does not listen yet, and is asked again.
    for (let asked = 0; asked < 10 && left().length > 0; asked++) {
      await world.hookwright("daemon", "stop");
      await sleep(500);
    }
    expect(left()).toEqual([]);
  });
});
