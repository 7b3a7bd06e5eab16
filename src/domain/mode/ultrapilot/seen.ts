import path from "node:path";
import type { WriteTarget } from "../../claims/written-targets.ts";
import type { Worker } from "./workers.ts";

/** A call without a new file is noted this often, as a sign of life. */
const SEEN_STEP_MS = 60_000;

/** The files that a worker's call has changed; undefined when nothing about it has to be stored. */
export function changedFiles(
  workers: readonly Worker[],
  id: string,
  targets: readonly WriteTarget[],
  project: string,
  now: number,
): readonly string[] | undefined {
  const worker = workers.find((one) => one.id === id);
  if (!worker) return undefined;
  const files = targets.map((target) => path.relative(project, target.path)).filter((file) => !file.startsWith(".."));
  const isNew = files.some((file) => !worker.filesModified.includes(file)) || worker.status === "pending";
  return isNew || now - (worker.seenAt ?? 0) > SEEN_STEP_MS ? files : undefined;
}
