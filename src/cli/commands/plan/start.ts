import fs from "node:fs";
import path from "node:path";
import { projectRoot } from "../../../core/actor.ts";
import { HookwrightError } from "../../../core/errors.ts";
import { safeName } from "../../../core/text/safe-name.ts";
import type { Plan } from "../../../domain/plan/document.ts";
import { stateFileIn, writeStateFile } from "../../../domain/plan/plan-files.ts";
import { progressText } from "../../../domain/plan/progress.ts";
import { ALL_SERVICES, type PlanState } from "../../../domain/plan/state.ts";
import { system } from "../../../system/system.ts";
import type { CommandContext } from "../../command.ts";
import { isInside, planProject, readPlan, withPlanLock } from "./plan-access.ts";
import { earlierCommits } from "./verify-rows.ts";

/** Starts a plan by writing the state file; fails when a plan is already active. */
export async function startPlan(context: CommandContext, name: string): Promise<number> {
  const { cwd, options, out, err } = context;
  const { root } = planProject(context);
  const relative = nameInProject(path.resolve(cwd, name), cwd, root);
  const { plan, file } = readPlan(root, relative);
  if (!plan.tasks.some((task) => task.status)) throw new HookwrightError("HW_PLAN_NO_TASKS", { file });
  const slug = safeName(plan.slug);
  const worktrees = worktreesOf(context, plan, root, err);
  const state: PlanState = {
    plan: relative,
    slug,
    team: teamOf(options.team, slug),
    started: `${new Date().toISOString().slice(0, 19)}Z`,
    worktrees,
  };
  const earlier = await earlierCommits(context, root, state);
  const complete = plan.tasks.filter((task) => task.status === "complete").map((task) => task.id);
  withPlanLock(context, root, (reached, store) => {
    // Read again under the lock.
    const { read } = planProject(context);
    if (read.kind === "active") {
      throw new HookwrightError("HW_PLAN_ACTIVE", { plan: read.state.plan, started: read.state.started || "?" });
    }
    if (read.kind === "broken") {
      throw new HookwrightError("HW_PLAN_STATE", { file: stateFileIn(root), detail: read.detail });
    }
    store.forgetRounds();
    store.keepRound(state.started, { ...(earlier ? { earlier } : {}), complete, completions: {} });
    // The session that starts a plan is its lead; a person's own shell has no session.
    const session = context.env.CLAUDE_CODE_SESSION_ID ?? "";
    if (session !== "") store.markLead(state.started, session);
    writeStateFile(root, state, reached);
  });
  if (options.json) out(JSON.stringify({ root, ...state, title: plan.title, counts: plan.counts }));
  else {
    out(`Started '${plan.title}' (${relative}). ${progressText(plan.counts)}`);
    out(`Team: ${state.team}. State: ${stateFileIn(root)}`);
  }
  return 0;
}

/** The plan's path in the main checkout. A path in a linked worktree is mapped to the same path in the main checkout. */
function nameInProject(file: string, cwd: string, root: string): string {
  if (isInside(file, root)) return path.relative(root, file);
  for (let dir = path.dirname(file); dir !== path.dirname(dir); dir = path.dirname(dir)) {
    if (!fs.existsSync(path.join(dir, ".git"))) continue;
    const isWorktree = projectRoot(dir, system) === root && projectRoot(cwd, system) === root;
    if (isWorktree && fs.existsSync(path.join(root, path.relative(dir, file)))) return path.relative(dir, file);
    break;
  }
  throw new HookwrightError("HW_PLAN_OUTSIDE", { file, root });
}

function teamOf(given: unknown, slug: string): string {
  const team = typeof given === "string" ? given : `implement-${slug}`;
  // Files are named after the team, so a name that would have to be changed for that is refused.
  if (safeName(team) !== team) throw new HookwrightError("HW_PATH_ESCAPES", { name: team });
  return team;
}

/** The worktrees from the options; without these, from the plan. */
function worktreesOf(
  { options, cwd }: CommandContext,
  plan: Plan,
  root: string,
  err: (text: string) => void,
): Record<string, string> {
  const given = Array.isArray(options.worktree) ? options.worktree.filter((one) => typeof one === "string") : [];
  if (given.length > 0) return givenWorktrees(given, cwd);
  const trees = plan.worktrees.map(({ service, path: place }) => [service || ALL_SERVICES, path.resolve(root, place)]);
  for (const [, place = ""] of trees) {
    if (!fs.existsSync(place)) err(`hookwright: the plan names the worktree ${place}, which does not exist yet.`);
  }
  return Object.fromEntries(trees);
}

function givenWorktrees(given: readonly string[], cwd: string): Record<string, string> {
  const fail = (detail: string): never => {
    throw new HookwrightError("HW_PLAN_WORKTREE", { detail });
  };
  const trees = given.map((one): [string, string] => {
    const [, service = ALL_SERVICES, place = ""] = /^(?:([^=/]+)=)?(.*)$/s.exec(one) ?? [];
    if (place === "") fail(`\`--worktree ${one}\` needs a folder.`);
    const folder = path.resolve(cwd, place);
    if (!fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()) fail(`The worktree ${folder} is not a folder.`);
    return [service, folder];
  });
  const names = trees.map(([service]) => service);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice === ALL_SERVICES)
    fail("With several worktrees, each needs the name of a service: `--worktree SERVICE=PATH`.");
  if (twice !== undefined) fail(`The worktree of \`${twice}\` is given twice.`);
  if (names.length > 1 && names.includes(ALL_SERVICES)) {
    fail("Give either one worktree for everything, or one with a name for each service.");
  }
  return Object.fromEntries(trees);
}
