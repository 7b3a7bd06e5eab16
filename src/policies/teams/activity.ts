import type { AnyEvent } from "../../core/event.ts";
import { policy, type SettledContext } from "../../core/policy.ts";
import { ATM_ENV } from "../../domain/team/atm-paths.ts";
import { type TeamRegistry, teams } from "../../domain/team/registry.ts";
import { atmInSettled, prefetchReportFacts, reportLifecycle } from "../../domain/team/report-lifecycle.ts";
import { teammateName } from "../../domain/team/spawn.ts";

const NAMES = new Set(["hook_event_name", "session_id", "prompt_id", "agent_id", "agent_type", "cwd"]);

export default policy({
  id: "teams/activity",
  summary: "Records when an agent of a team begins to work and when its turn is over.",
  why: "A program that wants to give an agent a task has to know whether the agent is busy; the idle event alone does not say when the agent starts to work again.",
  origin: "agent-team-mail",
  stage: "recorder",
  messages: {},
  examples: {
    hit: ["a prompt, the end of a turn, or a message to a teammate, in a project with `.atm.toml`"],
    pass: ["the same in any other project", "a stop that is held, after which the agent goes on"],
  },
  reads: { env: ATM_ENV },
  uses: teams,
  on: {
    "prompt.submit": (_event, ctx) => prefetchReportFacts(ctx),
    "turn.stop": (_event, ctx) => prefetchReportFacts(ctx),
    "turn.failed": (_event, ctx) => prefetchReportFacts(ctx),
    "subagent.start": (event, ctx) => (teammateName(event) === "" ? undefined : prefetchReportFacts(ctx)),
  },
  settled: {
    "prompt.submit"(event, _fate, ctx, registry) {
      if (ctx.outcome !== "deny") tell(event, "turn_start", ctx, registry);
    },
    "turn.stop"(event, _fate, ctx, registry) {
      if (ctx.outcome !== "hold") tell(event, "stop", ctx, registry);
    },
    "turn.failed"(event, _fate, ctx, registry) {
      tell(event, "stop", ctx, registry);
    },
    "subagent.start"(event, _fate, ctx, registry) {
      tell(event, "turn_start", ctx, registry);
    },
  },
});

/** Reports for the main thread under the project's identity, and for teammates; other subagents belong to no team. */
function tell(event: AnyEvent, what: "turn_start" | "stop", ctx: SettledContext, registry: TeamRegistry): void {
  const { session, agentId } = event;
  const teammate = teammateName(event);
  if (session === "" || (agentId !== "" && teammate === "")) return;
  const atm = atmInSettled(ctx);
  if (!atm) return;
  const agent = teammate || atm.identity;
  const known = registry.ofSession(session).find((entry) => entry.agent === agent);
  // The client creates team names of its own; a teammate's team is known only after its first idle event.
  if (teammate !== "" && !known) return;
  const about = { agent, team: known?.team ?? atm.team, session, pid: ctx.actor.pid, source: "claude_hook" } as const;
  // The prompt and the agent's last message must not get into the report.
  const kept = Object.fromEntries(Object.entries(event.raw).filter(([name]) => NAMES.has(name)));
  reportLifecycle(ctx, registry, { event: what, ...about }, { source: { kind: "claude_hook" } }, kept);
}
