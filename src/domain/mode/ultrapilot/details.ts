import type { Json } from "../../../core/event.ts";
import { isObject } from "../../../core/event.ts";
import type { FieldType } from "../machine.ts";
import type { ModeRun } from "../mode-run.ts";
import type { Split } from "./split.ts";
import { type Worker, workersFor } from "./workers.ts";

export const ULTRAPILOT_FIELDS: Readonly<Record<string, FieldType>> = {
  workers: "list",
  /** Files that only the coordinator may change, beside those that always are. */
  sharedFiles: "list",
  /** `hookwright mode integrate` has found neither an error nor a conflict, and nothing was changed since. */
  integrated: "flag",
  /** Agents that have said by a command which worker they are. */
  callers: "object",
};

export const workersOf = (run: ModeRun): readonly Worker[] =>
  (run.details.workers ?? []) as unknown as readonly Worker[];
export const sharedFilesOf = (run: ModeRun): readonly string[] => (run.details.sharedFiles ?? []) as readonly string[];
export const isIntegrated = (run: ModeRun): boolean => run.details.integrated === true;

/** The same run with other workers; a change of what they did makes an earlier integration void. */
export function withWorkers(run: ModeRun, workers: readonly Worker[]): ModeRun {
  const isSame = done(workers) === done(workersOf(run));
  const details = { ...run.details, workers: workers as unknown as Json };
  return { ...run, details: isSame ? details : { ...details, integrated: false } };
}

export function withSplit(run: ModeRun, { subtasks, sharedFiles }: Pick<Split, "subtasks" | "sharedFiles">): ModeRun {
  const workers = workersFor(subtasks) as unknown as Json;
  return { ...run, details: { workers, sharedFiles, integrated: false, callers: {} } };
}

export function withIntegrated(run: ModeRun, integrated: boolean): ModeRun {
  return { ...run, details: { ...run.details, integrated } };
}

/** The worker that this agent has said to be; empty when it has said nothing. */
export function workerOfAgent(run: ModeRun, agentId: string): string {
  const { callers } = run.details;
  const known = isObject(callers) ? callers[agentId] : undefined;
  return typeof known === "string" ? known : "";
}

export function withCaller(run: ModeRun, agentId: string, worker: string): ModeRun {
  const callers = isObject(run.details.callers) ? run.details.callers : {};
  return { ...run, details: { ...run.details, callers: { ...callers, [agentId]: worker } } };
}

function done(workers: readonly Worker[]): string {
  return JSON.stringify(workers.map(({ id, status, filesModified }) => [id, status, filesModified]));
}
