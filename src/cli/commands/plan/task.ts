import { HookwrightError } from "../../../core/errors.ts";
import { nearestName } from "../../../core/text/nearest-name.ts";
import { replaceFile } from "../../../domain/plan/plan-files.ts";
import { progressText } from "../../../domain/plan/progress.ts";
import { isWritableStatus, STATUSES } from "../../../domain/plan/status.ts";
import type { Completion } from "../../../domain/plan/store.ts";
import type { CommandContext } from "../../command.ts";
import { activeState, planProject, type ReadPlan, readPlan, withPlanLock } from "./plan-access.ts";
import { verifyRows } from "./verify-rows.ts";

/** Changes the status cell of one row; the rest of the document stays as it is. */
export async function setTask(
  context: CommandContext,
  id: string,
  status: string,
  isUnverified: boolean,
): Promise<number> {
  if (!isWritableStatus(status)) {
    const known = [...STATUSES, "review-fix-1"];
    fail(`\`${status}\` is not a status.${nearestName(status, known)} Known: ${STATUSES.join(", ")}, review-fix-N.`);
  }
  const { root } = planProject(context);
  const completion = status === "complete" ? await completionOf(context, id, isUnverified) : undefined;
  const { before, after } = withPlanLock(context, root, (reached, store) => {
    const state = activeState(planProject(context));
    const read = readPlan(root, state.plan);
    const cell = cellOf(read, id);
    const text = read.text.slice(0, cell.start) + status + read.text.slice(cell.end);
    const {
      complete,
      completions: { [id]: _before, ...others },
      ...start
    } = store.round(state.started);
    const completions = completion === undefined ? others : { ...others, [id]: completion };
    store.keepRound(state.started, { ...start, complete: complete.filter((one) => one !== id), completions });
    if (text !== read.text) replaceFile(read.file, text, reached);
    return { before: read, after: readPlan(root, state.plan) };
  });
  const was = taskOf(before, id);
  const { plan } = after;
  if (context.options.json) {
    const shown = { id, before: was.statusCell?.text ?? "", status, completion: completion ?? null };
    context.out(JSON.stringify({ ...shown, counts: plan.counts }));
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

/** Undefined when verification is off in the project. */
async function completionOf(
  context: CommandContext,
  id: string,
  isUnverified: boolean,
): Promise<Completion | undefined> {
  if (isUnverified) return "unverified";
  const project = planProject(context);
  const state = activeState(project);
  const document = readPlan(project.root, state.plan);
  cellOf(document, id);
  const isVerified = await verifyRows(context, { root: project.root, state, document }, [taskOf(document, id)]);
  return isVerified ? "verified" : undefined;
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
