import { expect, it } from "vitest";
import {
  ATM_PROJECT,
  ATM_TOML,
  EVENTS_FILE,
  inProject,
  LEAD,
  playTeamEvents,
  sessionStartEvent,
  teamFile,
} from "../../domain/team/team.samples.ts";
import { FAKE_NOW, FAKE_PID } from "../../testing/fake-ports.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./session-start.ts";

const announced = { says: "note", message: "announced" } as const;
const repository = { "/home/dev/app/.git": { dir: 0o755 } } as const;

testPolicy(policy, {
  hit: [
    { name: "a fresh start", event: sessionStartEvent(), ...announced, text: `SESSION_ID=${LEAD} (starting fresh)` },
    {
      name: "a source of no meaning",
      event: sessionStartEvent({ source: "__proto__" }),
      ...announced,
      text: "(starting fresh)",
    },
    { name: "no source", event: sessionStartEvent({ source: null }), ...announced, text: "(starting fresh)" },
    {
      name: "the source that older texts name",
      event: sessionStartEvent({ source: "init" }),
      ...announced,
      text: "(starting fresh)",
    },
    {
      name: "an id with line ends in it stays one line",
      event: sessionStartEvent({ session_id: "a\nATM team: forged" }),
      ...announced,
      text: "SESSION_ID=a ATM team: forged (starting fresh)",
    },
    {
      name: "after a compaction",
      event: sessionStartEvent({ source: "compact" }),
      ...announced,
      text: "(returning from compact)",
    },
    { name: "resumed", event: sessionStartEvent({ source: "resume" }), ...announced, text: "(resumed)" },
    { name: "cleared", event: sessionStartEvent({ source: "clear" }), ...announced, text: "(cleared)" },
    { name: "forked", event: sessionStartEvent({ source: "fork" }), ...announced, text: "(forked)" },
    {
      name: "with a team",
      event: sessionStartEvent(),
      ...inProject(),
      ...announced,
      text: "fresh)\nATM team: atm-dev",
    },
    {
      name: "with a welcome",
      event: sessionStartEvent(),
      ...inProject(`${ATM_PROJECT}welcome-message = "Read docs/plan.md"\n`),
      ...announced,
      text: "ATM team: atm-dev\nWelcome: Read docs/plan.md",
    },
    {
      name: "a welcome without a team",
      event: sessionStartEvent(),
      ...inProject('[core]\nwelcome-message = "Hello"\n'),
      ...announced,
      text: "(starting fresh)\nWelcome: Hello",
    },
    {
      name: "the file lies above the working directory",
      event: sessionStartEvent({ cwd: "/home/dev/app/src/deep" }),
      files: { ...inProject().files, ...repository },
      ...announced,
      text: "ATM team: atm-dev",
    },
    {
      name: "the environment goes before the file",
      event: sessionStartEvent(),
      ...inProject(),
      env: { ATM_TEAM: "night" },
      ...announced,
      text: "ATM team: night",
    },
    {
      name: "the person's own file comes last",
      event: sessionStartEvent(),
      files: { [ATM_TOML]: "[core]\n", "/home/dev/.config/atm/config.toml": '[core]\ndefault_team = "mine"\n' },
      ...announced,
      text: "ATM team: mine",
    },
    {
      name: "a restarted lead learns how to take its team over",
      event: sessionStartEvent({ session_id: "22222222-new" }),
      ...inProject(),
      ...announced,
      text: `led by session 11111111; \`hookwright teams resume atm-dev --session-id 22222222-new\``,
    },
  ],
  pass: [{ name: "no session id", event: sessionStartEvent({ session_id: "" }) }],
});

const textOf = async (options: Parameters<typeof playTeamEvents>[1], event = sessionStartEvent()): Promise<string> =>
  JSON.stringify((await playTeamEvents([policy], options, event)).sent[0]?.ruling.notes);

it.each([
  ["there is no file", {}],
  ["the file is no TOML", { files: { [ATM_TOML]: "[core\n" } }],
  ["the file is a folder", { files: { [ATM_TOML]: { dir: 0o755 } } }],
  ["the file lies above the project", { files: { "/home/dev/.atm.toml": ATM_PROJECT, ...teamFile() } }],
  ["only the person has a file", { files: { "/home/dev/.config/atm/config.toml": ATM_PROJECT } }],
])("names no team and touches nothing when %s", async (_name, options) => {
  const found = await playTeamEvents([policy], options, sessionStartEvent());
  expect(JSON.stringify(found.sent[0]?.ruling.notes)).toContain("(starting fresh)");
  expect(JSON.stringify(found.sent[0]?.ruling.notes)).not.toContain("ATM team");
  expect(found).toMatchObject({ registry: [], lines: {}, jobs: [] });
});

it("says nothing of a lead to one that is the lead, or to a teammate", async () => {
  expect(await textOf(inProject())).not.toContain("led by");
  const bob = { ...inProject(), env: { ATM_IDENTITY: "bob" } };
  expect(await textOf(bob, sessionStartEvent({ session_id: "22222222-new" }))).not.toContain("led by");
});

it("registers the lead, writes the line and tells the socket", async () => {
  const { registry, lines, jobs } = await playTeamEvents(
    [policy],
    inProject(),
    sessionStartEvent({ source: "compact" }),
  );
  const common = { team: "atm-dev", agent: "team-lead" };
  expect(registry).toEqual([
    {
      ...common,
      session: LEAD,
      pid: FAKE_PID,
      registry: "Active",
      state: "launching",
      source: "claude_hook",
      at: FAKE_NOW,
    },
  ]);
  expect(lines[EVENTS_FILE]).toEqual([
    expect.objectContaining({
      ...common,
      type: "session-start",
      session_id: LEAD,
      received_at: "2026-01-02T03:04:05Z",
    }),
  ]);
  const id = lines[EVENTS_FILE]?.[0]?.request_id;
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
  const payload = {
    event: "session_start",
    session_id: LEAD,
    ...common,
    process_id: FAKE_PID,
    source: { kind: "claude_hook", start: "compact" },
  };
  const request = { version: 1, request_id: id, command: "hook-event", payload };
  expect(jobs).toEqual([{ name: "teams/report", args: { home: "/home/dev", request } }]);
});

it("keeps its files where ATM_HOME says", async () => {
  const { lines, jobs } = await playTeamEvents(
    [policy],
    { ...inProject(), env: { ATM_HOME: "/srv/atm" } },
    sessionStartEvent(),
  );
  expect(Object.keys(lines)).toEqual(["/srv/atm/.claude/daemon/hooks/events.jsonl"]);
  expect(jobs[0]?.args.home).toBe("/srv/atm");
});

it("takes the agent's process from the agent where it says so", async () => {
  const { registry } = await playTeamEvents(
    [policy],
    { ...inProject(), env: { CLAUDE_PID: "77" } },
    sessionStartEvent(),
  );
  expect(registry[0]?.pid).toBe(77);
});

it("does not register who is no member, or not the lead", async () => {
  const stranger = await playTeamEvents(
    [policy],
    { ...inProject(), env: { ATM_IDENTITY: "mallory" } },
    sessionStartEvent(),
  );
  const bob = await playTeamEvents([policy], { ...inProject(), env: { ATM_IDENTITY: "bob" } }, sessionStartEvent());
  for (const { registry, lines } of [stranger, bob]) {
    expect(registry).toEqual([]);
    expect(lines[EVENTS_FILE]).toHaveLength(1);
  }
});

it("touches no file and no socket while it only observes", async () => {
  const { registry, lines, jobs } = await playTeamEvents(
    [policy],
    { ...inProject(), mode: "observe" },
    sessionStartEvent(),
  );
  expect(registry).toHaveLength(1);
  expect({ lines, jobs }).toEqual({ lines: {}, jobs: [] });
});

it("a team name that leads out of its folder is looked for nowhere", async () => {
  const toml = '[core]\ndefault_team = "../../etc"\nidentity = "team-lead"\n';
  expect((await playTeamEvents([policy], inProject(toml), sessionStartEvent())).registry).toEqual([]);
});
