import type { Database } from "./database.ts";
import { maskText } from "./masking.ts";
import type { SessionRef } from "./stores.ts";

export interface PendingNote {
  readonly id: number;
  readonly policy: string;
  readonly text: string;
}

export function pendingNotes(db: Database, ref: SessionRef, event: string): PendingNote[] {
  return db
    .all(
      "SELECT id, policy, text FROM outbox WHERE agent = ? AND session = ? AND event = ? AND delivered_by IS NULL ORDER BY id",
      ref.agent,
      ref.session,
      event,
    )
    .map((row) => ({ id: Number(row.id), policy: String(row.policy), text: String(row.text) }));
}

/** Nothing is added while the same text of the same policy still waits: the agent reads it once. */
export function addNote(db: Database, ref: SessionRef, event: string, policy: string, text: string, at: number): void {
  // It may quote a command or a path, and waits on disk until it is delivered.
  const masked = maskText(text);
  if (pendingNotes(db, ref, event).some((note) => note.policy === policy && note.text === masked)) return;
  db.run(
    "INSERT INTO outbox (agent, session, event, policy, text, at) VALUES (?, ?, ?, ?, ?, ?)",
    ref.agent,
    ref.session,
    event,
    policy,
    masked,
    at,
  );
}

/** In the same transaction as the ruling that carries them, so a note is delivered once or not yet. */
export function markDelivered(db: Database, notes: readonly PendingNote[], journalId: number): void {
  for (const note of notes) db.run("UPDATE outbox SET delivered_by = ? WHERE id = ?", journalId, note.id);
}
