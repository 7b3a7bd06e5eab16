import type { ModeMachine } from "../machine.ts";
import type { ModeRun } from "../mode-run.ts";
import { isIntegrated, ULTRAPILOT_FIELDS, withWorkers, workersOf } from "./details.ts";
import { failSilent, integrate, type Worker } from "./workers.ts";

const LONGEST_TASK = 120;
const SPLIT_FORM =
  '{"subtasks": [{"id": "1", "description": "…", "files": ["src/api"], "blockedBy": []}], "sharedFiles": []}';

/** Up to five workers at the same time, each with files of its own. */
export const ultrapilot: ModeMachine = {
  mode: "ultrapilot",
  fields: ULTRAPILOT_FIELDS,
  begin: () => ({ workers: [], sharedFiles: [], integrated: false, callers: {} }),
  until: () => "all workers are complete and `hookwright mode integrate` finds no conflict",
  guide: (run) =>
    [
      `ultrapilot is on for this request: ${run.request || "the work at hand"}`,
      "You coordinate. Divide the work into at most five parts whose files do not overlap: pass them as JSON on standard",
      `input to \`hookwright mode split\`, in this form: ${SPLIT_FORM}`,
      "Start a subagent of the type worker-1 … worker-5 for each part (general-purpose where there is no such type; it then",
      "runs `hookwright mode worker N running` first). A worker may change only its own files; package.json, lock files and",
      "other shared files are yours. Each ends with `hookwright mode worker N complete` or `failed`. When all are complete,",
      "run `hookwright mode integrate`.",
    ].join("\n"),
  step(run, { now }) {
    const workers = failSilent(workersOf(run), now);
    const next = withWorkers(run, workers);
    const changes = changedWorkers(workersOf(run), workers);
    const news = changes === "" ? {} : { news: changes };
    if (workers.length === 0) {
      const text = `The work is not divided yet. Pass its parts to \`hookwright mode split\` as JSON: ${SPLIT_FORM}`;
      return { kind: "hold", run: next, text };
    }
    const { success, files, errors, unfinished } = integrate(workers);
    if (success && isIntegrated(next)) {
      const text = `${workers.length} workers are complete; ${files.length} files were changed without a conflict.`;
      return { kind: "end", outcome: "done", run: next, text };
    }
    if (unfinished.length === 0 && errors.length === 0) {
      const text = "All workers are complete. Run `hookwright mode integrate`, and resolve what it finds.";
      return { kind: "hold", run: next, text, ...news };
    }
    return { kind: "hold", run: next, text: openText(workers, errors), ...news };
  },
  progress: progressOf,
};

function progressOf(run: ModeRun): string {
  const workers = workersOf(run);
  const complete = workers.filter(({ status }) => status === "complete").length;
  return workers.length === 0 ? "" : `${complete} of ${workers.length} workers`;
}

function openText(workers: readonly Worker[], errors: readonly string[]): string {
  const open = workers.filter(({ status }) => status === "pending" || status === "running");
  const list = open.map(({ id, status, task }) => `${id} (${status}) ${task.slice(0, LONGEST_TASK)}`).join("; ");
  const failed = errors.length === 0 ? "" : ` ${errors.join(" ")} Start them again, or do their part yourself.`;
  return `${open.length} of ${workers.length} workers are not complete${list === "" ? "" : `: ${list}`}.${failed}`;
}

function changedWorkers(before: readonly Worker[], after: readonly Worker[]): string {
  const changed = after.filter(({ status }, index) => status !== before[index]?.status);
  return changed.map(({ id, error }) => `${id} has failed: ${error ?? ""}.`).join(" ");
}
