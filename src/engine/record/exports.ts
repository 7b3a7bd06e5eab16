import { describe } from "../../core/errors.ts";
import { hasOpenLines, writeOpenLines } from "../../state/appended-lines.ts";
import type { Database } from "../../state/database.ts";
import { writeOpenMirrors } from "../../state/exported-files.ts";
import type { Lock } from "../receive/queue.ts";

/** Writes the files that other programs read, before the agent has its answer. Returns what went wrong, in words. */
export async function writeExports(db: Database, lock: Lock, uid: number): Promise<string> {
  const unlock = await lock();
  try {
    const problems = [
      ...writeOpenMirrors(db, uid),
      // While another process holds the write lock, it writes these lines too, or the next event does.
      ...(hasOpenLines(db) ? (writeOpenLines(db, uid) ?? []) : []),
    ];
    return problems.map(([file, error]) => `${file} could not be written: ${describe(error)}.`).join(" ");
  } finally {
    unlock();
  }
}
