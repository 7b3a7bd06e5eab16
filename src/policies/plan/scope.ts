import path from "node:path";
import type { EventOf } from "../../core/event.ts";
import { type PolicyContext, policy } from "../../core/policy.ts";
import { callerNames } from "../../domain/claims/caller.ts";
import { patternsOf } from "../../domain/claims/claim.ts";
import { isTemporary, shownPath } from "../../domain/claims/file-names.ts";
import { patternCovers } from "../../domain/claims/patterns.ts";
import { writtenTargets } from "../../domain/claims/written-targets.ts";
import { type ActivePlan, activePlan, PLAN_ENV } from "../../domain/plan/active-plan.ts";
import { scopesFile } from "../../domain/plan/problems.ts";
import { readScopes, type Scopes, SHARED, scopeNamesOf } from "../../domain/plan/scopes.ts";

const NAME = "CLAUDE_AGENT_NAME";

type Context = PolicyContext<"outside">;
type Call = EventOf<"tool.before">;

export default policy({
  id: "plan/scope",
  summary: "Keeps each agent of a team to the files that its scope lists.",
  why: "Two implementers that work in parallel and edit each other's files undo each other's work without noticing.",
  origin: "project-orchestrator",
  stage: "scope",
  filter: { kinds: ["edit", "shell"] },
  messages: {
    outside:
      "{path} is outside the scope of {agent}, which may change {allowed}. The scopes are in {file}; if this change is needed, ask the lead for it.",
  },
  examples: {
    hit: ["Edit of src/web/page.ts by an agent whose scope is src/api"],
    pass: ["Edit of src/api/handler.ts by the same agent", "any edit by the lead", "any edit without a scope file"],
  },
  reads: { env: [...PLAN_ENV, NAME] },
  on: {
    "tool.before"(event, ctx) {
      const plan = activePlan(ctx);
      if (!plan || plan.state.team === "") return undefined;
      const file = scopesFile(plan.root, plan.state.team);
      if (ctx.info(file) === undefined) return undefined;
      const scopes = ctx.read.json([file], readScopes);
      const agent = scopes && agentOf(event, ctx, scopes);
      if (!agent) return undefined;
      const { allowed } = agent;
      const targets = writtenTargets(event, ctx.places.userHome).map((one) => one.path);
      const target = targets.find((one) => !isAllowed(one, allowed, plan, ctx));
      if (target === undefined) return undefined;
      return ctx.deny("outside", {
        path: shownPath(target, plan.root),
        agent: agent.name,
        allowed: allowed.length === 0 ? "nothing" : allowed.join(", "),
        file: path.relative(plan.root, file),
      });
    },
  },
});

/** The calling agent and the patterns that it may use. Undefined for the lead, who may edit everything. */
function agentOf(event: Call, ctx: Context, scopes: Scopes): { name: string; allowed: readonly string[] } | undefined {
  const names = callerNames(event, ctx.env(NAME));
  const listed = names.filter((name) => scopes.agents.includes(name));
  const name = listed[0] ?? names[0];
  if (name === undefined) return undefined;
  // The lead may itself run as an agent of some type.
  if (listed.length === 0 && event.agentId === "" && ctx.env(NAME) === undefined) return undefined;
  return { name, allowed: patternsOf(scopes.claims, [...listed, SHARED]) };
}

/** Temporary files outside the project are always allowed; any other file outside it has to be listed. */
function isAllowed(target: string, allowed: readonly string[], plan: ActivePlan, ctx: Context): boolean {
  const inside = scopeNamesOf(target, plan, ctx);
  if (inside.length === 0 && isTemporary(target, ctx.places.tempDir, ctx)) return true;
  const names = inside.length === 0 ? [path.relative(plan.root, target)] : inside;
  return allowed.some((pattern) => patternCovers(pattern, names, plan.root, ctx));
}
