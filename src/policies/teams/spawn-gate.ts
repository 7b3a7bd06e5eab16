import path from "node:path";
import type { EventOf, Json } from "../../core/event.ts";
import { type PolicyContext, policy } from "../../core/policy.ts";
import { fingerprint } from "../../core/text/fingerprint.ts";
import { ATM_FILE, readAtmFile } from "../../domain/team/atm-config.ts";
import { ATM_ENV, isTeamName } from "../../domain/team/atm-paths.ts";
import { type TeamRegistry, teams } from "../../domain/team/registry.ts";
import { atmEnvironmentOf, findTeam } from "../../domain/team/report-lifecycle.ts";
import { callerName, continuesAsLead, demandsName, isLead, withoutPrompt } from "../../domain/team/spawn.ts";

type Spawn = EventOf<"tool.before">;

export default policy({
  id: "teams/spawn-gate",
  summary: "Requires a name for agents that coordinate others, and lets only a team's lead add teammates.",
  why: "An unnamed coordinator ends when its context is full, and teammates that start further teammates open more panes than a person can follow.",
  origin: "agent-team-mail",
  stage: "spawn",
  filter: { kinds: ["spawn"] },
  options: (z) =>
    z.object({
      orchestrators: z
        .array(z.string().min(1))
        .default(["scrum-master"])
        .describe("Agent types that coordinate others and therefore need a name.")
        .meta({ tighter: "union" }),
      compatBreadcrumbs: z
        .boolean()
        .default(false)
        .describe("Also write gate-agent-spawns-debug.jsonl and atm-session-id into the temporary directory.")
        .meta({ tighter: "none" }),
    }),
  messages: {
    badTeam:
      "BLOCKED: `{team}` cannot be the name of a team. A team_name is one word of letters, digits, `_`, `.` and `-`, at most 128 characters.",
    unnamed:
      'BLOCKED: `{type}` coordinates other agents and has to be a named teammate: give it a name, as in subagent_type="{type}", name="sm-sprint-1". Without one it runs in the background, cannot compact its context and ends when that is full.',
    otherTeam:
      'BLOCKED: this project belongs to the team `{required}` (core.default_team in .atm.toml), not to `{given}`. Use team_name="{required}", or leave team_name out.',
    notLead:
      "BLOCKED (SPAWN_UNAUTHORIZED): only the lead of `{team}` adds teammates to it, and this call comes from {who}. Start a background agent instead: the same call without team_name. If this session is the lead after a restart, `hookwright teams resume {team}` registers it as the lead.",
  },
  examples: {
    hit: ["Agent with subagent_type scrum-master and no name", "Agent with team_name from a teammate"],
    pass: ["Agent with subagent_type scrum-master and a name", "any agent without team_name from a teammate"],
  },
  reads: { env: ATM_ENV },
  uses: teams,
  on: {
    "tool.before"({ tool: { input }, ...event }, ctx, registry) {
      const team = given(input.team_name);
      if (team !== undefined && !isTeamName(team)) {
        return ctx.deny("badTeam", { team: (typeof team === "string" ? team : JSON.stringify(team)).slice(0, 60) });
      }
      const type = given(input.subagent_type);
      if (typeof type === "string" && given(input.name) === undefined && needsName(type, event, ctx)) {
        return ctx.deny("unnamed", { type: type.slice(0, 60) });
      }
      return team === undefined ? undefined : mayUseTeam(team, event, ctx, registry);
    },
  },
  settled: {
    "tool.before"(event, _fate, ctx) {
      if (!ctx.options.compatBreadcrumbs) return;
      const { tempDir } = ctx.places;
      const line = withoutPrompt(event.raw, event.tool.input, ctx.actor.pid);
      const key = fingerprint(event.session, event.tool.useId, String(ctx.now()));
      ctx.addLine([path.join(tempDir, "gate-agent-spawns-debug.jsonl")], key, line);
      if (event.session !== "") ctx.mirrorText([path.join(tempDir, "atm-session-id")], event.session);
    },
  },
});

/** The field's value; undefined when it is absent, null or blank. */
function given(value: Json | undefined): Json | undefined {
  return value === null || (typeof value === "string" && value.trim() === "") ? undefined : value;
}

type Caller = Omit<Spawn, "tool">;
type Gate = PolicyContext<"unnamed" | "otherTeam" | "notLead" | "badTeam", { orchestrators: string[] }>;

function needsName(type: string, event: Caller, ctx: Gate): boolean {
  if (ctx.options.orchestrators.includes(type)) return true;
  if (type.startsWith(".")) return false;
  const homes = [event.cwd, ctx.actor.project, ctx.places.userHome];
  return [...new Set(homes)].some((home) => {
    const frontMatter = ctx.read.frontMatter([path.join(home, ".claude", "agents"), `${type}.md`]);
    return frontMatter !== undefined && demandsName(frontMatter);
  });
}

function mayUseTeam(team: string, event: Caller, ctx: Gate, registry: TeamRegistry) {
  const file = ctx.read.tomlAbove(ATM_FILE, readAtmFile);
  if (file && file.team !== "" && file.team !== team) {
    return ctx.deny("otherTeam", { required: file.team, given: team });
  }
  const { anyMember = false, coLeaders = [] } = file?.policies[team] ?? {};
  if (anyMember) return undefined;
  const known = findTeam(team, atmEnvironmentOf(ctx), ctx.read.json);
  const { session, agentId, agentType } = event;
  const caller = { session, agentId, agentType, identity: ctx.env("ATM_IDENTITY")?.trim() ?? "" };
  if (coLeaders.includes(callerName(caller, known))) return undefined;
  // A main thread may set up a team that does not exist yet or has no recorded lead.
  if (agentId === "" && (known === undefined || known.leadSession === "")) return undefined;
  if (known && isLead(caller, known)) return undefined;
  if (known && continuesAsLead(caller, known, registry.find(team, known.lead))) return undefined;
  return ctx.deny("notLead", {
    team,
    who: agentId === "" ? `session ${session.slice(0, 8)}` : `the agent ${agentType || agentId}`,
  });
}
