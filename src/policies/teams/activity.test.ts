import { expect, it } from "vitest";
import type { AnyEvent, JsonObject } from "../../core/event.ts";
import { policy as definePolicy } from "../../core/policy.ts";
import {
  ATM_TOML,
  EVENTS_FILE,
  inProject,
  LEAD,
  LOOKED_AHEAD,
  playTeamEvents,
  sessionEndEvent,
  sessionStartEvent,
  teammateIdleEvent,
} from "../../domain/team/team.samples.ts";
import { claudeEvent } from "../../testing/events.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./activity.ts";
import idleRelay from "./idle-relay.ts";
import sessionEnd from "./session-end.ts";
import sessionStart from "./session-start.ts";

const prompt = (more: JsonObject = {}): AnyEvent =>
  claudeEvent({ hook_event_name: "UserPromptSubmit", prompt: "go", ...more });
const stop = (more: JsonObject = {}): AnyEvent =>
  claudeEvent({ hook_event_name: "Stop", stop_hook_active: false, ...more });
const failed = (): AnyEvent => claudeEvent({ hook_event_name: "StopFailure", error: "overloaded" });
const message = (name: string, agentId = `a${name}-0123456789abcdef`): AnyEvent =>
  claudeEvent({ hook_event_name: "SubagentStart", agent_id: agentId, agent_type: name });

testPolicy(policy, {
  hit: [],
  pass: [
    { name: "a prompt outside of such a project", event: prompt() },
    { name: "a prompt", event: prompt(), ...inProject() },
    { name: "a stop", event: stop(), ...inProject() },
    { name: "a stop with a broken file", event: stop(), files: { [ATM_TOML]: "= 1" } },
  ],
});

const ALL = [policy, sessionStart, sessionEnd, idleRelay];
const stateAfter = async (...events: AnyEvent[]): Promise<Record<string, string>> => {
  const { registry } = await playTeamEvents(ALL, inProject(), ...events);
  return Object.fromEntries(registry.map(({ agent, state }) => [agent, state]));
};

it("an agent is busy from its prompt to the end of its turn", async () => {
  expect(await stateAfter(sessionStartEvent())).toEqual({ "team-lead": "launching" });
  expect(await stateAfter(sessionStartEvent(), prompt())).toEqual({ "team-lead": "busy" });
  expect(await stateAfter(sessionStartEvent(), prompt(), stop())).toEqual({ "team-lead": "idle" });
  expect(await stateAfter(sessionStartEvent(), prompt(), stop(), prompt())).toEqual({ "team-lead": "busy" });
});

it("a turn that failed is over as well", async () => {
  expect(await stateAfter(sessionStartEvent(), prompt(), failed())).toEqual({ "team-lead": "idle" });
});

it("a compaction in the middle of a turn changes nothing", async () => {
  expect(await stateAfter(sessionStartEvent(), prompt(), sessionStartEvent({ source: "compact" }))).toEqual({
    "team-lead": "busy",
  });
});

it("a session that ended stays closed", async () => {
  expect(await stateAfter(sessionStartEvent(), prompt(), sessionEndEvent(), stop())).toEqual({ "team-lead": "closed" });
});

it("a teammate is busy from a message to it until it waits again", async () => {
  // The teammate's team is not known before its first idle event.
  expect(await stateAfter(message("bob"))).toEqual({});
  expect(await stateAfter(teammateIdleEvent(), message("bob"))).toEqual({ bob: "busy" });
  expect(await stateAfter(teammateIdleEvent(), message("bob"), teammateIdleEvent({ prompt_id: "2" }))).toEqual({
    bob: "idle",
  });
});

it("an ordinary subagent is nobody's teammate, and its prompts are not the lead's", async () => {
  expect(await stateAfter(message("bob", "a0123456789abcdef"))).toEqual({});
  expect(await stateAfter(prompt({ agent_id: "a0123456789abcdef", agent_type: "bob" }))).toEqual({});
});

it("a stop that is held is no end", async () => {
  const holds = definePolicy({
    id: "test/holds",
    summary: "Holds every stop.",
    why: "To see what others do then.",
    origin: "hookwright",
    stage: "session",
    messages: { on: "Go on." },
    examples: { hit: ["a stop"], pass: ["anything else"] },
    on: { "turn.stop": (_event, ctx) => ctx.hold("on", {}, { exit: "never" }) },
  });
  const { registry } = await playTeamEvents([...ALL, holds], inProject(), sessionStartEvent(), prompt(), stop());
  expect(registry).toMatchObject([{ agent: "team-lead", state: "busy" }]);
});

it("every change stands in the trail and goes to the socket, without the prompt", async () => {
  const { lines, jobs } = await playTeamEvents([policy], inProject(), prompt({ prompt: "a secret plan" }), stop());
  expect(lines[EVENTS_FILE]).toMatchObject([
    { type: "turn-start", agent: "team-lead", team: "atm-dev", session_id: LEAD, source: "claude_hook" },
    { type: "stop", agent: "team-lead", team: "atm-dev", session_id: LEAD },
  ]);
  expect(JSON.stringify([lines, jobs])).not.toContain("secret plan");
  expect(jobs.map(({ args }) => (args.request as JsonObject).payload)).toMatchObject([
    { event: "turn_start" },
    { event: "stop" },
  ]);
});

it("leaves other projects alone", async () => {
  const { registry, lines, jobs } = await playTeamEvents([policy], {}, prompt(), stop(), message("bob"));
  expect({ registry, lines, jobs }).toEqual({ registry: [], lines: {}, jobs: [] });
});

it.each([
  ["a prompt", prompt(), true],
  ["the end of a turn", stop(), true],
  ["a failed turn", failed(), true],
  ["a teammate that begins", message("bob"), true],
  ["an ordinary subagent that begins", message("bob", "a0123456789abcdef"), false],
])("looks at everything before it is settled: %s", async (_, event, looks) => {
  const { sent } = await playTeamEvents([policy], inProject(), event);
  const looked = sent[0]?.looked ?? [];
  expect(LOOKED_AHEAD.map((one) => looked.includes(one))).toEqual(LOOKED_AHEAD.map(() => looks));
});
