import fs from "node:fs";
import path from "node:path";
import type { Json } from "../core/event.ts";
import { fileStamp } from "../system/file-stamp.ts";
import { makeFolder } from "../system/make-folder.ts";
import type { Database } from "./database.ts";

/**
 * Files that other programs know from the systems we replace. The database is the truth; the file is written after the
 * commit, and once more at a later event if that did not succeed. A change from outside wins, as these files are also
 * how people and scripts speak to us.
 */
export interface Mirror {
  /** Undefined: the file should not exist. */
  readonly content: string | undefined;
  readonly isWritten: boolean;
  /** The stamp of the file when it was last written or imported; empty when it was neither. */
  readonly stamp: string;
}

export function mirrorOf(db: Database, file: string, isFresh = false): Mirror | undefined {
  const sql = "SELECT content, is_written, stamp FROM mirrors WHERE path = ?";
  const row = isFresh ? db.get(sql, file) : db.recall("mirrors", sql, file);
  if (!row) return undefined;
  const stamp = String(row.stamp);
  return {
    content: row.content === null ? undefined : String(row.content),
    // A held export counts as the content until another program changes the file.
    isWritten: row.is_written === 1 || (row.is_written === HELD && (fileStamp(file) ?? "") !== stamp),
    stamp,
  };
}

/** In the column `is_written`: the export is held and never written to the disk. */
const HELD = 2;

/** The content of an exported file, given its text on the disk. */
export function mirroredText(mirror: Mirror | undefined, onDisk: string | undefined): string | undefined {
  return mirror && !mirror.isWritten ? mirror.content : onDisk;
}

export function mirrorText(value: Json): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

export function setMirror(db: Database, file: string, content: string | undefined): void {
  db.run("INSERT OR REPLACE INTO mirrors (path, content, is_written) VALUES (?, ?, 0)", file, content ?? null);
}

/** For policies in observe mode: stores the content without writing the file. */
export function holdMirror(db: Database, file: string, content: string | undefined): void {
  const sql = `INSERT OR REPLACE INTO mirrors (path, content, is_written, stamp) VALUES (?, ?, ${HELD}, ?)`;
  db.run(sql, file, content ?? null, fileStamp(file) ?? "");
}

/** Takes over the content that the file has on the disk. */
export function adoptMirror(db: Database, file: string, content: string | undefined, stamp: string): void {
  const sql = "INSERT OR REPLACE INTO mirrors (path, content, is_written, stamp) VALUES (?, ?, 1, ?)";
  db.run(sql, file, content ?? null, stamp);
}

/** Appends to a person's file once, even if the process dies meanwhile: `marker` is the part of `text` to find it by. */
export function addAppend(db: Database, file: string, text: string, marker: string): void {
  db.run("INSERT INTO appends (path, text, marker) VALUES (?, ?, ?)", file, text, marker);
}

const OPEN = `SELECT EXISTS (SELECT 1 FROM mirrors WHERE is_written = 0) OR EXISTS (SELECT 1 FROM appends)
  OR EXISTS (SELECT 1 FROM lines WHERE is_written = 0) AS is_open`;

/** Is a file for other programs, or a line of one, not written yet? */
export function hasOpenExports(db: Database): boolean {
  return db.recall("exports", OPEN)?.is_open === 1;
}

/**
 * Writes every file whose export is still open. Returns what went wrong, by file. The write lock is held
 * meanwhile: two processes that export the same file would otherwise leave whichever content was written last.
 */
export function writeOpenMirrors(db: Database, uid: number): Map<string, unknown> {
  const problems = new Map<string, unknown>();
  db.transaction(() => {
    for (const row of db.all("SELECT path, content FROM mirrors WHERE is_written = 0")) {
      const file = String(row.path);
      attempt(problems, file, () => {
        if (row.content === null) remove(file, uid);
        else write(file, String(row.content));
        db.run("UPDATE mirrors SET is_written = 1, stamp = ? WHERE path = ?", fileStamp(file) ?? "", file);
      });
    }
    for (const row of db.all("SELECT id, path, text, marker FROM appends ORDER BY id")) {
      const file = String(row.path);
      attempt(problems, file, () => {
        const problem = appendOnce(file, String(row.text), String(row.marker));
        db.run("DELETE FROM appends WHERE id = ?", Number(row.id));
        if (problem !== "") problems.set(file, new Error(problem));
      });
    }
  });
  return problems;
}

function attempt(problems: Map<string, unknown>, file: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    problems.set(file, error);
  }
}

function write(file: string, content: string): void {
  makeFolder(path.dirname(file), 0o700);
  const draft = `${file}.${process.pid}.tmp`;
  // Left behind by a process of the same number that was killed half way.
  fs.rmSync(draft, { force: true });
  fs.writeFileSync(draft, content, { mode: 0o600, flag: "wx" });
  fs.renameSync(draft, file);
}

/** Returns a sentence when the file must not be written at all: a link could lead anywhere. */
function appendOnce(file: string, text: string, marker: string): string {
  makeFolder(path.dirname(file));
  const stat = fs.lstatSync(file, { throwIfNoEntry: false });
  if (stat && !stat.isFile()) return "it is not a plain file";
  if (!stat || !fs.readFileSync(file, "utf8").includes(marker)) fs.appendFileSync(file, text);
  return "";
}

/** Exactly this file, and only if it is a plain file of ours: never a link, never a folder. */
function remove(file: string, uid: number): void {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false });
  if (stat?.isFile() && stat.uid === uid) fs.unlinkSync(file);
}
