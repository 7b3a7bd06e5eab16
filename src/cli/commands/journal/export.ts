import fs from "node:fs";
import { errorCode, writeFailed } from "../../../agents/settings-file.ts";
import { HookwrightError } from "../../../core/errors.ts";
import type { Database } from "../../../state/database.ts";
import { entriesBetween, highestId, type JournalFilter } from "../../../state/journal-query.ts";
import { journalObject } from "./entry.ts";

/** Each entry as one line of JSON. */
export function* jsonLines(db: Database, filter: JournalFilter): Generator<string> {
  for (const row of entriesBetween(db, filter, 0, highestId(db))) yield JSON.stringify(journalObject(db, row));
}

/** Writes a new file that only its owner can read. An existing file is kept, and an incomplete one is removed. */
export function exportToFile(db: Database, filter: JournalFilter, file: string): number {
  let fd: number;
  try {
    fd = fs.openSync(file, "wx", 0o600);
  } catch (error) {
    throw errorCode(error) === "EEXIST" ? new HookwrightError("HW_FILE_EXISTS", { file }) : writeFailed(file, error);
  }
  let count = 0;
  try {
    for (const line of jsonLines(db, filter)) {
      fs.writeFileSync(fd, `${line}\n`);
      count++;
    }
    fs.fsyncSync(fd);
    return count;
  } catch (error) {
    fs.rmSync(file, { force: true });
    throw errorCode(error) === undefined ? error : writeFailed(file, error);
  } finally {
    fs.closeSync(fd);
  }
}
