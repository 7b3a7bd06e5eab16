import { describe, expect, it } from "vitest";
import type { AnyEvent } from "../../core/event.ts";
import { continuesAsLead } from "../../domain/team/spawn.ts";
import {
  ATM_PROJECT,
  ATM_TOML,
  inProject,
  LEAD,
  playTeamEvents,
  sessionEndEvent,
  sessionStartEvent,
  spawnEvent,
  TEAMMATE,
  teamFile,
} from "../../domain/team/team.samples.ts";
import { toolBefore } from "../../testing/events.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import sessionEnd from "./session-end.ts";
import sessionStart from "./session-start.ts";
import policy from "./spawn-gate.ts";

const unnamed = { says: "deny", message: "unnamed" } as const;
const badTeam = { says: "deny", message: "badTeam" } as const;
const notLead = { says: "deny", message: "notLead" } as const;
const agentFile = (frontMatter: string, name = "planner", home = "/home/dev/app") => ({
  files: { [`${home}/.claude/agents/${name}.md`]: `---\nname: ${name}\n${frontMatter}\n---\n\nYou plan.\n` },
});
const DEMANDS = "metadata:\n  spawn_policy: named_teammate_required";
const joining = { subagent_type: "rust-developer", name: "dev", team_name: "atm-dev" };
const teammate = { session_id: TEAMMATE };
const inProcess = { agent_id: "abob-b8dc9c01afb59c40", agent_type: "bob" };
const subagent = { agent_id: "a1b2c3d4e5f6", agent_type: "bob" };
const withPolicy = (text: string) => inProject(`${ATM_PROJECT}[team."atm-dev"]\n${text}\n`);

testPolicy(policy, {
  hit: [
    {
      name: "an orchestrator without a name",
      event: spawnEvent({ subagent_type: "scrum-master" }),
      ...unnamed,
      text: "scrum-master",
    },
    {
      name: "in the background",
      event: spawnEvent({ subagent_type: "scrum-master", run_in_background: true }),
      ...unnamed,
    },
    { name: "a blank name", event: spawnEvent({ subagent_type: "scrum-master", name: "  " }), ...unnamed },
    { name: "a name that is null", event: spawnEvent({ subagent_type: "scrum-master", name: null }), ...unnamed },
    {
      name: "by the tool's older name",
      event: toolBefore("Task", { subagent_type: "scrum-master", prompt: "p", description: "d" }),
      ...unnamed,
    },
    {
      name: "an orchestrator that the configuration names",
      event: spawnEvent({ subagent_type: "quality-mgr" }),
      options: { orchestrators: ["scrum-master", "quality-mgr"] },
      ...unnamed,
    },
    {
      name: "its own file demands a name",
      event: spawnEvent({ subagent_type: "planner" }),
      ...agentFile(DEMANDS),
      ...unnamed,
    },
    {
      name: "its file demands it under atm",
      event: spawnEvent({ subagent_type: "planner" }),
      ...agentFile('metadata:\n  atm:\n    spawn_policy: "named_teammate_required" # please'),
      ...unnamed,
    },
    {
      name: "its file demands it on one line",
      event: spawnEvent({ subagent_type: "planner" }),
      ...agentFile("metadata: { spawn_policy: named_teammate_required }"),
      ...unnamed,
    },
    {
      name: "a file in the person's home demands it",
      event: spawnEvent({ subagent_type: "planner" }),
      ...agentFile(DEMANDS, "planner", "/home/dev"),
      ...unnamed,
    },
    {
      name: "a teammate names the team",
      event: spawnEvent(joining, teammate),
      ...inProject(),
      ...notLead,
      text: "without team_name",
    },
    {
      name: "outside a project of agent-team-mail too",
      event: spawnEvent(joining, teammate),
      files: teamFile(),
      ...notLead,
    },
    {
      name: "a teammate in the lead's own process",
      event: spawnEvent(joining, inProcess),
      ...inProject(),
      ...notLead,
      text: "bob",
    },
    { name: "a subagent of the lead", event: spawnEvent(joining, subagent), ...inProject(), ...notLead },
    { name: "a subagent, of a team that is not there yet", event: spawnEvent(joining, subagent), ...notLead },
    {
      name: "saying that one is the lead is not enough",
      event: spawnEvent(joining, teammate),
      ...inProject(),
      env: { ATM_IDENTITY: "team-lead" },
      ...notLead,
    },
    {
      name: "the team's policy says leaders only",
      event: spawnEvent(joining, teammate),
      ...withPolicy('spawn_policy = "leaders-only"'),
      env: { ATM_IDENTITY: "bob" },
      ...notLead,
    },
    {
      name: "a subagent whose type has the co-leader's name",
      event: spawnEvent(joining, subagent),
      ...withPolicy('co_leaders = ["bob"]'),
      ...notLead,
    },
    {
      name: "a co-leader's place is its own session's",
      event: spawnEvent(joining, teammate),
      files: {
        ...withPolicy('co_leaders = ["eve"]').files,
        ...teamFile({ members: [{ name: "bob" }, { name: "eve", sessionId: "another" }] }),
      },
      ...notLead,
    },
    {
      name: "a policy of another team",
      event: spawnEvent(joining, teammate),
      ...inProject(`${ATM_PROJECT}[team.other]\nspawn_policy = "any-member"\n`),
      ...notLead,
    },
    {
      name: "another team than the project's",
      event: spawnEvent({ ...joining, team_name: "wrong" }),
      ...inProject(),
      says: "deny",
      message: "otherTeam",
      text: 'Use team_name="atm-dev"',
    },
    {
      name: "the file lies above the working directory",
      event: spawnEvent({ ...joining, team_name: "wrong" }, { cwd: "/home/dev/app/src" }),
      files: { ...inProject().files, "/home/dev/app/.git": { dir: 0o755 } },
      says: "deny",
      message: "otherTeam",
    },
    { name: "a name that leads elsewhere", event: spawnEvent({ ...joining, team_name: "../../etc" }), ...badTeam },
    { name: "a path", event: spawnEvent({ ...joining, team_name: "a/b" }), ...badTeam },
    { name: "the folder above", event: spawnEvent({ ...joining, team_name: ".." }), ...badTeam },
    { name: "two words", event: spawnEvent({ ...joining, team_name: "my team" }), ...badTeam },
    { name: "a name with a null byte", event: spawnEvent({ ...joining, team_name: "a\0b" }), ...badTeam },
    { name: "a name that is too long", event: spawnEvent({ ...joining, team_name: "a".repeat(129) }), ...badTeam },
    { name: "a name that is no text", event: spawnEvent({ ...joining, team_name: 5 }), ...badTeam },
    {
      name: "a bad name goes before everything else",
      event: spawnEvent({ subagent_type: "scrum-master", team_name: "../x" }),
      ...inProject(),
      ...badTeam,
    },
    {
      name: "a missing name goes before a wrong team",
      event: spawnEvent({ subagent_type: "scrum-master", team_name: "wrong" }, teammate),
      ...inProject(),
      ...unnamed,
    },
    {
      name: "a wrong team goes before a wrong caller",
      event: spawnEvent({ ...joining, team_name: "wrong" }, teammate),
      files: { ...inProject().files, ...teamFile({}, "wrong") },
      says: "deny",
      message: "otherTeam",
    },
  ],
  pass: [
    { name: "an orchestrator with a name", event: spawnEvent({ subagent_type: "scrum-master", name: "sm-1" }) },
    {
      name: "a demanded name is there",
      event: spawnEvent({ subagent_type: "planner", name: "p-1" }),
      ...agentFile(DEMANDS),
    },
    {
      name: "an agent whose file demands nothing",
      event: spawnEvent({ subagent_type: "planner" }),
      ...agentFile("description: x"),
    },
    {
      name: "a file that only speaks of it",
      event: spawnEvent({ subagent_type: "planner" }),
      ...agentFile("description: spawn_policy: named_teammate_required"),
    },
    {
      name: "another policy in the file",
      event: spawnEvent({ subagent_type: "planner" }),
      ...agentFile("metadata:\n  spawn_policy: named_teammate_required_not"),
    },
    {
      name: "a file without front matter",
      event: spawnEvent({ subagent_type: "planner" }),
      files: { "/home/dev/app/.claude/agents/planner.md": DEMANDS },
    },
    { name: "an agent type that leads elsewhere", event: spawnEvent({ subagent_type: "../../x" }) },
    { name: "a type that is only dots", event: spawnEvent({ subagent_type: ".." }) },
    { name: "another agent without a name", event: spawnEvent({ subagent_type: "rust-developer" }) },
    { name: "another agent with a name", event: spawnEvent({ subagent_type: "rust-developer", name: "dev" }) },
    {
      name: "a background agent of a teammate",
      event: spawnEvent({ subagent_type: "rust-developer" }, inProcess),
      ...inProject(),
    },
    { name: "the lead names the team", event: spawnEvent(joining), ...inProject() },
    { name: "the lead, outside such a project", event: spawnEvent(joining), files: teamFile() },
    { name: "a new team", event: spawnEvent(joining, teammate), files: { [ATM_TOML]: ATM_PROJECT } },
    {
      name: "nobody recorded the lead",
      event: spawnEvent(joining, teammate),
      files: { [ATM_TOML]: ATM_PROJECT, ...teamFile({ leadSessionId: null }) },
    },
    {
      name: "a team file that cannot be read",
      event: spawnEvent(joining, teammate),
      files: { [ATM_TOML]: ATM_PROJECT, "/home/dev/.claude/teams/atm-dev/config.json": "{" },
    },
    { name: "any team without the project's file", event: spawnEvent({ ...joining, team_name: "any-team" }) },
    {
      name: "a file that is no TOML names no team",
      event: spawnEvent({ ...joining, team_name: "any" }),
      files: { [ATM_TOML]: "[core" },
    },
    { name: "a blank team", event: spawnEvent({ ...joining, team_name: " " }, teammate), ...inProject() },
    { name: "a null team", event: spawnEvent({ ...joining, team_name: null }, teammate), ...inProject() },
    { name: "an empty call", event: toolBefore("Agent", {}), ...inProject() },
    {
      name: "a co-leader by the environment",
      event: spawnEvent(joining, teammate),
      ...withPolicy('co_leaders = ["bob"]'),
      env: { ATM_IDENTITY: "bob" },
    },
    {
      name: "a co-leader in the lead's own process",
      event: spawnEvent(joining, inProcess),
      ...withPolicy('co_leaders = ["bob"]'),
    },
    {
      name: "a co-leader by its recorded session",
      event: spawnEvent(joining, teammate),
      files: {
        ...withPolicy('co_leaders = ["bob"]').files,
        ...teamFile({ members: [{ name: "bob", sessionId: TEAMMATE }] }),
      },
    },
    { name: "any member may", event: spawnEvent(joining, teammate), ...withPolicy('spawn_policy = "any-member"') },
    { name: "a name with dots inside", event: spawnEvent({ ...joining, team_name: "v1.2" }) },
    { name: "the longest name", event: spawnEvent({ ...joining, team_name: "a".repeat(128) }) },
    {
      name: "the team's folder under ATM_HOME",
      event: spawnEvent(joining),
      env: { ATM_HOME: "/srv/atm" },
      files: { "/srv/atm/.claude/teams/atm-dev/config.json": JSON.stringify({ leadSessionId: LEAD }) },
    },
  ],
});

describe("the lead after /clear", () => {
  const world = { ...inProject(), env: { CLAUDE_PID: "77" } };
  const next = { session_id: TEAMMATE };
  const outcome = async (...events: AnyEvent[]): Promise<string | undefined> =>
    (await playTeamEvents([policy, sessionStart, sessionEnd], world, ...events)).sent.at(-1)?.ruling.outcome;

  it("leads on: it is the same process, and the session before has ended", async () => {
    const cleared = [
      sessionStartEvent(),
      sessionEndEvent({ reason: "clear" }),
      sessionStartEvent({ ...next, source: "clear" }),
    ];
    expect(await outcome(...cleared, spawnEvent(joining, next))).toBe("pass");
    expect(await outcome(...cleared, spawnEvent(joining, { ...next, ...inProcess }))).toBe("deny");
  });

  it("is somebody else while the session before goes on, and where nobody knows of either", async () => {
    expect(
      await outcome(sessionStartEvent(), sessionStartEvent({ ...next, source: "clear" }), spawnEvent(joining, next)),
    ).toBe("deny");
    expect(await outcome(spawnEvent(joining, next))).toBe("deny");
  });

  it("is somebody else in another process", () => {
    const team = { lead: "team-lead", leadSession: LEAD, members: [] };
    const caller = { session: TEAMMATE, agentId: "", agentType: "", identity: "" };
    const about = { team: "atm-dev", agent: "team-lead", state: "busy", source: "claude_hook", at: 1 } as const;
    const known = { ...about, session: TEAMMATE, registry: "Active" } as const;
    const earlier = [{ session: LEAD, pid: 77, registry: "Dead", at: 1 }] as const;
    expect(continuesAsLead(caller, team, { ...known, pid: 77, earlier })).toBe(true);
    expect(continuesAsLead(caller, team, { ...known, pid: 78, earlier })).toBe(false);
    expect(continuesAsLead(caller, team, { ...known, pid: 0, earlier: [{ ...earlier[0], pid: 0 }] })).toBe(false);
    expect(continuesAsLead({ ...caller, session: "other" }, team, { ...known, pid: 77, earlier })).toBe(false);
  });
});

it("refuses a bad team name before it reads any file", async () => {
  const { sent } = await playTeamEvents(
    [policy],
    inProject(),
    spawnEvent({ ...joining, team_name: "../../etc/passwd" }),
  );
  expect(sent[0]?.ruling.reason).toContain("cannot be the name of a team");
});

it("leaves nothing behind unless it is told to", async () => {
  expect(await playTeamEvents([policy], inProject(), spawnEvent({ subagent_type: "x" }))).toMatchObject({
    lines: {},
    mirrors: {},
  });
});

it("writes the breadcrumbs of older hooks when told to, without the prompt", async () => {
  const options = { ...inProject(), options: { compatBreadcrumbs: true } };
  const call = { subagent_type: "x", prompt: "the secret plan", list: ["plan"], nothing: null };
  const { lines, mirrors } = await playTeamEvents([policy], options, spawnEvent(call));
  const [line] = lines["/tmp/gate-agent-spawns-debug.jsonl"] ?? [];
  expect(line).toMatchObject({
    tool_input: { subagent_type: "x", prompt: "[redacted, 15 characters]", list: "[redacted]", nothing: null },
    process_id: 4242,
  });
  expect(mirrors).toEqual({ "/tmp/atm-session-id": LEAD });
  const denied = await playTeamEvents([policy], options, spawnEvent({ subagent_type: "scrum-master" }));
  expect(denied.lines["/tmp/gate-agent-spawns-debug.jsonl"]).toHaveLength(1);
});

it("lets a call pass whose input is no object, as it lets every other it cannot read", async () => {
  const { sent } = await playTeamEvents([policy], inProject(), toolBefore("Agent", 5 as never));
  expect(sent[0]?.ruling.outcome).toBe("pass");
});
