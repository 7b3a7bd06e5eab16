import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { RECORDED_LATER } from "../../src/engine/record/record-later.ts";
import { forbiddenWrite, gitConfig, prompt } from "../support/events.ts";
import { sampled } from "../support/long.ts";
import type { Answer, Running } from "../support/processes.ts";
import { counters, journal, query, rulings } from "../support/records.ts";
import { CLIENTS, type ClientKind, isMissing, type Route, World } from "../support/world.ts";

const POINTS = ["after-read", "before-commit", "after-commit", "after-reply"] as const;
type Point = (typeof POINTS)[number];

/** Was the ruling in the journal when the process died? */
const COMMITTED: Readonly<Record<Point, boolean>> = {
  "after-read": false,
  "before-commit": false,
  "after-commit": true,
  "after-reply": true,
};

/** All points with the compiled client; with its twin all of them only in the long form. */
const CASES = CLIENTS.flatMap((client) => {
  const some = client === "node" && !isMissing("c") ? sampled(POINTS, 2) : POINTS;
  return some.map((point) => ({ client, point }));
});
const SESSION = "session-1";

let world: World;
beforeEach(() => {
  world = new World();
  world.allowCrashPoints();
});
afterEach(() => world.dispose());

function expectDenied(answer: Pick<Answer, "exit" | "stdout" | "stderr">, warning = ""): void {
  expect(answer.exit).toBe(2);
  expect(answer.stderr.endsWith(warning)).toBe(true);
  const said = answer.stderr.slice(0, answer.stderr.length - warning.length);
  expect(said).toContain(`${gitConfig(world)} is inside git's own storage`);
  expect(JSON.parse(answer.stdout)).toEqual({
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: said.trimEnd(),
    },
  });
}

/** Fails unless the point says that this very process reached it. */
async function killAt(running: Running, point: Point): Promise<void> {
  await running.sees("stderr", new RegExp(`^crash point ${point} reached by ${running.pid}$`, "m"));
  running.kill("SIGKILL");
  expect((await running.ended).signal).toBe("SIGKILL");
}

/** The same call again gets its one ruling, and a new forbidden call is still forbidden. */
async function expectGuardStillStands(route: Route, first: string): Promise<void> {
  const retried = await world.send(forbiddenWrite(world, first), route);
  expectDenied(retried);
  expect(rulings(world, first)).toEqual(["deny"]);
  expect(counters(world, SESSION)).toEqual({ events: 1, toolCalls: 1 });

  expectDenied(await world.send(forbiddenWrite(world, "call-next"), route));
  expect(rulings(world, "call-next")).toEqual(["deny"]);
  expect(counters(world, SESSION)).toEqual({ events: 2, toolCalls: 2 });
  expect(query(world, "SELECT count(DISTINCT key) AS n FROM journal")).toEqual([{ n: 2 }]);
  expect(query(world, "PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
}

describe.each(CASES)("the daemon is killed at $point while the $client client waits", ({ client, point }) => {
  const route = { client, daemon: true };

  it.skipIf(isMissing(client))("a call keeps its one ruling", async () => {
    const daemon = await world.startDaemon({ HOOKWRIGHT_CRASH_POINT: point });
    const waiting = world.begin(forbiddenWrite(world, "call-1"), route);
    await killAt(daemon, point);
    const answer = await waiting.ended;
    expectDenied(answer);
    expect(rulings(world, "call-1")).toEqual(["deny"]);
    expect(counters(world, SESSION)).toEqual({ events: 1, toolCalls: 1 });
    await expectGuardStillStands(route, "call-1");
  });

  it.skipIf(isMissing(client))("an event without a call id is recorded once, by its nonce", async () => {
    const daemon = await world.startDaemon({ HOOKWRIGHT_CRASH_POINT: point });
    const waiting = world.begin(prompt(world, "go on"), route);
    await killAt(daemon, point);
    expect(await waiting.ended).toMatchObject({ exit: 0, stdout: "", stderr: "" });
    expect(journal(world).map((row) => [row.event, row.ruling])).toEqual([["prompt.submit", "pass"]]);
    expect(counters(world, SESSION)).toEqual({ events: 1, toolCalls: 0 });
    // A second prompt with the same words is another event.
    await world.send(prompt(world, "go on"), route);
    expect(counters(world, SESSION)).toEqual({ events: 2, toolCalls: 0 });
  });
});

describe.each(CASES)("the $client client decides by itself and is killed at $point", ({ client, point }) => {
  const route = { client, daemon: false };

  it.skipIf(isMissing(client))("a retry gets the one ruling", async () => {
    const dying = world.begin(forbiddenWrite(world, "call-1"), route, { env: { HOOKWRIGHT_CRASH_POINT: point } });
    await killAt(dying, point);
    expect(rulings(world, "call-1")).toEqual(COMMITTED[point] ? ["deny"] : []);
    if (point === "after-reply") {
      const [said = ""] = dying.stderr.split("crash point");
      expectDenied({ exit: 2, stdout: dying.stdout, stderr: said });
    } else {
      expect(dying.stdout).toBe("");
    }
    await expectGuardStillStands(route, "call-1");
  });
});

describe.each(CLIENTS)("a daemon that stands still before its commit, with the %s client", (client: ClientKind) => {
  it.skipIf(isMissing(client))("is not waited for: the answer comes while it stands still, and is right", async () => {
    const daemon = await world.startDaemon({ HOOKWRIGHT_CRASH_POINT: "before-commit" });
    const waiting = world.begin(forbiddenWrite(world, "call-1"), { client, daemon: true });
    await daemon.sees("stderr", /crash point before-commit reached/);
    const answer = await waiting.ended;
    // The daemon sits on the write lock, so the ruling could not be written down yet, and that is said.
    expectDenied(answer, `${RECORDED_LATER}\n`);
    expect(rulings(world, "call-1")).toEqual([]);
    daemon.kill("SIGKILL");
    await daemon.ended;
    await expect.poll(() => rulings(world, "call-1"), { timeout: 90_000 }).toEqual(["deny"]);
    await expectGuardStillStands({ client, daemon: true }, "call-1");
  });

  it.skipIf(isMissing(client))("that was stopped and wakes up adds no second ruling", async () => {
    const daemon = await world.startDaemon();
    // Stopped while it still sets the database up, it would hold a lock that nobody can get past.
    await world.send(prompt(world, "hello", "another-session"), { client, daemon: true });
    daemon.kill("SIGSTOP");
    const [call, asked, unknown] = await Promise.all([
      world.send(forbiddenWrite(world, "call-1"), { client, daemon: true }),
      world.send(prompt(world, "go on"), { client, daemon: true }),
      world.send({ hook_event_name: "BrandNew", session_id: SESSION }, { client, daemon: true }),
    ]);
    expectDenied(call);
    expect(asked).toMatchObject({ exit: 0, stdout: "", stderr: "" });
    expect(unknown).toMatchObject({ exit: 0, stdout: "", stderr: "" });
    expect(counters(world, SESSION)).toEqual({ events: 3, toolCalls: 1 });
    daemon.kill("SIGCONT");
    // Its answer to one more event shows that it has worked off those that waited.
    expectDenied(await world.send(forbiddenWrite(world, "call-2"), { client, daemon: true }));
    const status = JSON.parse((await world.hookwright("daemon", "status", "--json")).stdout) as { events: number };
    expect(status.events).toBeGreaterThanOrEqual(5);
    expect(rulings(world, "call-1")).toEqual(["deny"]);
    expect(rulings(world, "call-2")).toEqual(["deny"]);
    expect(counters(world, SESSION)).toEqual({ events: 4, toolCalls: 2 });
    expect(query(world, "SELECT count(*) AS n FROM journal WHERE event = 'unknown'")).toEqual([{ n: 1 }]);
  });
});

describe("without the marker file", () => {
  it("an environment variable stops nobody", async () => {
    const other = new World();
    onTestFinished(() => other.dispose());
    const answer = await other.send(
      forbiddenWrite(other, "call-1"),
      { client: "node", daemon: false },
      { env: { HOOKWRIGHT_CRASH_POINT: "before-commit" } },
    );
    expect(answer).toMatchObject({ exit: 2, signal: null });
    expect(answer.stderr).not.toContain("crash point");
  });
});
