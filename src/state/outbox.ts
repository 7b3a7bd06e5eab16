import type { Database } from "./database.ts";
import { maskText } from "./masking.ts";
import type { SnapshotOf } from "./sessions.ts";

export interface PendingNote {
  readonly id: number;
  readonly policy: string;
  readonly text: string;
}

export function pendingNotes(db: Database, of: SnapshotOf, event: string): PendingNote[] {
  return db
    .all(
      "SELECT id, policy, text FROM outbox WHERE agent = ? AND session = ? AND event = ? AND delivered_by IS NULL ORDER BY id",
      of.agent,
      of.session,
      event,
    )
    .map((row) => ({ id: Number(row.id), policy: String(row.policy), text: String(row.text) }));
}

export function addNote(db: Database, of: SnapshotOf, event: string, policy: string, text: string, at: number): void {
  db.run(
    "INSERT INTO outbox (agent, session, event, policy, text, at) VALUES (?, ?, ?, ?, ?, ?)",
    of.agent,
    of.session,
    event,
    policy,
    // It may quote a command or a path, and waits on disk until it is delivered.
    maskText(text),
    at,
  );
}

/** In the same transaction as the ruling that carries them, so a note is delivered once or not yet. */
export function markDelivered(db: Database, notes: readonly PendingNote[], journalId: number): void {
  for (const note of notes) db.run("UPDATE outbox SET delivered_by = ? WHERE id = ?", journalId, note.id);
}
