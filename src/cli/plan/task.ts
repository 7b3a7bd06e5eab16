import { HookwrightError } from "../../core/errors.ts";
import { nearestName } from "../../core/nearest-name.ts";
import { replaceFile } from "../../domain/plan/plan-files.ts";
import { progressText } from "../../domain/plan/progress.ts";
import { isWritableStatus, STATUSES } from "../../domain/plan/status.ts";
import type { CommandContext } from "../command.ts";
import { activeState, alone, planProject, type ReadPlan, readPlan } from "./project.ts";

/** Changes the status cell of one row and nothing else in the document. */
export function setTask(context: CommandContext, id: string, status: string): number {
  if (!isWritableStatus(status)) {
    const known = [...STATUSES, "review-fix-1"];
    fail(`\`${status}\` is not a status.${nearestName(status, known)} Known: ${STATUSES.join(", ")}, review-fix-N.`);
  }
  const { before, after } = alone(context, (reached) => {
    const project = planProject(context);
    const state = activeState(project);
    const read = readPlan(project.root, state.plan);
    const cell = cellOf(read, id);
    const text = read.text.slice(0, cell.start) + status + read.text.slice(cell.end);
    if (text !== read.text) replaceFile(read.file, text, reached);
    return { before: read, after: readPlan(project.root, state.plan) };
  });
  const was = taskOf(before, id);
  const { plan } = after;
  if (context.options.json) {
    context.out(JSON.stringify({ id, before: was.statusCell?.text ?? "", status, counts: plan.counts }));
    return 0;
  }
  context.out(
    `Task ${id} is now ${status} (before: ${was.statusCell?.text || "no status"}). ${progressText(plan.counts)}`,
  );
  if (status !== "in-progress" && status !== "complete") return 0;
  const open = was.dependsOn.filter((other) => plan.tasks.some((one) => one.id === other && one.status !== "complete"));
  if (open.length > 0) context.err(`hookwright: task ${id} depends on ${open.join(", ")}, which is not complete.`);
  return 0;
}

function taskOf({ plan, file }: ReadPlan, id: string) {
  const found = plan.tasks.filter((task) => task.id === id);
  const [task] = found;
  const ids = plan.tasks.map((one) => one.id);
  if (!task) fail(`There is no task \`${id}\` in ${file}.${nearestName(id, ids)}`);
  if (found.length > 1)
    fail(`There are ${found.length} tasks \`${id}\` in ${file}: lines ${found.map((one) => one.line).join(", ")}.`);
  return task as NonNullable<typeof task>;
}

function cellOf(read: ReadPlan, id: string): { readonly start: number; readonly end: number } {
  const { statusCell, line } = taskOf(read, id);
  if (!statusCell) fail(`The row of task \`${id}\` (${read.file}:${line}) has no cell for a status.`);
  return statusCell as NonNullable<typeof statusCell>;
}

function fail(detail: string): never {
  throw new HookwrightError("HW_PLAN_TASK", { detail });
}
