import type { Database } from "../../../state/database.ts";
import { DOCTOR_SESSION } from "../../../state/journal.ts";

export interface KnownSession {
  readonly session: string;
  /** An event came in the last hours, and it was not the session's end. */
  readonly isLive: boolean;
}

/** A session without an event for this long has probably been left. */
const RECENT_MS = 2 * 60 * 60_000;

const SESSIONS = "SELECT session FROM sessions WHERE project = ? AND session NOT IN ('', ?) ORDER BY last_at DESC";
const NEWEST = "SELECT event, at FROM journal WHERE session = ? ORDER BY id DESC LIMIT 1";

/** The sessions of a project that hooks have reported. */
export function knownSessions(db: Database, project: string, now: number): readonly KnownSession[] {
  return db.all(SESSIONS, project, DOCTOR_SESSION).map((row) => {
    const session = String(row.session);
    const { event, at } = db.get(NEWEST, session) ?? {};
    return { session, isLive: event !== "session.end" && now - Number(at ?? 0) < RECENT_MS };
  });
}
