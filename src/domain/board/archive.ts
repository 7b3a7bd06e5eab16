import fs from "node:fs";
import path from "node:path";
import { HookwrightError } from "../../core/errors.ts";
import { openConnection } from "../../state/driver.ts";
import type { BoardFile } from "./board-file.ts";
import { takeBackExpired } from "./leases.ts";
import { beginRound } from "./round.ts";
import { TASK_QUERY, taskFromRow } from "./rows.ts";
import { LAST_EPOCH } from "./schema.ts";

const MOST_NAMED = 10;
const BUSY_MS = 1_000;

/**
 * Copies the board into a file beside it and empties the board. The database file itself stays, because other processes
 * have it open: a renamed one would take their next writes with it. Returns the copy; undefined if there is no task.
 */
export function archiveTasks(db: BoardFile, now: () => number): string | undefined {
  db.transaction(() => takeBackExpired(db, now()));
  return db.transaction(() => {
    if (!db.get("SELECT 1 FROM tasks LIMIT 1")) return undefined;
    assertNothingClaimed(db);
    const archive = makeArchiveFile(db.file, now());
    try {
      copyTo(archive, db.file);
      clear(db, now());
    } catch (error) {
      fs.rmSync(archive);
      throw error;
    }
    return archive;
  });
}

function assertNothingClaimed(db: BoardFile): void {
  const claimed = db.all(`${TASK_QUERY} WHERE status = 'claimed' ORDER BY number`).map(taskFromRow);
  if (claimed.length === 0) return;
  const names = claimed.slice(0, MOST_NAMED).map(({ id, agent }) => `${id} by ${agent}`);
  const more = claimed.length > names.length ? ` and ${claimed.length - names.length} more` : "";
  const what = claimed.length === 1 ? "A task is" : `${claimed.length} tasks are`;
  const detail = `${what} still claimed: ${names.join(", ")}${more}. \`hookwright swarm end\` releases them.`;
  throw new HookwrightError("HW_SWARM_TASK", { detail });
}

/** Creates the file, so that it is readable only for the owner and belongs to this call. */
function makeArchiveFile(file: string, now: number): string {
  const { dir, name } = path.parse(file);
  const time = new Date(now).toISOString().replace(/[:.]/g, "-");
  for (let count = 1; ; count++) {
    const archive = path.join(dir, `${name}-${time}${count === 1 ? "" : `-${count}`}.db`);
    try {
      fs.closeSync(fs.openSync(archive, "wx", 0o600));
      return archive;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
  }
}

/** Through a second connection, because VACUUM cannot be in a transaction. The caller has the write lock. */
function copyTo(archive: string, file: string): void {
  const reader = openConnection(file);
  try {
    reader.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
    reader.prepare("VACUUM INTO ?").run(archive);
  } finally {
    reader.close();
  }
}

function clear(db: BoardFile, now: number): void {
  db.run("INSERT OR REPLACE INTO schema_info (key, value) SELECT ?, CAST(MAX(epoch) AS TEXT) FROM tasks", LAST_EPOCH);
  for (const table of ["tasks", "dependencies", "heartbeats"]) db.run(`DELETE FROM ${table}`);
  // The last row stays, without its task, so that the numbers go on and a running `watch` sees later changes.
  db.run("DELETE FROM history WHERE sequence < (SELECT MAX(sequence) FROM history)");
  db.run("UPDATE history SET kind = 'archived', task = '', agent = NULL, epoch = 0");
  beginRound(db, now);
}
