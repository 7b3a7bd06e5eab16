import { HookwrightError } from "../../../core/errors.ts";
import type { PlanTask } from "../../../domain/plan/document.ts";
import { removeStateFile } from "../../../domain/plan/plan-files.ts";
import { progressText } from "../../../domain/plan/progress.ts";
import { incompleteOf } from "../../../domain/plan/status.ts";
import type { CommandContext } from "../../command.ts";
import { activeState, planProject, readPlan, readPlanStore, withPlanLock } from "./plan-access.ts";
import { verifyRows } from "./verify-rows.ts";

/** Ends a plan whose tasks are all done or wait for a person. Rows that were not completed by a command are verified. */
export async function finishPlan(context: CommandContext, isUnverified: boolean): Promise<number> {
  const seen = finishedPlan(context);
  const { root } = seen.project;
  const { complete, completions } = readPlanStore(context, root, (store) => store.round(seen.state.started));
  const isNew = ({ id, status }: PlanTask): boolean =>
    status === "complete" && !complete.includes(id) && completions[id] === undefined;
  const rows = seen.document.plan.tasks.filter(isNew);
  if (!isUnverified) await verifyRows(context, { root, ...seen }, rows);
  return withPlanLock(context, root, () => {
    // Read again under the lock.
    const { project, state, document } = finishedPlan(context);
    removeStateFile(project.root, project.read, Date.now());
    const { counts, title, tasks } = document.plan;
    const left = isUnverified ? rows.map(({ id }) => id) : [];
    const ids = tasks.map(({ id }) => id);
    const unverified = ids.filter((id) => completions[id] === "unverified" || left.includes(id));
    if (context.options.json) context.out(JSON.stringify({ finished: state.plan, title, counts, unverified }));
    else {
      context.out(`Finished '${title}' (${state.plan}). ${progressText(counts)}`);
      if (unverified.length > 0) context.out(`Completed by a person without verification: ${unverified.join(", ")}.`);
    }
    return 0;
  });
}

function finishedPlan(context: CommandContext) {
  const project = planProject(context);
  const state = activeState(project);
  const document = readPlan(project.root, state.plan);
  const { counts, title } = document.plan;
  const left = incompleteOf(counts);
  if (left > 0) {
    const tasks = left === 1 ? "1 task" : `${left} tasks`;
    throw new HookwrightError("HW_PLAN_INCOMPLETE", { tasks, title });
  }
  return { project, state, document };
}

/** Aborts the plan in any state. Succeeds without a plan too, and moves a broken state file away. */
export function abortPlan(context: CommandContext): number {
  return withPlanLock(context, planProject(context).root, () => {
    const { root, read } = planProject(context);
    const aside = read.kind === "none" ? undefined : removeStateFile(root, read, Date.now());
    const plan = read.kind === "active" ? read.state.plan : null;
    if (context.options.json) context.out(JSON.stringify({ aborted: plan, movedTo: aside ?? null }));
    else if (aside !== undefined) context.out(`The state file could not be read and was moved to ${aside}.`);
    else
      context.out(plan === null ? "No plan is active." : `The plan ${plan} is aborted. Its document was not changed.`);
    return 0;
  });
}
