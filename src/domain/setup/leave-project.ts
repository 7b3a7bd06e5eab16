import fs from "node:fs";
import path from "node:path";
import { describe } from "../../core/errors.ts";
import type { Database } from "../../state/database.ts";
import { mirrorText, setMirror, writeOpenMirrors } from "../../state/exported-files.ts";
import { bumpRevision } from "../../state/sessions.ts";
import { openTable } from "../../state/stores.ts";
import { fileStamp } from "../../system/file-stamp.ts";
import { system } from "../../system/system.ts";
import { boardCounts } from "../board/counts.ts";
import { boardPlace } from "../board/place.ts";
import { endRun, type ModeFiles } from "../mode/files/exports.ts";
import { isHolding, type ModeRun } from "../mode/mode-run.ts";
import { ModeRuns } from "../mode/mode-runs.ts";
import { MODE_STORE } from "../mode/modes.ts";
import { OMC } from "../omc-folder/omc-folder.ts";
import { unusableOmc } from "./folders.ts";
import { removeOwnFolders, removing } from "./own-folders.ts";

export interface Left {
  /** How many files of ours were removed. */
  readonly removed: number;
  /** What stays although we made it, in whole sentences with the reason. */
  readonly kept: readonly string[];
}

/** The projects that have files of ours in their `.omc`, as far as the database knows and the folder exists. */
export function projectsWithFiles(db: Database): string[] {
  const sql = "SELECT path FROM mirrors WHERE content IS NOT NULL UNION SELECT path FROM lines";
  const between = `/${OMC}/`;
  const roots = db.all(sql).flatMap(({ path: file }) => {
    const text = String(file);
    return text.includes(between) ? [text.slice(0, text.indexOf(between))] : [];
  });
  return [...new Set(roots)].filter((root) => system.info(path.join(root, OMC)) !== undefined).sort();
}

/** The mode of this project that holds stops now, with its session; undefined when none does. */
export function holdingRun(project: string, db: Database, now: number): ModeRun | undefined {
  const runs = new ModeRuns(openTable(db, `project:${project}`, MODE_STORE)).all();
  return runs.find((run) => isHolding(run, now));
}

/**
 * Removes the files that the hooks made in a project's `.omc`, and ends its modes. What people and agents wrote stays:
 * notes, plans, skills, stories, a board with open tasks, and a file of ours that somebody has changed since.
 */
export function leaveProject(project: string, db: Database, { now, uid }: { now: number; uid: number }): Left {
  const blocked = unusableOmc(project, system.info);
  if (blocked !== "") return { removed: 0, kept: [blocked] };
  const before = countFiles(project);
  const kept: string[] = [];
  db.transaction(() => {
    endModes(project, db, now);
    for (const { file, stamp, isWritten } of exportsIn(project, db)) {
      if (!isWritten || fileStamp(file) === stamp) setMirror(db, file, undefined);
      else if (system.info(file)) kept.push(`${file} stays: it was changed by somebody else.`);
    }
    for (const file of lineFilesIn(project, db)) {
      for (const one of [file, `${file}.1`, `${file}.2`, `${file}.3`]) removePlain(one, uid);
      db.run("DELETE FROM lines WHERE path = ?", file);
    }
  });
  for (const [file, error] of writeOpenMirrors(db, uid)) kept.push(`${file} stays: ${describe(error)}.`);
  kept.push(...leaveBoard(project, now, uid));
  removeOwnFolders(project);
  return { removed: before - countFiles(project), kept };
}

function endModes(project: string, db: Database, now: number): void {
  const scope = `project:${project}`;
  let isChanged = false;
  const onWrite = (): void => {
    isChanged = true;
  };
  const store = new ModeRuns(openTable(db, scope, MODE_STORE, onWrite));
  const files: ModeFiles = {
    project,
    info: system.info,
    mirror: (parts, value) => setMirror(db, path.join(...parts), value === undefined ? undefined : mirrorText(value)),
    mirrorText: (parts, text) => setMirror(db, path.join(...parts), text),
    append: () => undefined,
  };
  for (const run of store.all()) endRun(store, files, run, "removed", now);
  if (isChanged) bumpRevision(db, scope);
}

const IN_FOLDER = "substr(path, 1, length(?1)) = ?1";

interface Exported {
  readonly file: string;
  readonly stamp: string;
  /** False for one that waits to be written. */
  readonly isWritten: boolean;
}

function exportsIn(project: string, db: Database): Exported[] {
  const sql = `SELECT path, stamp, is_written FROM mirrors WHERE ${IN_FOLDER} AND content IS NOT NULL AND is_written < 2`;
  return db.all(sql, path.join(project, OMC, "/")).map((row) => ({
    file: String(row.path),
    stamp: String(row.stamp),
    isWritten: row.is_written === 1,
  }));
}

function lineFilesIn(project: string, db: Database): string[] {
  const rows = db.all(`SELECT DISTINCT path FROM lines WHERE ${IN_FOLDER}`, path.join(project, OMC, "/"));
  return rows.map((row) => String(row.path));
}

function removePlain(file: string, uid: number): void {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false });
  if (stat?.isFile() && stat.uid === uid) removing(file, fs.unlinkSync);
}

/** The board goes when nothing is open on it. Archives stay: a person asked for them. */
function leaveBoard(project: string, now: number, uid: number): string[] {
  const counts = boardCounts(project, now);
  if (counts === undefined) return [];
  const { file } = boardPlace(project);
  if ("unreadable" in counts) return [`${file} stays: ${counts.unreadable}`];
  const open = counts.pending + counts.claimed;
  if (open > 0) return [`${file} stays: ${open} ${open === 1 ? "task is" : "tasks are"} open on it.`];
  const folder = path.dirname(file);
  const beside = ["-wal", "-shm"].map((suffix) => file + suffix);
  const shown = ["swarm-summary.json", "swarm-active.marker"].map((name) => path.join(folder, name));
  for (const one of [file, ...beside, ...shown]) removePlain(one, uid);
  return [];
}

function countFiles(project: string): number {
  const folder = path.join(project, OMC);
  if (!system.info(folder)) return 0;
  const entries = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).length;
}
