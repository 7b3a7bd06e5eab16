import { type ArbiterState, FRESH_ARBITER } from "../core/arbiter.ts";
import type { SessionFlags } from "../core/session-flags.ts";
import type { Database } from "./database.ts";

/** Everything of ours that a decision depends on, read at its start and checked again before it is written. */
export interface Snapshot {
  readonly revision: string;
  readonly via: string;
  readonly toolCalls: number;
  readonly arbiter: ArbiterState;
  readonly flags: SessionFlags;
}

export interface SnapshotOf {
  readonly agent: string;
  readonly session: string;
  readonly agentId: string;
  readonly project: string;
}

export const sessionScope = (of: SnapshotOf): string => `session:${of.agent}:${of.session}`;
export const projectScope = (of: SnapshotOf): string => `project:${of.project}`;

/** What belongs to nobody in particular, such as files that several sessions share. */
export const HOME_SCOPE = "home";

/** The arbiter's state is read only where it can matter. */
export function takeSnapshot(db: Database, of: SnapshotOf, isStop: boolean): Snapshot {
  const session = db.get(
    "SELECT via, tool_calls, flags FROM sessions WHERE agent = ? AND session = ?",
    of.agent,
    of.session,
  );
  const sql = "SELECT state FROM arbiters WHERE agent = ? AND session = ? AND agent_id = ?";
  const arbiter = isStop ? db.get(sql, of.agent, of.session, of.agentId) : undefined;
  return {
    revision: revisionOf(db, of),
    via: String(session?.via ?? ""),
    toolCalls: Number(session?.tool_calls ?? 0),
    flags: session ? (JSON.parse(String(session.flags)) as SessionFlags) : {},
    arbiter: arbiter ? (JSON.parse(String(arbiter.state)) as ArbiterState) : FRESH_ARBITER,
  };
}

export function revisionOf(db: Database, of: SnapshotOf): string {
  const rows = db.all(
    "SELECT scope, revision FROM revisions WHERE scope IN (?, ?, ?) ORDER BY scope",
    sessionScope(of),
    projectScope(of),
    HOME_SCOPE,
  );
  return rows.map((row) => `${row.scope}=${row.revision}`).join("\n");
}

export function bumpRevision(db: Database, scope: string): void {
  db.run(
    "INSERT INTO revisions (scope, revision) VALUES (?, 1) ON CONFLICT (scope) DO UPDATE SET revision = revision + 1",
    scope,
  );
}

export function countEvent(db: Database, of: SnapshotOf, at: number, via: string, isToolCall: boolean): void {
  db.run(
    `INSERT INTO sessions (agent, session, via, project, first_at, last_at, events, tool_calls)
     VALUES (?1, ?2, ?3, ?4, ?5, ?5, 1, ?6)
     ON CONFLICT (agent, session) DO UPDATE SET
       via = CASE WHEN via = '' THEN excluded.via ELSE via END,
       last_at = MAX(last_at, excluded.last_at), events = events + 1, tool_calls = tool_calls + excluded.tool_calls`,
    of.agent,
    of.session,
    via,
    of.project,
    at,
    isToolCall ? 1 : 0,
  );
}

/** A row for a session that is heard of before its first event; who reports its events is still open then. */
export function ensureSession(db: Database, of: SnapshotOf, at: number): void {
  db.run(
    `INSERT INTO sessions (agent, session, via, project, first_at, last_at, events, tool_calls)
     VALUES (?1, ?2, '', ?3, ?4, ?4, 0, 0) ON CONFLICT (agent, session) DO NOTHING`,
    of.agent,
    of.session,
    of.project,
    at,
  );
}

export function saveArbiter(db: Database, of: SnapshotOf, state: ArbiterState): void {
  db.run(
    "INSERT OR REPLACE INTO arbiters (agent, session, agent_id, state) VALUES (?, ?, ?, ?)",
    of.agent,
    of.session,
    of.agentId,
    JSON.stringify(state),
  );
}

export function saveFlags(db: Database, of: SnapshotOf, flags: SessionFlags): void {
  db.run("UPDATE sessions SET flags = ? WHERE agent = ? AND session = ?", JSON.stringify(flags), of.agent, of.session);
}
