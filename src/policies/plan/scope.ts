import path from "node:path";
import type { EventOf } from "../../core/event.ts";
import { type PolicyContext, policy } from "../../core/policy.ts";
import { type ActivePlan, activePlan, PLAN_ENV } from "../../domain/plan/active-plan.ts";
import { scopesFile } from "../../domain/plan/problems.ts";
import { readScopes, type Scopes, scopeCovers, scopeNamesOf } from "../../domain/plan/scopes.ts";
import { writtenPaths } from "../../effects/files/written-paths.ts";
import { shellOf } from "../../effects/shell-of-event.ts";

const NAME = "CLAUDE_AGENT_NAME";
/** Git commands are exempt: they move content that an agent wrote before. */
const KEEPS_OWN_RULES = "git";

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
      const allowed = [...agent.entries, ...scopes.shared];
      const target = targetsOf(event, ctx).find((one) => !isAllowed(one, allowed, plan, ctx));
      if (target === undefined) return undefined;
      return ctx.deny("outside", {
        path: path.relative(plan.root, target).startsWith("..") ? target : path.relative(plan.root, target),
        agent: agent.name,
        allowed: allowed.length === 0 ? "nothing" : allowed.join(", "),
        file: path.relative(plan.root, file),
      });
    },
  },
});

/** The calling agent and its entries in the scope file. Undefined for the lead, who may edit everything. */
function agentOf(event: Call, ctx: Context, scopes: Scopes): { name: string; entries: string[] } | undefined {
  const teammate = typeof event.raw.teammate_name === "string" ? event.raw.teammate_name : "";
  // The type of a plugin's agent is `plugin:name`.
  const said = [teammate, event.agentType, event.agentType.split(":").at(-1) ?? "", event.agentId];
  const names = said.some((name) => name !== "") ? said : [ctx.env(NAME) ?? ""];
  const listed = names.filter((name) => name !== "" && Object.hasOwn(scopes.agents, name));
  const name = listed[0] ?? names.find((one) => one !== "");
  if (name === undefined) return undefined;
  // The lead may itself run as an agent of some type.
  if (listed.length === 0 && event.agentId === "" && ctx.env(NAME) === undefined) return undefined;
  return { name, entries: [...new Set(listed)].flatMap((one) => scopes.agents[one] ?? []) };
}

function targetsOf(event: Call, ctx: Context): readonly string[] {
  if (event.tool.kind !== "shell") return event.writes;
  return writtenPaths(shellOf(event, ctx.places.userHome), event.cwd).flatMap((written) => {
    const target = written.path ?? written.inside;
    return target === undefined || written.by.program === KEEPS_OWN_RULES ? [] : [target];
  });
}

/** Temporary files outside the project are always allowed; any other file outside it has to be listed. */
function isAllowed(target: string, allowed: readonly string[], plan: ActivePlan, ctx: Context): boolean {
  let names = scopeNamesOf(target, plan, ctx);
  if (names.length === 0) {
    const real = ctx.realPath(target);
    if ([ctx.places.tempDir, "/tmp", "/dev"].some((place) => real.startsWith(`${ctx.realPath(place)}/`))) return true;
    names = [path.relative(plan.root, target)];
  }
  return allowed.some((entry) => scopeCovers(entry, names, plan.root, ctx));
}
