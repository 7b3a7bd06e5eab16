import type { EventOf } from "../../core/event.ts";
import type { PolicyContext } from "../../core/policy.ts";
import { callerNames } from "../claims/caller.ts";
import { type Claim, COORDINATOR, liveClaims } from "../claims/claim.ts";
import { namesOfFile } from "../claims/file-names.ts";
import { patternCovers } from "../claims/patterns.ts";
import type { WriteTarget } from "../claims/written-targets.ts";
import { isHolding } from "../mode/mode-run.ts";
import { modeRuns } from "../mode/store.ts";
import { sharedFilesOf, workersOf } from "../mode/ultrapilot/details.ts";
import { claimsOf } from "../mode/ultrapilot/workers.ts";
import { activePlan, PLAN_ENV } from "../plan/active-plan.ts";
import { scopesFile } from "../plan/problems.ts";
import { readScopes, SHARED, scopeNamesOf } from "../plan/scopes.ts";

/** The name that an agent of a team has. */
const NAME = "CLAUDE_AGENT_NAME";
export const CALLER_ENV = [...PLAN_ENV, NAME];

/** Does this file belong to the calling main agent, or to all agents, by the division of a plan or of ultrapilot? */
export function isCallersFile(target: WriteTarget, event: EventOf<"tool.before">, ctx: PolicyContext): boolean {
  const named = callerNames(event, ctx.env(NAME));
  const run = ctx.store(modeRuns).get(event.session, "ultrapilot");
  if (run && isHolding(run, ctx.now())) {
    const claims = claimsOf(workersOf(run), sharedFilesOf(run));
    const names = namesOfFile(target.path, [{ folder: ctx.actor.project }], ctx);
    if (isClaimed(claims, [COORDINATOR, ...named], names, ctx.actor.project, ctx)) return true;
  }
  const plan = activePlan(ctx);
  if (!plan || plan.state.team === "") return false;
  const file = scopesFile(plan.root, plan.state.team);
  const scopes = ctx.info(file) === undefined ? undefined : ctx.read.json([file], readScopes);
  if (!scopes) return false;
  return isClaimed(scopes.claims, [SHARED, ...named], scopeNamesOf(target.path, plan, ctx), plan.root, ctx);
}

function isClaimed(
  claims: readonly Claim[],
  owners: readonly string[],
  names: readonly string[],
  root: string,
  ctx: PolicyContext,
): boolean {
  const own = liveClaims(claims, ctx.now()).filter(({ owner }) => owners.includes(owner));
  return own.some(({ pattern }) => patternCovers(pattern, names, root, ctx));
}
