import type { Database } from "../state/database.ts";
import type { Afterwards, RecordedEvent } from "./recorded-event.ts";

/** What became of a call, as far as later entries of the journal tell. */
export function afterwardsIn(db: Database, event: RecordedEvent): Afterwards {
  if (event.afterwards !== undefined) return event.afterwards;
  if (event.event !== "tool.before" || event.toolUseId === "") return "unknown";
  const reports = db
    .all(
      "SELECT event, body FROM journal WHERE session = ? AND tool_use_id = ? AND event <> 'tool.before' ORDER BY id",
      event.session,
      event.toolUseId,
    )
    .map((row) => ({ name: String(row.event), body: String(row.body) }));
  if (reports.some(({ name }) => name === "tool.after")) return wasUndone(db, event) ? "undone" : "kept";
  const failure = reports.find(({ name }) => name === "tool.failed");
  if (failure) return /"is_interrupt":true/.test(failure.body) ? "refused" : "failed";
  if (reports.some(({ name }) => name === "permission.denied")) return "refused";
  if (event.ruling === "deny") return "stopped";
  // The person was asked, and the call was never reported.
  return event.ruling === "ask" || wasPersonAsked(db, event) ? "refused" : "unknown";
}

/** A request for permission does not name its call, so the next one of the same tool counts. */
function wasPersonAsked(db: Database, { id, session, agentId, tool }: RecordedEvent): boolean {
  const next = db.get(
    "SELECT event, tool FROM journal WHERE session = ? AND agent_id = ? AND id > ? ORDER BY id LIMIT 1",
    session,
    agentId,
    id,
  );
  return next?.event === "permission.request" && next.tool === tool;
}

/** Was the snapshot restored that was made for this call? */
function wasUndone(db: Database, { id, facts }: RecordedEvent): boolean {
  const snapshot = facts?.snapshot as { readonly kept?: { readonly id?: string } } | undefined;
  const made = snapshot?.kept?.id;
  if (made === undefined) return false;
  const commands = db.all("SELECT id, agent_event FROM journal WHERE event = 'command' AND id > ?", id);
  return commands.some((row) => {
    const [name, ...words] = String(row.agent_event).split(" ");
    if (name !== "undo") return false;
    if (words.includes("--last")) return !hasSnapshotBetween(db, id, Number(row.id));
    // A person may give the beginning of the id.
    return words.some((word) => word.length >= 4 && made.startsWith(word));
  });
}

/** Then `undo --last` meant another one. */
function hasSnapshotBetween(db: Database, after: number, before: number): boolean {
  const query = `SELECT 1 AS found FROM journal WHERE id > ? AND id < ? AND facts LIKE '%"snapshot":{"kept"%' LIMIT 1`;
  return db.get(query, after, before) !== undefined;
}
