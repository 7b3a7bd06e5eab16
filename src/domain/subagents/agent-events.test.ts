import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sized } from "../../../test/support/long.ts";
import type { AnyEvent, JsonObject } from "../../core/event.ts";
import { prompt, stop, toolAfter } from "../../testing/events.ts";
import { agentsAfter } from "./agent-events.ts";
import { type AgentRecord, isRunning, NO_AGENTS, type SessionAgents } from "./agent-record.ts";
import { ended, sharedFiles, started, withFiles } from "./follow-agents.ts";
import {
  endsSession,
  inBackground,
  launchesAgent,
  reportsAgent,
  spawns,
  startsAgent,
  startsSession,
  stopsAgent,
  taskNotification,
} from "./subagents.samples.ts";

const view = (now: number, outcome: "pass" | "hold" | "deny" = "pass") => ({
  ...{ isOwn: true, outcome, now, pid: 1, project: "/home/dev/app", parentMode: () => "" },
  isAlive: () => true,
});

const RUNS = sized(60, 3_000);

type Step = (id: string) => AnyEvent;
const STEPS: Readonly<Record<string, Step>> = {
  start: (id) => startsAgent(id),
  end: (id) => stopsAgent(id),
  failedEnd: (id) => stopsAgent(id, { success: false }),
  compaction: () => stopsAgent("c", { agent_type: "" }),
  spawn: () => spawns("look"),
  launch: (id) => launchesAgent(id),
  report: (id) => reportsAgent(id),
  failedReport: (id) => reportsAgent(id, { status: "failed" }),
  notice: (id) => prompt(taskNotification(id, "completed")),
  killedNotice: (id) => prompt(taskNotification(id, "killed")),
  stopTool: (id) => toolAfter("TaskStop", { task_id: id }, "t"),
  turn: (id) => stop({ background_tasks: [inBackground(id)] as unknown as JsonObject[] }),
  emptyTurn: () => stop({ background_tasks: [] }),
  unknownTurn: () => stop(),
  resume: () => startsSession("resume"),
  compacted: () => startsSession("compact"),
  exit: () => endsSession("other"),
  clear: () => endsSession("clear"),
};

const steps = fc.array(
  fc.record({
    step: fc.constantFrom(...Object.keys(STEPS)),
    id: fc.constantFrom("a1", "a2", "a3"),
    outcome: fc.constantFrom("pass" as const, "pass" as const, "hold" as const, "deny" as const),
    after: fc.nat({ max: 1_000 }),
  }),
  { maxLength: 60 },
);

/** Every state on the way, each with the event that led to it. */
function walk(list: typeof steps extends fc.Arbitrary<infer T> ? T : never) {
  let now = 0;
  let state: SessionAgents = NO_AGENTS;
  return list.map(({ step, id, outcome, after }) => {
    const before = state;
    now += after;
    const event = STEPS[step]?.(id) ?? expect.fail(step);
    state = agentsAfter(state, event, view(now, outcome));
    return { before, state, event, outcome, now };
  });
}

describe("whatever happens", () => {
  it("each run has one end at most, and the counts say so", () => {
    fc.assert(
      fc.property(steps, (list) => {
        for (const { state } of walk(list)) {
          const running = state.agents.filter(isRunning).length;
          expect(state.spawned).toBe(state.completed + state.failed + running);
          expect(Math.min(state.spawned, state.completed, state.failed)).toBeGreaterThanOrEqual(0);
          expect(new Set(state.agents.map(({ id }) => id)).size).toBe(state.agents.length);
        }
      }),
      { numRuns: RUNS, seed: 29 },
    );
  });

  it("a record says when it ended exactly when it is over, and never before its start", () => {
    fc.assert(
      fc.property(steps, (list) => {
        const isSound = ({ status, startedAt, endedAt }: AgentRecord): boolean =>
          status === "running" ? endedAt === undefined : endedAt !== undefined && endedAt >= startedAt;
        for (const { state } of walk(list)) expect(state.agents.every(isSound)).toBe(true);
      }),
      { numRuns: RUNS, seed: 30 },
    );
  });

  it("a held end changes no state, and the end of a compaction changes nothing", () => {
    fc.assert(
      fc.property(steps, (list) => {
        for (const { before, state, event, outcome } of walk(list)) {
          const isHeld = event.name === "subagent.stop" && outcome === "hold";
          if (isHeld || (event.name === "subagent.stop" && event.agentType === "")) expect(state).toBe(before);
        }
      }),
      { numRuns: RUNS, seed: 31 },
    );
  });

  it("nothing runs when its session is over, and after a stop only what the client lists", () => {
    fc.assert(
      fc.property(steps, (list) => {
        for (const { state, event } of walk(list)) {
          const running = state.agents.filter(isRunning).map(({ id }) => id);
          if (event.name === "session.end" && event.reason !== "clear") expect(running).toEqual([]);
          const listed = event.raw.background_tasks;
          if (event.name !== "turn.stop" || !Array.isArray(listed)) continue;
          expect(listed.map((task) => (task as { id: string }).id)).toEqual(expect.arrayContaining(running));
        }
      }),
      { numRuns: RUNS, seed: 32 },
    );
  });

  it("the same event twice is one", () => {
    fc.assert(
      fc.property(steps, (list) => {
        for (const { state, event, outcome, now } of walk(list)) {
          expect(agentsAfter(state, event, view(now, outcome)).agents).toBe(state.agents);
        }
      }),
      { numRuns: RUNS, seed: 33 },
    );
  });
});

describe("bounds", () => {
  const start = (id: string) => ({ id, type: "executor", pid: 1, parentMode: "" });
  it("of records that have ended the newest hundred stay, and all that run", () => {
    let state = started(NO_AGENTS, start("first"), 0);
    for (let n = 1; n <= 150; n++) state = ended(started(state, start(`a${n}`), n), `a${n}`, "completed", n);
    expect(state.agents).toHaveLength(101);
    expect(state.agents[0]?.id).toBe("first");
    expect(state.agents[1]?.id).toBe("a51");
    expect(state).toMatchObject({ spawned: 151, completed: 150, failed: 0 });
  });
  it("a file that two of them change is named while both run", () => {
    let state = started(started(NO_AGENTS, start("a1"), 0), start("a2"), 0);
    state = withFiles(withFiles(state, "a1", ["x.ts", "y.ts"]), "a2", ["x.ts"]);
    expect(sharedFiles(state.agents)).toEqual([{ file: "x.ts", ids: ["a1", "a2"] }]);
    expect(sharedFiles(ended(state, "a2", "completed", 1).agents)).toEqual([]);
  });
  it("a type of any length is cut", () => {
    const state = started(NO_AGENTS, { ...start("a1"), type: "x".repeat(5_000) }, 0);
    expect(state.agents[0]?.type).toHaveLength(200);
  });
});
