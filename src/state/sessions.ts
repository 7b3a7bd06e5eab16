import { type ArbiterState, FRESH_ARBITER } from "../core/arbiter.ts";
import type { SessionFlags } from "../core/session-flags.ts";
import type { Database } from "./database.ts";
import type { Row } from "./driver.ts";

/** Everything of ours that a decision depends on, read at its start and checked again before it is written. */
export interface Snapshot {
  readonly revision: string;
  readonly via: string;
  readonly toolCalls: number;
  readonly arbiter: ArbiterState;
  readonly flags: SessionFlags;
  /** Does any note wait for this session? */
  readonly hasNotes: boolean;
}

export interface SnapshotOf {
  readonly agent: string;
  readonly session: string;
  readonly agentId: string;
  readonly project: string;
}

export const sessionScope = (of: SnapshotOf): string => `session:${of.agent}:${of.session}`;
export const projectScope = (of: SnapshotOf): string => `project:${of.project}`;

/** What one person's sessions share, in whatever project. */
export const PERSON_SCOPE = "person";

/** What belongs to nobody in particular, such as files that several sessions share. */
export const HOME_SCOPE = "home";

/** One statement for all that nearly every event needs: what a statement costs is mostly the way to the database. */
const SNAPSHOT = `
  SELECT via, tool_calls, flags, ${revisionsOf(3)},
    EXISTS (SELECT 1 FROM outbox WHERE agent = ?1 AND session = ?2 AND delivered_by IS NULL) AS has_notes
  FROM (SELECT 1) LEFT JOIN sessions ON agent = ?1 AND session = ?2`;

/** Reads the three scopes, given as parameters from this number on. */
export function revisionsOf(first: number): string {
  const revision = (at: number): string => `(SELECT revision FROM revisions WHERE scope = ?${at})`;
  return `${revision(first)} AS of_session, ${revision(first + 1)} AS of_project, ${revision(first + 2)} AS of_home`;
}

export function scopesOf(of: SnapshotOf): [string, string, string] {
  return [sessionScope(of), projectScope(of), HOME_SCOPE];
}

export function revisionIn(row: Row | undefined): string {
  return `${row?.of_session ?? 0}.${row?.of_project ?? 0}.${row?.of_home ?? 0}`;
}

/** The arbiter's state is read only where it can matter. */
export function takeSnapshot(db: Database, of: SnapshotOf, isStop: boolean): Snapshot {
  const row = db.get(SNAPSHOT, of.agent, of.session, ...scopesOf(of));
  // What is decided by is at least as new as the revisions just read.
  db.refresh();
  const sql = "SELECT state FROM arbiters WHERE agent = ? AND session = ? AND agent_id = ?";
  const arbiter = isStop ? db.get(sql, of.agent, of.session, of.agentId) : undefined;
  return {
    revision: revisionIn(row),
    via: String(row?.via ?? ""),
    toolCalls: Number(row?.tool_calls ?? 0),
    flags: typeof row?.flags === "string" ? (JSON.parse(row.flags) as SessionFlags) : {},
    hasNotes: row?.has_notes === 1,
    arbiter: arbiter ? (JSON.parse(String(arbiter.state)) as ArbiterState) : FRESH_ARBITER,
  };
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
