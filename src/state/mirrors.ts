import fs from "node:fs";
import path from "node:path";
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
}

export function mirrorOf(db: Database, file: string): Mirror | undefined {
  const row = db.get("SELECT content, is_written FROM mirrors WHERE path = ?", file);
  if (!row) return undefined;
  return { content: row.content === null ? undefined : String(row.content), isWritten: row.is_written === 1 };
}

/** What the file says, given what lies on the disk. */
export function mirroredText(mirror: Mirror | undefined, onDisk: string | undefined): string | undefined {
  return mirror && !mirror.isWritten ? mirror.content : onDisk;
}

export function setMirror(db: Database, file: string, content: string | undefined): void {
  db.run("INSERT OR REPLACE INTO mirrors (path, content, is_written) VALUES (?, ?, 0)", file, content ?? null);
}

/** Brings every file up to date whose write is still open. Returns what went wrong, by file. */
export function writeOpenMirrors(db: Database, uid: number): Map<string, unknown> {
  const problems = new Map<string, unknown>();
  for (const row of db.all("SELECT path, content FROM mirrors WHERE is_written = 0")) {
    const file = String(row.path);
    try {
      if (row.content === null) remove(file, uid);
      else write(file, String(row.content));
    } catch (error) {
      problems.set(file, error);
      continue;
    }
    // Only if nobody has set it anew since it was read: then that newer content is still to be written.
    const sql = "UPDATE mirrors SET is_written = 1 WHERE path = ? AND content IS ?";
    db.transaction(() => db.run(sql, file, row.content ?? null));
  }
  return problems;
}

function write(file: string, content: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}.tmp`;
  fs.writeFileSync(draft, content, { mode: 0o600, flag: "wx" });
  fs.renameSync(draft, file);
}

/** Exactly this file, and only if it is a plain file of ours: never a link, never a folder. */
function remove(file: string, uid: number): void {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false });
  if (stat?.isFile() && stat.uid === uid) fs.unlinkSync(file);
}
