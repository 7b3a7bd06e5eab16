import { expect, it } from "vitest";
import {
  ATM_PROJECT,
  ATM_TOML,
  EVENTS_FILE,
  end,
  idle,
  inProject,
  LEAD,
  LOOKED_AHEAD,
  play,
  start,
} from "../../domain/team/team.samples.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import idleRelay from "./idle-relay.ts";
import policy from "./session-end.ts";
import sessionStart from "./session-start.ts";

testPolicy(policy, {
  hit: [],
  pass: [
    { name: "no file", event: end() },
    { name: "a project of agent-team-mail", event: end(), ...inProject() },
    { name: "an empty session id", event: end({ session_id: "" }), ...inProject() },
    { name: "no session id", event: end({ session_id: null }), ...inProject() },
  ],
});

it.each([
  ["there is no file", {}, end()],
  ["the file is no TOML", { files: { [ATM_TOML]: "core]" } }, end()],
  ["the session id is empty", inProject(), end({ session_id: "" })],
  ["there is no session id", inProject(), end({ session_id: null })],
  ["the session id is no text", inProject(), end({ session_id: 5 })],
  ["the file lies above the project", { files: { "/home/dev/.atm.toml": ATM_PROJECT } }, end()],
])("nothing happens when %s", async (_name, options, event) => {
  const { sent, ...left } = await play([policy], options, event);
  expect(left).toMatchObject({ registry: [], lines: {}, jobs: [] });
  expect(sent[0]?.reply).toEqual({ exit: 0, stdout: "", stderr: "" });
});

it("marks the session dead, closes the agent, and prints nothing", async () => {
  const { sent, registry, lines, jobs } = await play(
    [sessionStart, policy],
    inProject(),
    start(),
    end({ reason: "logout" }),
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
  const { registry } = await play([sessionStart, idleRelay, policy], inProject(), start(), idle(), end());
  expect(registry.map(({ agent, registry: state }) => [agent, state])).toEqual([
    ["bob", "Dead"],
    ["team-lead", "Dead"],
  ]);
});

it("leaves another session of the same agent alone", async () => {
  const { registry } = await play([sessionStart, policy], inProject(), start(), end({ session_id: "an-older-one" }));
  expect(registry).toMatchObject([{ session: LEAD, registry: "Active" }]);
});

it("records the end of a session whose start nobody saw", async () => {
  expect((await play([policy], inProject(), end())).registry).toMatchObject([{ session: LEAD, registry: "Dead" }]);
});

it("touches no file and no socket while it only observes", async () => {
  const { registry, lines, jobs } = await play([policy], { ...inProject(), mode: "observe" }, end());
  expect({ count: registry.length, lines, jobs }).toEqual({ count: 1, lines: {}, jobs: [] });
});

it("looks at everything before it is settled", async () => {
  const { sent } = await play([policy], inProject(), end());
  expect(sent[0]?.looked).toEqual(expect.arrayContaining(LOOKED_AHEAD));
});
