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
  teamFile,
  teammateIdleEvent,
} from "../../domain/team/team.samples.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./idle-relay.ts";
import sessionEnd from "./session-end.ts";

testPolicy(policy, {
  hit: [],
  pass: [
    { name: "no file", event: teammateIdleEvent() },
    { name: "a project of agent-team-mail", event: teammateIdleEvent(), ...inProject() },
    { name: "a broken file", event: teammateIdleEvent(), files: { [ATM_TOML]: "= 1" } },
  ],
});

it("appends one line with the original payload, registers the teammate and tells the socket", async () => {
  const event = teammateIdleEvent();
  const { sent, registry, lines, jobs } = await playTeamEvents([policy], inProject(), event);
  expect(sent[0]?.reply).toEqual({ exit: 0, stdout: "", stderr: "" });
  expect(lines[EVENTS_FILE]).toEqual([
    expect.objectContaining({
      type: "teammate-idle",
      agent: "bob",
      team: "atm-dev",
      session_id: LEAD,
      received_at: "2026-01-02T03:04:05Z",
      payload: event.raw,
    }),
  ]);
  expect(registry).toMatchObject([{ team: "atm-dev", agent: "bob", state: "idle", registry: "Active", session: LEAD }]);
  const payload = {
    event: "teammate_idle",
    agent: "bob",
    team: "atm-dev",
    session_id: LEAD,
    received_at: "2026-01-02T03:04:05Z",
  };
  expect(jobs[0]?.args.request).toMatchObject({ command: "hook-event", payload });
});

it("appends a line for each of several", async () => {
  const { lines } = await playTeamEvents(
    [policy],
    inProject(),
    teammateIdleEvent(),
    teammateIdleEvent({ teammate_name: "eve" }),
    teammateIdleEvent({ prompt_id: "2" }),
  );
  expect(lines[EVENTS_FILE]?.map((line) => line.agent)).toEqual(["bob", "eve", "bob"]);
});

const named = async (payload: Parameters<typeof teammateIdleEvent>[0], env = {}): Promise<unknown[]> => {
  const { lines } = await playTeamEvents([policy], { ...inProject(), env }, teammateIdleEvent(payload));
  const line = lines[EVENTS_FILE]?.[0];
  return [line?.agent, line?.team];
};
const nobody = { teammate_name: null, team_name: null };

it.each([
  ["what the client says", { name: "x", agent: "x", team: "x" }, {}, ["bob", "atm-dev"]],
  ["the call's own input", { ...nobody, tool_input: { name: "eve", team_name: "night" } }, {}, ["eve", "night"]],
  ["the names of older payloads", { ...nobody, name: "eve", team: "night" }, {}, ["eve", "night"]],
  ["the other older name", { ...nobody, agent: "eve" }, {}, ["eve", "atm-dev"]],
  ["the environment", nobody, { ATM_IDENTITY: "eve", ATM_TEAM: "night" }, ["eve", "night"]],
  ["the file for the team, and nothing for the agent", nobody, {}, [null, "atm-dev"]],
])("takes agent and team from %s", async (_name, payload, env, expected) => {
  expect(await named(payload, env)).toEqual(expected);
});

it.each([
  ["there is no file", {}],
  ["the file is no TOML", { files: { [ATM_TOML]: "[core" } }],
  ["it only observes", { ...inProject(), mode: "observe" as const }],
])("writes no line and tells no socket when %s", async (_name, options) => {
  expect(await playTeamEvents([policy], options, teammateIdleEvent())).toMatchObject({ lines: {}, jobs: [] });
});

it("keeps the line of an event whose fields make no sense out of the registry", async () => {
  const { registry, lines } = await playTeamEvents(
    [policy],
    inProject(),
    teammateIdleEvent({ teammate_name: "mallory" }),
    teammateIdleEvent({ team_name: "../x" }),
  );
  expect(registry).toEqual([]);
  expect(lines[EVENTS_FILE]).toHaveLength(2);
});

it("passes over an event that is malformed", async () => {
  const found = await playTeamEvents([policy], inProject(), teammateIdleEvent({ teammate_name: 5 }));
  expect(found).toMatchObject({ registry: [], lines: {}, jobs: [] });
  expect(found.sent[0]?.ruling.outcome).toBe("pass");
});

it("does not bring back a session that has ended", async () => {
  const { registry } = await playTeamEvents(
    [policy, sessionEnd],
    inProject(),
    teammateIdleEvent(),
    sessionEndEvent(),
    teammateIdleEvent(),
  );
  expect(registry.find(({ agent }) => agent === "bob")).toMatchObject({ registry: "Dead", state: "closed" });
});

it("masks a secret that stands in the payload", async () => {
  const { lines } = await playTeamEvents([policy], inProject(), teammateIdleEvent({ note: "sk-ant-REDACTED" }));
  expect(JSON.stringify(lines)).not.toContain("sk-ant-abc");
});

it("works for the team that the client made by itself", async () => {
  const files = { [ATM_TOML]: ATM_PROJECT, ...teamFile({}, "session-d9569e94") };
  const { registry } = await playTeamEvents([policy], { files }, teammateIdleEvent({ team_name: "session-d9569e94" }));
  expect(registry).toMatchObject([{ team: "session-d9569e94", agent: "bob", state: "idle" }]);
});

it("keeps what is large, deep or endless out of the trail", async () => {
  const deep = JSON.parse(`${"[".repeat(400)}${"]".repeat(400)}`);
  for (const more of [{ note: "x".repeat(100_000) }, { deep }, { many: Array(20_000).fill(1) }]) {
    const { lines, registry } = await playTeamEvents([policy], inProject(), teammateIdleEvent(more));
    expect(JSON.stringify(lines).length).toBeLessThan(20_000);
    expect(registry).toHaveLength(1);
  }
  const { lines } = await playTeamEvents(
    [policy],
    inProject(),
    teammateIdleEvent({ teammate_name: "b".repeat(10_000) }),
  );
  expect(JSON.stringify(lines).length).toBeLessThan(5_000);
});

it("looks at everything before it is settled", async () => {
  const { sent } = await playTeamEvents([policy], inProject(), teammateIdleEvent());
  expect(sent[0]?.looked).toEqual(expect.arrayContaining(LOOKED_AHEAD));
});
