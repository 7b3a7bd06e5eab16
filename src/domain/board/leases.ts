import { LEASE_MS } from "./board.ts";
import type { BoardFile } from "./board-file.ts";
import { recordChange } from "./history.ts";
import { TASK_QUERY, taskFromRow } from "./rows.ts";

/** Makes the tasks of expired leases pending again. Runs in a transaction. */
export function takeBackExpired(db: BoardFile, now: number): void {
  const late = db.all(`${TASK_QUERY} WHERE status = 'claimed' AND lease_until <= ? ORDER BY lease_until, number`, now);
  for (const { id, agent = "", epoch, leaseUntil = now } of late.map(taskFromRow)) {
    makePending(db, id);
    recordChange(db, { at: leaseUntil, kind: "expired", task: id, agent, epoch });
    db.run("DELETE FROM heartbeats WHERE agent_id = ? AND last_heartbeat <= ?", agent, now - LEASE_MS);
  }
}

export function makePending(db: BoardFile, id: string): void {
  db.run(
    `UPDATE tasks SET status = 'pending', claimed_by = NULL, claimed_at = NULL, lease_until = NULL,
     completed_at = NULL, error = NULL WHERE id = ?`,
    id,
  );
}
