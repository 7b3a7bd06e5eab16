import { printable } from "../../../config/printable.ts";
import { HookwrightError } from "../../../core/errors.ts";
import type { Json } from "../../../core/event.ts";
import { saveRun } from "../../../domain/mode/files/exports.ts";
import type { ModeRun } from "../../../domain/mode/mode-run.ts";
import {
  sharedFilesOf,
  withIntegrated,
  withSplit,
  withWorkers,
  workersOf,
} from "../../../domain/mode/ultrapilot/details.ts";
import { type Problem, type Split, splitFromJson } from "../../../domain/mode/ultrapilot/split.ts";
import { splitFromText } from "../../../domain/mode/ultrapilot/split-text.ts";
import {
  failSilent,
  type Integration,
  integrate,
  markWorker,
  type Worker,
} from "../../../domain/mode/ultrapilot/workers.ts";
import { type Input, readInput } from "../../terminal/standard-input.ts";
import { table } from "../../terminal/style.ts";
import { shortened } from "../../terminal/width.ts";
import { modeUsageError } from "./arguments.ts";
import type { ModeAccess, ModeWork } from "./mode-access.ts";
import { sessionWithRuns } from "./which-session.ts";

const INPUT_MS = 5_000;
const MOST_INPUT = 1024 * 1024;
const LONGEST_TASK = 120;
const REPORTS = ["running", "complete", "failed"] as const;
const FORM =
  'Pass `{"subtasks": [{"id": "1", "description": "…", "files": ["src/api"], "blockedBy": []}]}` on standard input';

/** Divides the work of ultrapilot into parts: those on standard input, else the items of the request. */
export async function splitWork(access: ModeAccess, input: Input): Promise<number> {
  const given = (await readInput(input, MOST_INPUT, INPUT_MS)).toString("utf8");
  const run = access.write((work) => {
    const before = ultrapilotRun(access, work);
    const running = workersOf(before).filter(({ status }) => status === "running");
    if (running.length > 0)
      throw refused(`${running.map(({ id }) => id).join(", ")} works already`, "Wait for it first");
    const split = given.trim() === "" ? splitOfRequest(before.request) : splitFromJson(parsed(given));
    if ("problem" in split) throw refused(split.problem, FORM);
    return save(access, work, withSplit(before, split));
  });
  const { out, options, columns } = access.context;
  const workers = workersOf(run);
  if (options.json) out(JSON.stringify({ workers: workers.map(workerJson), sharedFiles: sharedFilesOf(run) }));
  else out(`${workersTable(workers, columns)}\nOther shared files: ${sharedFilesOf(run).join(", ") || "none"}`);
  return 0;
}

/** `worker N running | complete | failed [WHY]` */
export function reportWorker(access: ModeAccess, words: readonly string[]): number {
  const [number = "", state = "", ...why] = words;
  const status = REPORTS.find((one) => one === state);
  if (!/^\d{1,2}$/.test(number) || !status || (status !== "failed" && why.length > 0)) {
    throw modeUsageError("`worker` takes a number and `running`, `complete` or `failed`, such as `worker 1 running`.");
  }
  const run = access.write((work) => {
    const before = ultrapilotRun(access, work);
    assertDivided(before);
    const workers = markWorker(workersOf(before), Number(number), status, access.now, why.join(" "));
    if ("problem" in workers) throw refused(workers.problem, "`hookwright mode split` divides the work");
    return save(access, work, withWorkers(before, workers));
  });
  const worker = workersOf(run)[Number(number) - 1];
  const { out, options } = access.context;
  if (worker) out(options.json ? JSON.stringify({ worker: workerJson(worker) }) : workerText(worker));
  return 0;
}

/** Looks whether all workers are complete, and whether two of them have changed one file. Exit code 1 if not. */
export function integrateWork(access: ModeAccess): number {
  const found = access.write((work) => {
    const before = ultrapilotRun(access, work);
    assertDivided(before);
    const workers = failSilent(workersOf(before), access.now);
    const integration = integrate(workers);
    save(access, work, withIntegrated(withWorkers(before, workers), integration.success));
    return integration;
  });
  const { out, options } = access.context;
  out(options.json ? JSON.stringify(found) : integrationText(found));
  return found.success ? 0 : 1;
}

function ultrapilotRun(access: ModeAccess, work: ModeWork): ModeRun {
  const session = sessionWithRuns(access, work, "ultrapilot");
  const run = session === undefined ? undefined : work.store.get(session, "ultrapilot");
  if (!run) throw new HookwrightError("HW_MODE_NONE", { detail: "ultrapilot is not on." });
  return run;
}

function save({ now }: ModeAccess, { store, files }: ModeWork, run: ModeRun): ModeRun {
  const seen = { ...run, seenAt: now };
  saveRun(store, files, seen);
  return seen;
}

function splitOfRequest(request: string): Pick<Split, "subtasks" | "sharedFiles"> | Problem {
  const subtasks = splitFromText(request);
  return subtasks.length > 0 ? { subtasks, sharedFiles: [] } : { problem: "The run has no request to divide." };
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    if (error instanceof SyntaxError) throw refused(`Standard input is not JSON (${error.message}).`, FORM);
    throw error;
  }
}

function assertDivided(run: ModeRun): void {
  if (workersOf(run).length === 0) throw refused("The work is not divided yet.", "`hookwright mode split` divides it");
}

function refused(detail: string, hint: string): HookwrightError {
  return new HookwrightError("HW_MODE_WORKERS", { detail: /[.!?]$/.test(detail) ? detail : `${detail}.`, hint });
}

function workersTable(workers: readonly Worker[], columns: number | undefined): string {
  const cells = workers.map(({ id, blockedBy, ownedFiles }) => [
    id,
    blockedBy.join(", ") || "-",
    printable(ownedFiles.join(", ") || "-", 60),
  ]);
  const most = Math.min(columns ?? LONGEST_TASK, LONGEST_TASK);
  const tasks = workers.map(({ task }) => shortened(printable(task.replace(/\s+/g, " "), LONGEST_TASK), most));
  return table([["worker", "after", "files", "task"], ...cells.map((row, at) => [...row, tasks[at] ?? ""])]);
}

function workerText({ id, status, error, task }: Worker): string {
  const why = error === undefined ? "" : ` (${printable(error, 500)})`;
  return `${id} ${status === "failed" ? "has failed" : `is ${status}`}${why}: ${printable(task.replace(/\s+/g, " "), LONGEST_TASK)}`;
}

function workerJson({ id, task, ownedFiles, blockedBy, status, error, filesModified }: Worker): object {
  return { id, task, files: ownedFiles, blockedBy, status, ...(error === undefined ? {} : { error }), filesModified };
}

function integrationText({ success, files, errors, conflicts, unfinished }: Integration): string {
  const changed = `${files.length} ${files.length === 1 ? "file was" : "files were"} changed`;
  if (success) return `All workers are complete; ${changed}, and none by two workers.`;
  return [
    ...conflicts.map(({ file, workers }) => `${file} was changed by ${workers.join(" and ")}.`),
    ...errors,
    ...(unfinished.length > 0 ? [`Not complete: ${unfinished.join(", ")}.`] : []),
    ...(conflicts.length > 0
      ? ["Look at these files. One of the workers then reports `running` and `complete` again, and you integrate anew."]
      : []),
  ].join("\n");
}
