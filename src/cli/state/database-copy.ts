import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { errorCode, readFailed } from "../../agents/settings-file.ts";

const TRIES = 50;
const WAL_HEADER_BYTES = 32;

/**
 * Copies a database with its write-ahead log (WAL) into `folder` and returns the copy; undefined when there is none. The
 * files are copied, because opening the original would already write to it.
 *
 * Other processes may write meanwhile. Pages that move from the WAL into the database during the copy are still in the
 * WAL, which is copied second. Only a restarted WAL would lose them; its header shows that, and the copy is repeated.
 */
export function copyDatabase(file: string, folder: string): string | undefined {
  const copy = path.join(folder, "state.db");
  try {
    for (let attempt = 1; ; attempt++) {
      const before = markOf(file);
      if (before === undefined) return undefined;
      // A clone, where the file system supports it.
      fs.copyFileSync(file, copy, fs.constants.COPYFILE_FICLONE);
      copyIfThere(`${file}-wal`, `${copy}-wal`);
      if (markOf(file) === before) return copy;
      if (attempt === TRIES) throw new Error("it is being written all the time");
    }
  } catch (error) {
    throw readFailed(file, error);
  }
}

/** Runs `work` with a temporary copy; with undefined when there is no database. */
export async function withDatabaseCopy<T>(file: string, work: (copy: string | undefined) => Promise<T>): Promise<T> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "hookwright-look-"));
  try {
    return await work(copyDatabase(file, folder));
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** A mark that changes when the WAL is restarted, or, without a WAL, when the database is written. */
function markOf(file: string): string | undefined {
  const stat = fs.statSync(file, { throwIfNoEntry: false, bigint: true });
  if (!stat) return undefined;
  const header = headerOf(`${file}-wal`);
  return header === "" ? `${stat.ino}:${stat.size}:${stat.mtimeNs}` : `${stat.ino}:${header}`;
}

/** The header of the WAL; empty when there is no WAL or it is empty. */
function headerOf(wal: string): string {
  let fd: number;
  try {
    fd = fs.openSync(wal, "r");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return "";
    throw error;
  }
  try {
    const header = Buffer.alloc(WAL_HEADER_BYTES);
    return header.toString("hex", 0, fs.readSync(fd, header, 0, header.length, 0));
  } finally {
    fs.closeSync(fd);
  }
}

function copyIfThere(from: string, to: string): void {
  fs.rmSync(to, { force: true });
  try {
    fs.copyFileSync(from, to);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
}
