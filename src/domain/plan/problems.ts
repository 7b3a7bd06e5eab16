import path from "node:path";
import type { PolicyContext } from "../../core/policy.ts";
import { safeName } from "../../core/text/safe-name.ts";
import { activePlan, hookSettings, planFacts, unusableState } from "./active-plan.ts";
import { readScopes, SCOPES_FOLDER } from "./scopes.ts";
import { totalOf } from "./status.ts";

/** Problems with the plan's files, in sentences for the person. They only inform and block nothing. */
export function planProblems(ctx: PolicyContext): string[] {
  const problems = [...hookSettings(ctx).problems];
  const broken = unusableState(ctx);
  if (broken !== undefined) {
    problems.push(`${broken} names no plan, so no plan is active. \`hookwright plan abort\` moves the file away.`);
  }
  const plan = activePlan(ctx);
  if (!plan) return problems;
  if (plan.file === undefined) {
    problems.push(`The active plan ${plan.state.plan} is not inside ${plan.root}, so it is not read.`);
  } else {
    const facts = planFacts(ctx, plan);
    const wrong = facts ? "has no tasks with a status" : "is missing or cannot be read";
    if (!facts || totalOf(facts.counts) === 0) {
      problems.push(`The active plan ${plan.file} ${wrong}, so nothing is checked against it.`);
    }
  }
  const file = plan.state.team === "" ? "" : scopesFile(plan.root, plan.state.team);
  if (file !== "" && ctx.info(file) !== undefined && !ctx.read.json([file], readScopes)) {
    problems.push(`${file} is not a valid list of scopes, so every agent may edit every file.`);
  }
  return problems;
}

export function scopesFile(root: string, team: string): string {
  return path.join(root, SCOPES_FOLDER, `${safeName(team)}.json`);
}
