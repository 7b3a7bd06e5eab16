import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { errorCode, readFailed } from "../../agents/settings-file.ts";

const TRIES = 50;
const WAL_HEADER_BYTES = 32;

/**
 * Copies a database, with what its log holds, into `folder` and returns the copy. The original is only read: opening
 * it would already write, to the index of its log and when it is closed again. Undefined when there is none.
 *
 * Somebody may be writing meanwhile. Whatever moves from the log into the database while that is copied is still in
 * the log, which is copied after it; unless the log was begun anew in between, and that shows in its header.
 */
export function copyDatabase(file: string, folder: string): string | undefined {
  const copy = path.join(folder, "state.db");
  try {
    for (let attempt = 1; ; attempt++) {
      const before = markOf(file);
      if (before === undefined) return undefined;
      // Where the file system can share the blocks, this copies nothing.
      fs.copyFileSync(file, copy, fs.constants.COPYFILE_FICLONE);
      copyIfThere(`${file}-wal`, `${copy}-wal`);
      if (markOf(file) === before) return copy;
      if (attempt === TRIES) throw new Error("it is being written all the time");
    }
  } catch (error) {
    throw readFailed(file, error);
  }
}

/** Does something with a copy that is gone afterwards; with undefined where there is no database. */
export async function onCopyOf<T>(file: string, work: (copy: string | undefined) => Promise<T>): Promise<T> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "hookwright-look-"));
  try {
    return await work(copyDatabase(file, folder));
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Differs when the log was begun anew, or when there is none and the database itself was written. */
function markOf(file: string): string | undefined {
  const stat = fs.statSync(file, { throwIfNoEntry: false, bigint: true });
  if (!stat) return undefined;
  const header = headerOf(`${file}-wal`);
  return header === "" ? `${stat.ino}:${stat.size}:${stat.mtimeNs}` : `${stat.ino}:${header}`;
}

/** Empty when there is no log or nothing in it. */
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
