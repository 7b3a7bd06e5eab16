import { describe } from "../../core/errors.ts";
import { hasOpenLines, writeOpenLines } from "../../state/appended-lines.ts";
import type { Database } from "../../state/database.ts";
import { writeOpenMirrors } from "../../state/exported-files.ts";

/** Files that others read, brought up to date before they can hear of the answer. Returns what went wrong, in words. */
export async function bringUpToDate(db: Database, lock: () => Promise<() => void>, uid: number): Promise<string> {
  const unlock = await lock();
  try {
    const problems = [
      ...writeOpenMirrors(db, uid),
      // Where the lock was not to be had, whoever holds it writes these too, or the next event does.
      ...(hasOpenLines(db) ? (writeOpenLines(db, uid) ?? []) : []),
    ];
    return problems.map(([file, error]) => `${file} could not be written: ${describe(error)}.`).join(" ");
  } finally {
    unlock();
  }
}
