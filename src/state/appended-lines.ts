import fs from "node:fs";
import path from "node:path";
import { makeFolder } from "../system/make-folder.ts";
import type { Database } from "./database.ts";

/**
 * Lines at the end of files that other programs read. The line is part of the event's transaction and reaches the file
 * after the commit and before the answer; one that did not is written with the next event, exactly once. The key makes
 * a repeated report one line.
 */

/** A file that would grow larger is rotated. */
const LARGEST_FILE = 5 * 1024 * 1024;
const OLD_FILES = 3;
/** How much of the end of a file is searched for a line that may have been written before a crash. */
const TAIL = 1024 * 1024;

/** Open lines of this process. A line of another process may already be in the file. */
const own = new Set<string>();

/** False when a line with this key was already left for this file. */
export function addLine(db: Database, file: string, key: string, line: string, at: number): boolean {
  const sql = "INSERT OR IGNORE INTO lines (path, key, line, at) VALUES (?, ?, ?, ?)";
  const isNew = db.run(sql, file, key, line, at) > 0;
  if (isNew) own.add(`${file}\n${key}`);
  return isNew;
}

export function hasLine(db: Database, file: string, key: string): boolean {
  return db.get("SELECT 1 AS found FROM lines WHERE path = ? AND key = ?", file, key) !== undefined;
}

export function hasOpenLines(db: Database): boolean {
  return db.get("SELECT 1 AS found FROM lines WHERE is_written = 0 LIMIT 1") !== undefined;
}

interface OpenLine {
  readonly id: number;
  readonly file: string;
  readonly key: string;
  readonly line: string;
}

/** Returns what went wrong, by file; those lines stay open. Undefined when the database stayed locked. */
export function writeOpenLines(db: Database, uid: number): Map<string, unknown> | undefined {
  // The write lock is what keeps two processes from writing the same line.
  return db.transaction(() => {
    const problems = new Map<string, unknown>();
    const rows = db.all("SELECT id, path, key, line FROM lines WHERE is_written = 0 ORDER BY id");
    const open = rows.map(
      (row): OpenLine => ({
        id: Number(row.id),
        file: String(row.path),
        key: String(row.key),
        line: String(row.line),
      }),
    );
    for (const file of new Set(open.map((one) => one.file))) {
      const lines = open.filter((one) => one.file === file);
      try {
        append(file, lines, uid);
      } catch (error) {
        problems.set(file, error);
        continue;
      }
      for (const { id, key } of lines) {
        // The row stays for a while without its text, so that a repeated report is recognised.
        db.run("UPDATE lines SET is_written = 1, line = '' WHERE id = ?", id);
        own.delete(`${file}\n${key}`);
      }
    }
    return problems;
  })?.value;
}

function append(file: string, lines: readonly OpenLine[], uid: number): void {
  makeFolder(path.dirname(file), 0o700);
  const uncertain = lines.some(({ key }) => !own.has(`${file}\n${key}`));
  const written = uncertain ? linesAtTheEnd(file) : new Set<string>();
  const missing = lines.filter(({ line }) => !written.has(line));
  if (missing.length === 0) return;
  const text = missing.map(({ line }) => `${line}\n`).join("");
  rotate(file, Buffer.byteLength(text));
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_RDWR } = fs.constants;
  const fd = fs.openSync(file, O_APPEND | O_CREAT | O_NOFOLLOW | O_RDWR, 0o600);
  try {
    const stat = fs.fstatSync(fd);
    if (!stat.isFile()) throw new Error("it is not a regular file");
    if (stat.uid !== uid) throw new Error(`it belongs to user ${stat.uid}`);
    // A process that died while it wrote leaves a line without an end; ours must not become a part of it.
    const isOpenEnded = stat.size > 0 && lastByte(fd, stat.size) !== "\n";
    fs.writeSync(fd, isOpenEnded ? `\n${text}` : text);
  } finally {
    fs.closeSync(fd);
  }
}

function lastByte(fd: number, size: number): string {
  const byte = Buffer.alloc(1);
  fs.readSync(fd, byte, 0, 1, size - 1);
  return byte.toString("latin1");
}

function linesAtTheEnd(file: string): Set<string> {
  const found = new Set<string>();
  for (const one of [file, `${file}.1`]) {
    if (fs.lstatSync(one, { throwIfNoEntry: false })?.isFile() !== true) continue;
    const fd = fs.openSync(one, "r");
    try {
      const { size } = fs.fstatSync(fd);
      const buffer = Buffer.alloc(Math.min(size, TAIL));
      const read = fs.readSync(fd, buffer, 0, buffer.length, size - buffer.length);
      for (const line of buffer.toString("utf8", 0, read).split("\n")) found.add(line);
    } finally {
      fs.closeSync(fd);
    }
  }
  return found;
}

/** A file never grows beyond its limit, unless what is added to a new one is larger by itself. */
function rotate(file: string, added: number): void {
  const size = fs.lstatSync(file, { throwIfNoEntry: false })?.size ?? 0;
  // The end of an open line may have to be added as well.
  if (size === 0 || size + added + 1 <= LARGEST_FILE) return;
  for (let age = OLD_FILES; age > 1; age--) {
    if (fs.existsSync(`${file}.${age - 1}`)) fs.renameSync(`${file}.${age - 1}`, `${file}.${age}`);
  }
  fs.renameSync(file, `${file}.1`);
}
