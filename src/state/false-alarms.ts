import type { Database } from "./database.ts";
import type { Row } from "./driver.ts";

/** Marks an entry of the journal as a false alarm, or takes that back. False when the database is busy for too long. */
export function markFalseAlarm(db: Database, { id, at, policy }: Row, isFalseAlarm: boolean): boolean {
  const done = db.transaction(() => {
    if (!isFalseAlarm) return db.run("DELETE FROM false_alarms WHERE journal = ?", Number(id));
    const query = "INSERT OR REPLACE INTO false_alarms (journal, at, policy) VALUES (?, ?, ?)";
    return db.run(query, Number(id), Number(at), String(policy));
  });
  return done !== undefined;
}

export function isFalseAlarm(db: Database, { id, at }: Row): boolean {
  return db.get("SELECT 1 FROM false_alarms WHERE journal = ? AND at = ?", Number(id), Number(at)) !== undefined;
}

/** How many denials of each policy were false alarms. */
export function falseAlarmsSince(db: Database, since: number): ReadonlyMap<string, number> {
  const rows = db.all("SELECT policy, COUNT(*) AS n FROM false_alarms WHERE at >= ? GROUP BY policy", since);
  return new Map(rows.map(({ policy, n }) => [String(policy), Number(n)]));
}
