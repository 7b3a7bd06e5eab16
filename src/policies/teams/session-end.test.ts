import { expect, it } from "vitest";
import {
  ATM_PROJECT,
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
import { testPolicy } from "../../testing/test-policy.ts";
import idleRelay from "./idle-relay.ts";
import policy from "./session-end.ts";
import sessionStart from "./session-start.ts";

testPolicy(policy, {
  hit: [],
  pass: [
    { name: "no file", event: sessionEndEvent() },
    { name: "a project of agent-team-mail", event: sessionEndEvent(), ...inProject() },
    { name: "an empty session id", event: sessionEndEvent({ session_id: "" }), ...inProject() },
    { name: "no session id", event: sessionEndEvent({ session_id: null }), ...inProject() },
  ],
});

it.each([
  ["there is no file", {}, sessionEndEvent()],
  ["the file is no TOML", { files: { [ATM_TOML]: "core]" } }, sessionEndEvent()],
  ["the session id is empty", inProject(), sessionEndEvent({ session_id: "" })],
  ["there is no session id", inProject(), sessionEndEvent({ session_id: null })],
  ["the session id is no text", inProject(), sessionEndEvent({ session_id: 5 })],
  ["the file lies above the project", { files: { "/home/dev/.atm.toml": ATM_PROJECT } }, sessionEndEvent()],
])("nothing happens when %s", async (_name, options, event) => {
  const { sent, ...left } = await playTeamEvents([policy], options, event);
  expect(left).toMatchObject({ registry: [], lines: {}, jobs: [] });
  expect(sent[0]?.reply).toEqual({ exit: 0, stdout: "", stderr: "" });
});

it("marks the session dead, closes the agent, and prints nothing", async () => {
  const { sent, registry, lines, jobs } = await playTeamEvents(
    [sessionStart, policy],
    inProject(),
    sessionStartEvent(),
    sessionEndEvent({ reason: "logout" }),
  );
  expect(sent[1]?.reply).toEqual({ exit: 0, stdout: "", stderr: "" });
  expect(registry).toMatchObject([{ agent: "team-lead", session: LEAD, registry: "Dead", state: "closed" }]);
  expect(lines[EVENTS_FILE]?.[1]).toMatchObject({
    type: "session-end",
    agent: "team-lead",
    team: "atm-dev",
    session_id: LEAD,
  });
  const payload = {
    event: "session_end",
    session_id: LEAD,
    agent: "team-lead",
    team: "atm-dev",
    reason: "logout",
    source: { kind: "claude_hook" },
  };
  expect(jobs[1]?.args.request).toMatchObject({ version: 1, command: "hook-event", payload });
});

it("ends teammates that lived in the same session with it", async () => {
  const { registry } = await playTeamEvents(
    [sessionStart, idleRelay, policy],
    inProject(),
    sessionStartEvent(),
    teammateIdleEvent(),
    sessionEndEvent(),
  );
  expect(registry.map(({ agent, registry: state }) => [agent, state])).toEqual([
    ["bob", "Dead"],
    ["team-lead", "Dead"],
  ]);
});

it("leaves another session of the same agent alone", async () => {
  const { registry } = await playTeamEvents(
    [sessionStart, policy],
    inProject(),
    sessionStartEvent(),
    sessionEndEvent({ session_id: "an-older-one" }),
  );
  expect(registry).toMatchObject([{ session: LEAD, registry: "Active" }]);
});

it("records the end of a session whose start nobody saw", async () => {
  expect((await playTeamEvents([policy], inProject(), sessionEndEvent())).registry).toMatchObject([
    { session: LEAD, registry: "Dead" },
  ]);
});

it("touches no file and no socket while it only observes", async () => {
  const { registry, lines, jobs } = await playTeamEvents(
    [policy],
    { ...inProject(), mode: "observe" },
    sessionEndEvent(),
  );
  expect({ count: registry.length, lines, jobs }).toEqual({ count: 1, lines: {}, jobs: [] });
});

it("looks at everything before it is settled", async () => {
  const { sent } = await playTeamEvents([policy], inProject(), sessionEndEvent());
  expect(sent[0]?.looked).toEqual(expect.arrayContaining(LOOKED_AHEAD));
});
