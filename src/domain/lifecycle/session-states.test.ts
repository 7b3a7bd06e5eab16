import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type SessionEvent, SessionStates } from "./session-states.ts";

const HOUR = 3_600_000;

function sessionOf(...events: Partial<SessionEvent>[]): SessionStates {
  const states = new SessionStates();
  for (const [index, event] of events.entries()) states.add(eventOf(index + 1, event));
  return states;
}

function eventOf(id: number, about: Partial<SessionEvent>): SessionEvent {
  const usual = { event: "tool.before", agentId: "", tool: "Bash", toolUseId: `t${id}`, ruling: "pass", kind: "" };
  return { id, at: id * 1_000, ...usual, ...about };
}

const START = { event: "session.start", kind: "startup" };
const PROMPT = { event: "prompt.submit" };
const STOP = { event: "turn.stop" };

describe("the state of a session", () => {
  it.each<[string, Partial<SessionEvent>[], string]>([
    ["a new one", [START], "idle"],
    ["a prompt", [START, PROMPT], "working"],
    ["a refused prompt", [START, { ...PROMPT, ruling: "deny" }], "idle"],
    ["a call", [START, PROMPT, {}], "working"],
    ["a denied call", [PROMPT, { ruling: "deny" }], "working"],
    ["its end", [PROMPT, {}, { event: "tool.after" }, STOP], "idle"],
    ["a held end", [PROMPT, { ...STOP, ruling: "hold" }], "held"],
    ["work after a held end", [PROMPT, { ...STOP, ruling: "hold" }, {}], "working"],
    ["an error of the model's service", [PROMPT, { event: "turn.failed" }], "idle"],
    ["a compaction in the middle", [PROMPT, {}, { event: "session.start", kind: "compact" }], "working"],
    ["a question about a call", [PROMPT, { ruling: "ask" }], "waiting"],
    ["a request for permission", [PROMPT, {}, { event: "permission.request" }], "waiting"],
    ["a request that a policy answered", [PROMPT, {}, { event: "permission.request", ruling: "approve" }], "working"],
    ["a request that was answered", [PROMPT, {}, { event: "permission.request" }, { event: "tool.after" }], "working"],
    ["a request that was refused", [{ event: "permission.request" }, { event: "permission.denied" }], "working"],
    ["a request and a message about it", [{ event: "permission.request" }, { event: "notification.sent" }], "waiting"],
    ["a message that asks", [PROMPT, { event: "notification.sent", kind: "permission_prompt" }], "waiting"],
    ["a tool that asks", [PROMPT, { tool: "AskUserQuestion" }], "waiting"],
    ["a tool that asks, answered", [PROMPT, { tool: "ExitPlanMode" }, { event: "tool.after" }], "working"],
    ["a request that was broken off", [{ event: "permission.request" }, STOP], "idle"],
    ["a subagent that asks", [PROMPT, { agentId: "a", event: "permission.request" }, {}], "waiting"],
    ["a subagent that went on", [{ agentId: "a", event: "permission.request" }, { agentId: "a" }], "working"],
    ["a subagent in the background", [{ agentId: "a", event: "subagent.start" }, STOP], "working"],
    ["a subagent that ended", [{ agentId: "a" }, STOP, { agentId: "a", event: "subagent.stop" }], "idle"],
    ["its end while it asked", [{ event: "permission.request" }, { event: "session.end" }], "dead"],
    ["one that was resumed", [{ event: "session.end" }, { event: "session.start", kind: "resume" }], "idle"],
  ])("%s", (_name, events, state) => {
    expect(sessionOf(...events).stateAt(60_000).state).toBe(state);
  });

  it("says since when, and which request is the oldest", () => {
    const states = sessionOf(
      PROMPT,
      {},
      { event: "tool.after" },
      { event: "permission.request", agentId: "a" },
      { ruling: "ask" },
    );
    expect(states.stateAt(9_000)).toEqual({ state: "waiting", since: 4_000 });
    expect(states.request?.id).toBe(4);
    states.add(eventOf(6, { event: "tool.after", agentId: "a" }));
    states.add(eventOf(7, { event: "tool.after" }));
    expect(states.stateAt(9_000)).toEqual({ state: "working", since: 1_000 });
  });

  it("takes work for dead when nothing was heard for long, but no question", () => {
    expect(sessionOf(PROMPT).stateAt(5 * HOUR).state).toBe("working");
    expect(sessionOf(PROMPT).stateAt(7 * HOUR)).toEqual({ state: "dead", since: 1_000 });
    expect(sessionOf(PROMPT, { ruling: "ask" }).stateAt(20 * HOUR).state).toBe("waiting");
    expect(sessionOf(START).stateAt(20 * HOUR).state).toBe("idle");
  });
});

it("follows subagents to their end", () => {
  const states = sessionOf(
    { agentId: "a", event: "subagent.start", kind: "Explore" },
    { agentId: "b" },
    { agentId: "a", event: "subagent.stop", ruling: "hold" },
    { agentId: "a", event: "subagent.stop" },
    { event: "session.end" },
  );
  expect(states.subagents).toEqual([
    { agentId: "a", type: "Explore", state: "completed", since: 4_000 },
    { agentId: "b", type: "", state: "failed", since: 5_000 },
  ]);
});

it("never grows without end, and always has a state", () => {
  const event = fc.record({
    event: fc.constantFrom(
      "tool.before",
      "tool.after",
      "turn.stop",
      "permission.request",
      "subagent.start",
      "session.end",
    ),
    agentId: fc.constantFrom("", ...Array.from({ length: 300 }, (_, at) => `a${at}`)),
    ruling: fc.constantFrom("pass", "deny", "ask", "hold"),
  });
  fc.assert(
    fc.property(fc.array(event, { minLength: 300, maxLength: 600 }), (events) => {
      const states = sessionOf(...events);
      expect(states.subagents.length).toBeLessThanOrEqual(100);
      const { state, since } = states.stateAt(events.length * 1_000);
      expect(["waiting", "working", "held", "idle", "dead"]).toContain(state);
      expect(since).toBeGreaterThan(0);
      if (state !== "dead") expect(state === "waiting").toBe(states.request !== undefined);
    }),
    { seed: 5, numRuns: 30 },
  );
});
