/**
 * A round is the time from `init` until all tasks are completed or failed, or until the swarm is ended. Its data is the
 * only row of `swarm_session`. All functions here run in a transaction.
 */
import type { BoardTask } from "./board.ts";
import type { BoardFile } from "./board-file.ts";
import { recordChange } from "./history.ts";
import { makePending } from "./leases.ts";
import { TASK_QUERY, taskFromRow } from "./rows.ts";
import { ENDED_AT } from "./schema.ts";

export function endedAt(db: BoardFile): number | undefined {
  const row = db.get("SELECT value FROM schema_info WHERE key = ?", ENDED_AT);
  return row && Number(row.value);
}

/** Releases every claimed task and stops claiming. Returns the tasks as they were held. */
export function endRound(db: BoardFile, now: number): readonly BoardTask[] {
  if (endedAt(db) !== undefined) return [];
  const held = db.all(`${TASK_QUERY} WHERE status = 'claimed' ORDER BY number`).map(taskFromRow);
  for (const { id, agent = null, epoch } of held) {
    makePending(db, id);
    recordChange(db, { at: now, kind: "released", task: id, agent, epoch });
  }
  db.run("UPDATE heartbeats SET current_task_id = NULL");
  db.run("UPDATE swarm_session SET active = 0, completed_at = ?", now);
  db.run("INSERT INTO schema_info (key, value) VALUES (?, ?)", ENDED_AT, String(now));
  return held;
}

/** Updates the round after its tasks have changed. An ended one stays ended. */
export function noteWhetherOpen(db: BoardFile, now: number): void {
  if (endedAt(db) !== undefined) return;
  const isOpen = hasOpenTasks(db);
  db.run("UPDATE swarm_session SET active = ?, completed_at = ?", isOpen ? 1 : 0, isOpen ? null : now);
}

/** Begins the first round, or another one after the last is over. True for another one. */
export function beginRoundIfOver(db: BoardFile, now: number): boolean {
  if (!db.get("SELECT 1 FROM swarm_session")) {
    beginRound(db, now);
    return false;
  }
  const isComplete = db.get("SELECT 1 FROM tasks") !== undefined && !hasOpenTasks(db);
  if (!isComplete && endedAt(db) === undefined) {
    // The other system leaves its session inactive with open tasks.
    db.run("UPDATE swarm_session SET active = 1, completed_at = NULL");
    return false;
  }
  beginRound(db, now);
  return true;
}

export function beginRound(db: BoardFile, now: number): void {
  db.run("DELETE FROM schema_info WHERE key = ?", ENDED_AT);
  db.run(
    `INSERT OR REPLACE INTO swarm_session (id, session_id, active, agent_count, started_at)
     VALUES (1, ?, 1, COALESCE((SELECT agent_count FROM swarm_session), 0), ?)`,
    crypto.randomUUID(),
    now,
  );
}

function hasOpenTasks(db: BoardFile): boolean {
  return db.get("SELECT 1 FROM tasks WHERE status IN ('pending', 'claimed') LIMIT 1") !== undefined;
}
