import type { EventOf } from "../../core/event.ts";
import type { PolicyContext } from "../../core/policy.ts";
import { type ActivePlan, activePlan, hookSettings, PLAN_ENV, type PlanFacts, planFacts } from "./active-plan.ts";
import { incompleteOf } from "./status.ts";
import { isTeamSession, TEAM_ENV } from "./team-membership.ts";

export const STOP_GUARD_ENV = [...PLAN_ENV, ...TEAM_ENV];

/** The active plan, as far as a stop is held for it. */
export interface OpenPlan {
  readonly plan: ActivePlan;
  readonly facts: PlanFacts;
  /** How many of its tasks are open. */
  readonly count: number;
}

type Context = Pick<PolicyContext, "actor" | "env" | "info" | "realPath" | "read" | "places" | "calls">;

/** The plan with open tasks that this session takes part in; undefined when its stop does not concern a plan. */
export function openPlanOf(
  event: EventOf<"turn.stop">,
  ctx: Context,
  store: { lead(started: string): string },
): OpenPlan | undefined {
  // A subagent of the lead may stop when its own work is done.
  if (event.agentId !== "" || !hookSettings(ctx).stopGuard) return undefined;
  const plan = activePlan(ctx);
  const facts = plan && planFacts(ctx, plan);
  if (!facts) return undefined;
  const count = incompleteOf(facts.counts);
  if (count === 0) return undefined;
  // A session that made no call since the prompt only answered a question. Undefined when no prompt was seen.
  const isBystander = ctx.calls.sincePrompt === 0 && store.lead(plan.state.started) !== event.session;
  if (isBystander && !isTeamSession(event.session, plan, ctx)) return undefined;
  return { plan, facts, count };
}
