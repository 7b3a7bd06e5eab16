import type { PolicyContext } from "../../core/policy.ts";
import { sessionTasks, TODO_POLICY } from "../tasks/store.ts";
import { openTasks, openTasksText } from "../tasks/task-list.ts";
import type { ModeRun } from "./mode-run.ts";
import type { ModeRuns } from "./mode-runs.ts";
import { plainLines } from "./signals.ts";
import type { StopOutcome } from "./stop-step.ts";

const COMPLETION_LINE = /^(?:\*\*|__)?[A-Z]+_COMPLETE(?:\*\*|__)?$/;
const heldKey = ({ session, mode }: ModeRun): string => `open-tasks:${session}:${mode}`;

/**
 * What a stop means once the session's open tasks are known: the text of a mode names them, and its completion line over
 * open tasks is held, once in a run.
 */
export function withOpenTasks(
  outcome: StopOutcome,
  lastMessage: string,
  ctx: Pick<PolicyContext, "optionsOf" | "store">,
  store: ModeRuns,
): StopOutcome {
  if (outcome.kind !== "step" || (outcome.step.kind !== "hold" && outcome.step.kind !== "end")) return outcome;
  const { todos = "off" } = ctx.optionsOf(TODO_POLICY) ?? {};
  if (todos === "off") return outcome;
  const open = openTasks(ctx.store(sessionTasks).lists());
  if (open.names.length === 0) return outcome;
  const { run, step } = outcome;
  if (step.kind === "hold")
    return { ...outcome, step: { ...step, text: `${step.text} This session has ${openTasksText(open)}.` } };
  const isSaid = plainLines(lastMessage).some((line) => COMPLETION_LINE.test(line));
  if (!isSaid || run.round >= run.limit || store.other(heldKey(run)) === run.startedAt) return outcome;
  const text = `Its completion line was given, but this session has ${openTasksText(open)}. Complete them, or mark as completed or deleted what is not needed, then give the line again.`;
  return { ...outcome, step: { kind: "hold", run, text } };
}

export function markHeldForTasks(store: ModeRuns, run: ModeRun): void {
  store.setOther(heldKey(run), run.startedAt);
}

export function forgetHeldForTasks(store: ModeRuns, run: ModeRun): void {
  store.setOther(heldKey(run), undefined);
}
