import { type ArbiterState, FRESH_ARBITER } from "../core/arbiter.ts";
import type { RanCalls } from "../core/policy.ts";
import type { SessionFlags } from "../core/session-flags.ts";
import type { Database } from "./database.ts";
import type { Row } from "./driver.ts";
import { HOME_SCOPE, projectScope, type SessionRef, sessionScope } from "./stores.ts";

/** The stored state that a decision depends on, read at its start and compared again before it is recorded. */
export interface Snapshot {
  readonly generation: number;
  readonly revision: string;
  readonly via: string;
  /** When the last event of the session came, to the hour; undefined for a new session. */
  readonly lastAt: number | undefined;
  /** How many tool calls have run; known at a stop and at a prompt only. */
  readonly toolCalls: number;
  /** The same, counted from the last stop and from the last prompt of a person. */
  readonly calls: RanCalls;
  readonly arbiter: ArbiterState;
  readonly flags: SessionFlags;
  /** Does any note wait for this session? */
  readonly hasNotes: boolean;
}

/** What nearly every event needs, in one statement, because each statement costs about the same. */
const HEAD = `
  SELECT via, flags, last_at, ${revisionsOf(3)},
    EXISTS (SELECT 1 FROM outbox WHERE agent = ?1 AND session = ?2 AND delivered_by IS NULL) AS has_notes
  FROM (SELECT 1) LEFT JOIN sessions ON agent = ?1 AND session = ?2`;

/** Reads the three scopes, given as parameters from this number on. */
function revisionsOf(first: number): string {
  const revision = (at: number): string => `(SELECT revision FROM revisions WHERE scope = ?${at})`;
  return `${revision(first)} AS of_session, ${revision(first + 1)} AS of_project, ${revision(first + 2)} AS of_home`;
}

function headOf(db: Database, ref: SessionRef): Row | undefined {
  return db.recall("heads", HEAD, ref.agent, ref.session, sessionScope(ref), projectScope(ref), HOME_SCOPE);
}

function revisionIn(row: Row | undefined): string {
  return `${row?.of_session ?? 0}.${row?.of_project ?? 0}.${row?.of_home ?? 0}`;
}

function flagsIn(row: Row | undefined): SessionFlags {
  return typeof row?.flags === "string" && row.flags !== "{}" ? (JSON.parse(row.flags) as SessionFlags) : {};
}

/** The flags alone, without a snapshot. */
export function readFlags(db: Database, ref: SessionRef): SessionFlags {
  return flagsIn(headOf(db, ref));
}

/** Two registrations may report the same call; a call without an id is identified by its key. */
const CALL = "CASE tool_use_id WHEN '' THEN key ELSE tool_use_id END";
export const CALLS = `SELECT count(DISTINCT ${CALL}) AS calls FROM journal WHERE session = ? AND event = 'tool.before'`;
/** A denied call has not run. A call that a person was asked about has run once its end was reported. */
export const REFUSED = `
  SELECT count(DISTINCT ${CALL}) AS calls FROM journal AS asked
  WHERE session = ? AND event = 'tool.before' AND ruling IN ('deny', 'ask') AND NOT EXISTS (
    SELECT 1 FROM journal AS report WHERE report.session = asked.session AND asked.tool_use_id <> ''
      AND report.tool_use_id = asked.tool_use_id AND report.event IN ('tool.after', 'tool.failed'))`;

/** Calls that were about to run, whatever came of them. */
export function seenCalls(db: Database, session: string): number {
  return Number(db.get(CALLS, session)?.calls ?? 0);
}

/** An agent need not report the end of every call, so each that nobody refused counts as one that ran. */
function ranCalls(db: Database, session: string): number {
  return seenCalls(db, session) - Number(db.get(REFUSED, session)?.calls ?? 0);
}

/** `countsCalls`: a stop or a prompt, which alone need the arbiter and the counts of calls. */
export function takeSnapshot(db: Database, ref: SessionRef, countsCalls: boolean): Snapshot {
  const head = headOf(db, ref);
  const { generation } = db;
  const sql = "SELECT state FROM arbiters WHERE agent = ? AND session = ? AND agent_id = ?";
  const state = countsCalls ? db.get(sql, ref.agent, ref.session, ref.agentId)?.state : undefined;
  const arbiter = typeof state === "string" ? (JSON.parse(state) as ArbiterState) : FRESH_ARBITER;
  const toolCalls = countsCalls ? ranCalls(db, ref.session) : 0;
  // The journal forgets old calls, so there may be fewer than were counted before.
  const since = (before: number): number => Math.max(0, toolCalls - before);
  return {
    generation,
    revision: revisionIn(head),
    via: String(head?.via ?? ""),
    lastAt: typeof head?.last_at === "number" ? head.last_at : undefined,
    toolCalls,
    calls: {
      sinceStop: since(arbiter.toolCalls),
      sincePrompt: arbiter.promptCalls === undefined ? undefined : since(arbiter.promptCalls),
    },
    flags: flagsIn(head),
    hasNotes: head?.has_notes === 1,
    arbiter,
  };
}

/** Called under the write lock: has another process changed what the decision was made on? */
export function hasChanged(db: Database, ref: SessionRef, { generation, revision }: Snapshot): boolean {
  return generation !== db.generation && revision !== revisionIn(headOf(db, ref));
}

export function bumpRevision(db: Database, scope: string): void {
  db.run(
    "INSERT INTO revisions (scope, revision) VALUES (?, 1) ON CONFLICT (scope) DO UPDATE SET revision = revision + 1",
    scope,
  );
}

/** `last_at` is written again when it is older than this. */
const LAST_AT_STEP_MS = 3_600_000;

/** Writes nothing for most events, because every changed row is a page to write. Events are counted in the journal. */
export function noteSession(
  db: Database,
  ref: SessionRef,
  known: Pick<Snapshot, "via" | "lastAt">,
  { at, via }: { readonly at: number; readonly via: string },
): void {
  const isRecent = known.lastAt !== undefined && at - known.lastAt < LAST_AT_STEP_MS;
  if (isRecent && (known.via !== "" || via === "")) return;
  db.run(
    `INSERT INTO sessions (agent, session, via, project, first_at, last_at, events, tool_calls)
     VALUES (?1, ?2, ?3, ?4, ?5, ?5, 0, 0)
     ON CONFLICT (agent, session) DO UPDATE SET
       via = CASE WHEN via = '' THEN excluded.via ELSE via END, last_at = MAX(last_at, excluded.last_at)`,
    ref.agent,
    ref.session,
    via,
    ref.project,
    at,
  );
}

/** Adds a row for a session before its first event; which registration reports its events is not known yet. */
export function ensureSession(db: Database, ref: SessionRef, at: number): void {
  db.run(
    `INSERT INTO sessions (agent, session, via, project, first_at, last_at, events, tool_calls)
     VALUES (?1, ?2, '', ?3, ?4, ?4, 0, 0) ON CONFLICT (agent, session) DO NOTHING`,
    ref.agent,
    ref.session,
    ref.project,
    at,
  );
}

export function saveArbiter(db: Database, ref: SessionRef, state: ArbiterState): void {
  db.run(
    "INSERT OR REPLACE INTO arbiters (agent, session, agent_id, state) VALUES (?, ?, ?, ?)",
    ref.agent,
    ref.session,
    ref.agentId,
    JSON.stringify(state),
  );
}

export function saveFlags(db: Database, ref: SessionRef, flags: SessionFlags): void {
  db.run(
    "UPDATE sessions SET flags = ? WHERE agent = ? AND session = ?",
    JSON.stringify(flags),
    ref.agent,
    ref.session,
  );
}
