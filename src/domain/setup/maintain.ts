import fs from "node:fs";
import path from "node:path";
import { describe } from "../../core/errors.ts";
import type { Json } from "../../core/event.ts";
import type { Database } from "../../state/database.ts";
import { bumpRevision } from "../../state/sessions.ts";
import { openTable } from "../../state/stores.ts";
import { system } from "../../system/system.ts";
import { BoardFile, isBoard } from "../board/board-file.ts";
import { boardPlace } from "../board/place.ts";
import { projectFile, sessionFile } from "../mode/files/exports.ts";
import { ModeRuns } from "../mode/mode-runs.ts";
import { MODE_STORE } from "../mode/modes.ts";
import { unusableOmc } from "./folders.ts";
import { emptySessionFolders, oldFiles } from "./old-files.ts";
import { setupReports } from "./store.ts";

const BUSY_MS = 5_000;

export interface Maintenance {
  readonly project: string;
  /** Old files that were removed, or with `dryRun` that would be. */
  readonly removed: readonly string[];
  /** Is there a task board, and was it compacted? */
  readonly board: "none" | "compacted" | "would be compacted" | "not compacted";
  /** In whole sentences. */
  readonly problems: readonly string[];
}

/** Removes old state of one project's `.omc`, never that of a mode that goes on, and compacts its task board. */
export function maintainProject(
  project: string,
  db: Database | undefined,
  { now, dryRun }: { readonly now: number; readonly dryRun: boolean },
): Maintenance {
  const blocked = unusableOmc(project, system.info);
  if (blocked !== "") return { project, removed: [], board: "none", problems: [blocked] };
  const live = db ? liveFiles(project, db) : new Set<string>();
  const old = oldFiles(project, now, (file) => live.has(file));
  const problems: string[] = [];
  const removed = dryRun ? old : old.filter((file) => tryTo(() => fs.unlinkSync(file), file, "removed", problems));
  if (!dryRun) {
    for (const folder of emptySessionFolders(project, now))
      tryTo(() => fs.rmdirSync(folder), folder, "removed", problems);
  }
  const board = compact(project, dryRun, problems);
  return { project, removed, board, problems };
}

/** State files of all runs that have not ended: a paused or detached one can still be resumed. */
function liveFiles(project: string, db: Database): Set<string> {
  const runs = new ModeRuns(openTable(db, `project:${project}`, MODE_STORE)).all();
  return new Set(
    runs.flatMap(({ session, mode }) => [projectFile(project, mode), sessionFile(project, session, mode) ?? ""]),
  );
}

function tryTo(work: () => void, file: string, what: string, problems: string[]): boolean {
  try {
    work();
    return true;
  } catch (error) {
    problems.push(`${file} was not ${what}: ${describe(error)}.`);
    return false;
  }
}

function compact(project: string, dryRun: boolean, problems: string[]): Maintenance["board"] {
  let db: BoardFile | undefined;
  try {
    const { file } = boardPlace(project);
    if (!fs.existsSync(file)) return "none";
    const board = new BoardFile(file, BUSY_MS);
    db = board;
    if (!isBoard(board)) return "none";
    if (dryRun) return "would be compacted";
    board.retried(() => board.exec("VACUUM"));
    return "compacted";
  } catch (error) {
    problems.push(`The task board was not compacted: ${describe(error)}`);
    return "not compacted";
  } finally {
    db?.close();
  }
}

/** A sentence about what was done, for a person or a model. */
export function maintenanceText({ removed, board }: Maintenance): string {
  const files = removed.length === 0 ? "nothing was old enough to remove" : `removed ${filesText(removed.length)}`;
  return `Maintenance of .omc: ${files}${board === "compacted" ? "; the task board was compacted" : ""}.`;
}

export const filesText = (count: number): string => (count === 1 ? "1 old file" : `${count} old files`);

/** The next session of the project tells what was done. A job that runs twice leaves one report of what it did last. */
export function runMaintainJob(args: Json, db: Database, now: number): void {
  const { project } = args as unknown as { readonly project: string };
  const done = maintainProject(project, db, { now, dryRun: false });
  const scope = `project:${project}`;
  db.transaction(() => {
    let isChanged = false;
    const onWrite = (): void => {
      isChanged = true;
    };
    const reports = setupReports.open(openTable(db, scope, setupReports.name, onWrite));
    reports.add({ done: maintenanceText(done), problems: done.problems });
    if (isChanged) bumpRevision(db, scope);
  });
}

/** The file names of the result, as a person reads them. */
export function shownFiles({ project, removed }: Maintenance): string[] {
  return removed.map((file) => path.relative(project, file));
}
