import type { PersonAnswer } from "../../core/policy.ts";
import type { Database } from "../database.ts";
import type { Row } from "../driver.ts";
import type { SessionRef } from "../stores.ts";

/**
 * - open: a person may answer
 * - answered: a person has; the daemon is about to decide again
 * - approved, denied: what the agent was told
 * - refused: the yes of the person was not carried out, as a policy stops the call now
 * - elsewhere: answered in the agent's own dialog
 * - gone: the agent no longer waits
 * - expired: nobody has answered in time
 */
export type RequestState = "open" | "answered" | "approved" | "denied" | "refused" | "elsewhere" | "gone" | "expired";

export interface PermissionRequest {
  readonly id: number;
  readonly agent: string;
  readonly session: string;
  readonly agentId: string;
  readonly project: string;
  readonly cwd: string;
  readonly tool: string;
  /** As JSON, secrets masked. */
  readonly input: string;
  /** Why guards ask about the call, for the person; empty when only the agent asks. */
  readonly asks: string;
  readonly askedAt: number;
  readonly until: number;
  /** The process that keeps the agent waiting: without it nobody would get the answer. */
  readonly owner: string;
}

export interface NewRequest extends Omit<PermissionRequest, "id"> {
  /** Identifies the call, as its report does. */
  readonly call: string;
}

const KEPT_MS = 24 * 3_600_000;
const COLUMNS = "id, agent, session, agent_id, project, cwd, tool, input, asks, asked_at, until, owner";

/** Called inside the event's transaction. Returns the id. */
export function openRequest(db: Database, request: NewRequest): number {
  const { agent, session, agentId, project, cwd, tool, input, call, asks, askedAt, until, owner } = request;
  db.run("DELETE FROM permission_requests WHERE asked_at < ?", askedAt - KEPT_MS);
  const query = `INSERT INTO permission_requests
    (agent, session, agent_id, project, cwd, tool, input, call, asks, asked_at, until, owner, state)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'open')`;
  const who = [agent, session, agentId, project, cwd] as const;
  return db.insert(query, ...who, tool, input, call, asks, askedAt, until, owner);
}

/** All that a person may still answer, the oldest first. Those of processes that have ended are among them. */
export function openRequests(db: Database, now: number): PermissionRequest[] {
  const query = `SELECT ${COLUMNS} FROM permission_requests WHERE state = 'open' AND until > ? ORDER BY id`;
  return db.all(query, now).map(requestIn);
}

export function openRequestWith(db: Database, id: number, now: number): PermissionRequest | undefined {
  const query = `SELECT ${COLUMNS} FROM permission_requests WHERE id = ? AND state = 'open' AND until > ?`;
  const row = db.get(query, id, now);
  return row && requestIn(row);
}

/** The first answer wins: false for a request that is no longer open. Undefined when the database is busy for too long. */
export function answerRequest(db: Database, id: number, answer: PersonAnswer): boolean | undefined {
  const query =
    "UPDATE permission_requests SET state = 'answered', answer = ? WHERE id = ? AND state = 'open' AND until > ?";
  return db.transaction(() => db.run(query, JSON.stringify(answer), id, answer.at) > 0)?.value;
}

/** Undefined for a request that is not there any more. */
export function standingOf(
  db: Database,
  id: number,
): { readonly state: RequestState; readonly answer: PersonAnswer | undefined } | undefined {
  const row = db.get("SELECT state, answer FROM permission_requests WHERE id = ?", id);
  if (!row) return undefined;
  const answer = row.answer === null ? undefined : (JSON.parse(String(row.answer)) as PersonAnswer);
  return { state: row.state as RequestState, answer };
}

/** What became of a request. Called inside a transaction; the first end of an open one counts. */
export function closeRequest(db: Database, id: number, state: Exclude<RequestState, "open" | "answered">): void {
  db.run("UPDATE permission_requests SET state = ? WHERE id = ? AND state IN ('open', 'answered')", state, id);
}

/** Which requests an event tells to be answered in the agent's own dialog: one call, or all of a thread or session. */
export interface Answered {
  readonly call?: string;
  readonly isSession?: boolean;
}

export function hasOpenRequest(db: Database, session: string): boolean {
  return db.get("SELECT 1 FROM permission_requests WHERE session = ? AND state = 'open'", session) !== undefined;
}

/** Called inside the event's transaction. */
export function closeAnswered(db: Database, { session, agentId }: SessionRef, { call, isSession }: Answered): void {
  const query = "UPDATE permission_requests SET state = 'elsewhere' WHERE state = 'open' AND session = ?";
  if (isSession) db.run(query, session);
  else if (call === undefined) db.run(`${query} AND agent_id = ?`, session, agentId);
  else db.run(`${query} AND agent_id = ? AND call = ?`, session, agentId, call);
}

function requestIn(row: Row): PermissionRequest {
  return {
    id: Number(row.id),
    agent: String(row.agent),
    session: String(row.session),
    agentId: String(row.agent_id),
    project: String(row.project),
    cwd: String(row.cwd),
    tool: String(row.tool),
    input: String(row.input),
    asks: String(row.asks),
    askedAt: Number(row.asked_at),
    until: Number(row.until),
    owner: String(row.owner),
  };
}
