import { HookwrightError } from "../../core/errors.ts";
import { removeStateFile } from "../../domain/plan/plan-files.ts";
import { progressText } from "../../domain/plan/progress.ts";
import { incompleteOf } from "../../domain/plan/status.ts";
import type { CommandContext } from "../command.ts";
import { activeState, alone, planProject, readPlan } from "./project.ts";

/** Ends a plan whose tasks are all done or wait for a person. */
export function finish(context: CommandContext): number {
  return alone(context, () => {
    const project = planProject(context);
    const state = activeState(project);
    const { plan } = readPlan(project.root, state.plan);
    const left = incompleteOf(plan.counts);
    if (left > 0) {
      const tasks = left === 1 ? "1 task" : `${left} tasks`;
      throw new HookwrightError("HW_PLAN_INCOMPLETE", { tasks, title: plan.title });
    }
    removeStateFile(project.root, project.read, Date.now());
    const { counts, title } = plan;
    if (context.options.json) context.out(JSON.stringify({ finished: state.plan, title, counts }));
    else context.out(`Finished '${title}' (${state.plan}). ${progressText(counts)}`);
    return 0;
  });
}

/** Gives a plan up, whatever its state. Having none is no failure: this also cleans up after one. */
export function abort(context: CommandContext): number {
  return alone(context, () => {
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
