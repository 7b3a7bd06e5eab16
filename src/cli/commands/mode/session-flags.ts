import type { SessionFlags } from "../../../core/session-flags.ts";
import type { Database } from "../../../state/database.ts";
import { bumpRevision, ensureSession, readFlags, saveFlags } from "../../../state/sessions.ts";
import { type SessionRef, sessionScope } from "../../../state/stores.ts";

/** A session that no hook has reported yet is one of this agent, the only one that gives its session to commands. */
const USUAL_AGENT = "claude-code";

export function markCancelled(db: Database, project: string, session: string, now: number): void {
  const known = refsOf(db, project, session);
  const refs = known.length > 0 ? known : [{ agent: USUAL_AGENT, session, agentId: "", project }];
  for (const ref of refs) {
    ensureSession(db, ref, now);
    save(db, ref, { ...readFlags(db, ref), cancelled: true });
  }
}

export function forgetCancel(db: Database, project: string, session: string): void {
  for (const ref of refsOf(db, project, session)) {
    const { cancelled, ...others } = readFlags(db, ref);
    if (cancelled) save(db, ref, others);
  }
}

/** Decisions depend on the flags, so one that is being made now is made again. */
function save(db: Database, ref: SessionRef, flags: SessionFlags): void {
  saveFlags(db, ref, flags);
  bumpRevision(db, sessionScope(ref));
}

/** Runs are stored by session alone; two agents hardly ever use the same id. */
function refsOf(db: Database, project: string, session: string): SessionRef[] {
  const rows = db.all("SELECT agent FROM sessions WHERE session = ?", session);
  return rows.map(({ agent }) => ({ agent: String(agent), session, agentId: "", project }));
}
