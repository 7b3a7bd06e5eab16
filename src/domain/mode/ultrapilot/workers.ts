import { type Claim, COORDINATOR } from "../../claims/claim.ts";
import { SHARED_FILES } from "./shared-files.ts";
import type { Problem, Subtask } from "./split.ts";

/** A running worker that was not seen for this long has failed. */
export const WORKER_TIMEOUT_MS = 300_000;
const SILENT = "silent for 5 minutes";
const NO_REASON = "no reason given";
const MOST_MODIFIED = 1_000;
const LONGEST_ERROR = 500;

export type WorkerStatus = "pending" | "running" | "complete" | "failed";

/** A type alias, because store rows need JSON. Times are in milliseconds. */
export type Worker = {
  /** `worker-1` for the first one, whose index is 0. */
  readonly id: string;
  readonly index: number;
  readonly task: string;
  readonly ownedFiles: readonly string[];
  /** The ids of the workers that must be complete before this one can start. */
  readonly blockedBy: readonly string[];
  readonly status: WorkerStatus;
  readonly startedAt?: number;
  /** When it was complete or failed. */
  readonly completedAt?: number;
  readonly error?: string;
  /** When it last did something that was seen. */
  readonly seenAt?: number;
  /** The files that it has changed, relative to the project. */
  readonly filesModified: readonly string[];
};

export function workersFor(subtasks: readonly Subtask[]): Worker[] {
  const idOf = new Map(subtasks.map(({ id }, index) => [id, workerId(index + 1)]));
  return subtasks.map(({ description, files, blockedBy }, index) => ({
    id: workerId(index + 1),
    index,
    task: description,
    ownedFiles: files,
    blockedBy: blockedBy.flatMap((id) => idOf.get(id) ?? []),
    status: "pending",
    filesModified: [],
  }));
}

/**
 * What worker number `n` reports about itself. A worker that is complete or failed can run again. One that was complete
 * then counts only for what it changes from now on, so that a conflict ends when one of its workers has looked again.
 */
export function markWorker(
  workers: readonly Worker[],
  n: number,
  status: Exclude<WorkerStatus, "pending">,
  now: number,
  error: string = "",
): Worker[] | Problem {
  const worker = workers[n - 1];
  if (!worker) return { problem: `There is no worker ${n}: this run has ${counted(workers.length)}.` };
  const problem = refusalOf(worker, status, workers);
  if (problem !== undefined) return { problem };
  const why = error.trim().slice(0, LONGEST_ERROR) || NO_REASON;
  return workers.map((one) => (one === worker ? { ...marked(worker, status, now, why), seenAt: now } : one));
}

function refusalOf(worker: Worker, status: WorkerStatus, workers: readonly Worker[]): string | undefined {
  const { id, blockedBy } = worker;
  // Its end is also its beginning where nothing was seen of its work.
  const begins = status === "running" ? worker.status !== "running" : worker.startedAt === undefined;
  if (status !== "failed" && begins) {
    const waitsFor = workers.filter((one) => blockedBy.includes(one.id) && one.status !== "complete");
    if (waitsFor.length === 0) return undefined;
    return `${id} cannot start before ${waitsFor.map((one) => one.id).join(", ")} is complete.`;
  }
  if (status === "failed" && worker.status === "complete") {
    return `${id} is complete already. If its work has to be done again, report that it is running.`;
  }
  return undefined;
}

function marked(worker: Worker, status: WorkerStatus, now: number, why: string): Worker {
  if (status === worker.status) return worker;
  const { completedAt: _completedAt, error: _error, ...rest } = worker;
  if (status === "running") {
    return { ...rest, status, startedAt: now, filesModified: worker.status === "complete" ? [] : worker.filesModified };
  }
  if (status === "failed") return { ...rest, status, completedAt: now, error: why };
  return { ...rest, status, startedAt: worker.startedAt ?? now, completedAt: now };
}

/** A call of this worker was seen, which changed these files. A pending worker starts with it; a failed one stays so. */
export function markSeen(
  workers: readonly Worker[],
  id: string,
  now: number,
  files: readonly string[] = [],
): readonly Worker[] {
  return workers.map((worker) => {
    if (worker.id !== id) return worker;
    const filesModified = [...new Set([...worker.filesModified, ...files])].slice(0, MOST_MODIFIED);
    const begins = worker.status === "pending" ? ({ status: "running", startedAt: now } as const) : {};
    return { ...worker, ...begins, seenAt: now, filesModified };
  });
}

/** Running workers that were silent for too long have failed. The same list when there are none. */
export function failSilent(workers: readonly Worker[], now: number): readonly Worker[] {
  if (!workers.some((worker) => isSilent(worker, now))) return workers;
  return workers.map((worker) => (isSilent(worker, now) ? marked(worker, "failed", now, SILENT) : worker));
}

function isSilent(worker: Worker, now: number): boolean {
  return worker.status === "running" && now >= silentFrom(worker);
}

function silentFrom({ seenAt, startedAt = 0 }: Worker): number {
  return (seenAt ?? startedAt) + WORKER_TIMEOUT_MS;
}

export type Integration = {
  readonly success: boolean;
  /** The files that complete workers have changed. */
  readonly files: readonly string[];
  /** A sentence for each worker that has failed. */
  readonly errors: readonly string[];
  /** The files that more than one complete worker has changed. */
  readonly conflicts: readonly { readonly file: string; readonly workers: readonly string[] }[];
  /** The ids of workers that are pending or running. */
  readonly unfinished: readonly string[];
};

export function integrate(workers: readonly Worker[]): Integration {
  const changedBy = new Map<string, string[]>();
  for (const { id, status, filesModified } of workers) {
    if (status !== "complete") continue;
    for (const file of new Set(filesModified)) changedBy.set(file, [...(changedBy.get(file) ?? []), id]);
  }
  const errors = workers
    .filter(({ status }) => status === "failed")
    .map(({ id, error }) => `${id} failed: ${(error ?? NO_REASON).replace(/[.\s]+$/, "")}.`);
  const conflicts = [...changedBy].filter(([, ids]) => ids.length > 1).map(([file, ids]) => ({ file, workers: ids }));
  const unfinished = workers.filter(({ status }) => status === "pending" || status === "running").map(({ id }) => id);
  const success = errors.length === 0 && conflicts.length === 0 && unfinished.length === 0;
  return { success, files: [...changedBy.keys()], errors, conflicts, unfinished };
}

/**
 * The claims of a run. Those of a worker end when it is complete or failed, so that others can go on with its files. Files
 * that are shared always belong to the coordinator; `sharedFiles` are those that the split has named.
 */
export function claimsOf(workers: readonly Worker[], sharedFiles: readonly string[] = []): Claim[] {
  const source = "ultrapilot";
  const shared = [...new Set([...SHARED_FILES, ...sharedFiles])];
  return [
    ...workers.flatMap((worker) => {
      if (worker.status === "complete" || worker.status === "failed") return [];
      const ends = worker.status === "running" ? { expiresAt: silentFrom(worker) } : {};
      return worker.ownedFiles.map((pattern) => ({ owner: worker.id, pattern, source, ...ends }));
    }),
    ...shared.map((pattern) => ({ owner: COORDINATOR, pattern, source })),
  ];
}

function workerId(n: number): string {
  return `worker-${n}`;
}

function counted(n: number): string {
  return n === 1 ? "1 worker" : `${n} workers`;
}
