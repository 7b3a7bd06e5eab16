import path from "node:path";
import type { Json, JsonObject } from "../../core/event.ts";
import { isObject } from "../../core/event.ts";
import { defineStore, type Table } from "../../core/store.ts";
import { maskJson } from "../../state/masking.ts";
import { exportedRun } from "../mode/files/exports.ts";
import { beginWriting, mayWriteIn, OMC, type OmcFiles } from "../omc-folder/omc-folder.ts";
import { openTasks } from "../tasks/task-list.ts";
import type { KeptState } from "./kept-state.ts";

const FOLDER = "state/checkpoints";
const NAME = /^checkpoint-(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d)-(\d{3}Z)(?:-\d+)?\.json$/;
const KEPT_MS = 24 * 60 * 60_000;

export function checkpointFolder(project: string): string {
  return path.join(project, OMC, FOLDER);
}

/** The colons and the dot of the time would not do in the name of a file everywhere. */
export function checkpointName(now: number, serial = 1): string {
  const time = new Date(now).toISOString().replace(/[:.]/g, "-");
  return `checkpoint-${time}${serial === 1 ? "" : `-${serial}`}.json`;
}

/** Is this the name of a checkpoint that was written more than a day ago? */
export function isOldCheckpoint(name: string, now: number): boolean {
  const [, date, hours, minutes, seconds, rest] = NAME.exec(name) ?? [];
  const at = date === undefined ? Number.NaN : Date.parse(`${date}${hours}:${minutes}:${seconds}.${rest}`);
  return now - at > KEPT_MS;
}

/** The state of a session as oh-my-claudecode's checkpoints have it, and what it did not keep. */
export function checkpointOf(
  { runs, tasks, plan, wisdom }: KeptState,
  session: string,
  trigger: string,
  project: string,
  now: number,
): JsonObject {
  const { tasks: listed, todos } = tasks;
  const statuses = [...listed, ...todos].map(({ status }) => status);
  const count = (status: string): number => statuses.filter((one) => one === status).length;
  const checkpoint: JsonObject = {
    created_at: new Date(now).toISOString(),
    trigger,
    session_id: session,
    project_path: project,
    active_modes: Object.fromEntries(runs.map((run) => [run.mode, exportedRun(run, project)])),
    todo_summary: { pending: count("pending"), in_progress: count("in_progress"), completed: count("completed") },
    open_tasks: [...openTasks(tasks).names],
    plan: plan ? { ...plan } : null,
    wisdom: wisdom.files.map(({ file, text }) => ({ file, text })),
    wisdom_exported: wisdom.files.length > 0,
    told_at: null,
  };
  return maskJson(checkpoint) as JsonObject;
}

/** Writes the checkpoint; undefined where nothing may be written. Returns the path of its file. */
export function writeCheckpoint(
  checkpoint: JsonObject,
  now: number,
  files: OmcFiles,
  isTaken: (file: string) => boolean,
): string | undefined {
  if (!beginWriting(FOLDER, files)) return undefined;
  const folder = checkpointFolder(files.project);
  let serial = 1;
  while (isTaken(path.join(folder, checkpointName(now, serial)))) serial++;
  const file = path.join(folder, checkpointName(now, serial));
  files.mirror([file], checkpoint);
  return file;
}

export function removeOldCheckpoints(names: readonly string[], now: number, files: OmcFiles): void {
  const old = names.filter((name) => isOldCheckpoint(name, now));
  if (old.length === 0 || !mayWriteIn(FOLDER, files)) return;
  for (const name of old) files.mirror([checkpointFolder(files.project), name], undefined);
}

/** Says in the last checkpoint of the session when its agent was told what it keeps. */
export function markCheckpointTold(store: Checkpoints, now: number, files: OmcFiles): void {
  const last = store.last();
  if (!last || last.checkpoint.told_at !== null || !mayWriteIn(FOLDER, files)) return;
  const checkpoint = { ...last.checkpoint, told_at: new Date(now).toISOString() };
  store.keep(last.file, checkpoint);
  files.mirror([last.file], checkpoint);
}

/** The last checkpoint of one session, and what its agent and its person are still to be told. */
export class Checkpoints {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  last(): { readonly file: string; readonly checkpoint: JsonObject } | undefined {
    const row = this.#get("last");
    return isObject(row) && typeof row.file === "string" && isObject(row.checkpoint)
      ? { file: row.file, checkpoint: row.checkpoint }
      : undefined;
  }

  keep(file: string, checkpoint: JsonObject): void {
    this.#table.set("last", { file, checkpoint });
  }

  /** Has a compaction happened, and the note about it found no room? */
  isUntold(): boolean {
    return this.#get("untold") === true;
  }

  setUntold(isUntold: boolean): void {
    if (isUntold) this.#table.set("untold", true);
    else if (this.isUntold()) this.#table.delete("untold");
  }

  /** Those of these files of which the person was not told in this session. */
  unreported(files: readonly string[]): readonly string[] {
    const known = this.#get("reported");
    return Array.isArray(known) ? files.filter((file) => !known.includes(file)) : files;
  }

  addReported(files: readonly string[]): void {
    const known = this.#get("reported");
    this.#table.set("reported", [...(Array.isArray(known) ? known : []), ...files]);
  }

  #get(key: string): Json | undefined {
    return this.#table.isEmpty() ? undefined : this.#table.get(key);
  }
}

export const checkpoints = defineStore({
  name: "checkpoints",
  scope: "session",
  open: (table) => new Checkpoints(table),
});
