import type { Json } from "../core/event.ts";
import type { Reply } from "../core/frame.ts";
import type { Database } from "../state/database.ts";
import type { Row, Value } from "../state/driver.ts";
import type { Grounds } from "../state/grounds.ts";
import { DOCTOR_SESSION, silentIn } from "../state/journal.ts";
import { entriesBetween } from "../state/journal-query.ts";
import { type Origin, originIn } from "../state/origins.ts";
import type { RecordedEvent, RecordedResult } from "./recorded-event.ts";

export interface Selection {
  /** Epoch milliseconds. */
  readonly since?: number | undefined;
  readonly session?: string | undefined;
}

/** Entries that are no events: commands of a person, input that was no event, and doctor's test of the client. */
const NO_EVENTS = new Set(["command", "unknown", "unreadable"]);

/**
 * The events of the journal up to an entry, oldest first. Those before the selection are there to rebuild the state; those
 * after it are left out.
 */
export function* journalEvents(db: Database, selection: Selection, upTo: number): Generator<RecordedEvent> {
  const last = selection.session === undefined ? upTo : Math.min(upTo, lastOf(db, selection.session));
  const origins = new Map<number, Origin | undefined>();
  for (const row of entriesBetween(db, {}, 0, last)) {
    if (NO_EVENTS.has(String(row.event)) || row.session === DOCTOR_SESSION) continue;
    const key = Number(row.origin);
    if (!origins.has(key)) {
      // Sessions follow one another, so an older origin is hardly needed again.
      if (origins.size >= 1_000) origins.clear();
      origins.set(key, originIn(db, row));
    }
    yield eventIn(db, row, origins.get(key), selection);
  }
}

/** How many entries a replay of this selection goes over. */
export function countSelected(db: Database, { session }: Selection, upTo: number): number {
  const last = session === undefined ? upTo : Math.min(upTo, lastOf(db, session));
  return Number(db.get("SELECT COUNT(*) AS count FROM journal WHERE id <= ?", last)?.count);
}

function lastOf(db: Database, session: string): number {
  return Number(db.get("SELECT COALESCE(MAX(id), 0) AS id FROM journal WHERE session = ?", session)?.id);
}

function eventIn(db: Database, row: Row, origin: Origin | undefined, { since, session }: Selection): RecordedEvent {
  const isSelected =
    (since === undefined || Number(row.at) >= since) && (session === undefined || row.session === session);
  const facts = parsed(row.facts) as Record<string, Json> | undefined;
  return {
    id: Number(row.id),
    at: Number(row.at),
    agent: String(row.agent),
    session: String(row.session),
    agentId: String(row.agent_id),
    project: String(row.project),
    event: String(row.event),
    agentEvent: String(row.agent_event),
    tool: String(row.tool),
    toolUseId: String(row.tool_use_id),
    key: String(row.key),
    body: String(row.body),
    origin,
    grounds: parsed(row.grounds) as Grounds | undefined,
    facts: facts && "not_kept" in facts ? undefined : facts,
    ruling: String(row.ruling),
    policy: String(row.policy),
    reason: String(row.reason),
    results: resultsIn(db, row),
    reply: parsed(row.reply) as Reply | undefined,
    isWarmUp: !isSelected,
  };
}

function resultsIn(db: Database, row: Row): RecordedResult[] {
  const noted = (parsed(row.verdicts) ?? []) as RecordedResult[];
  return [...noted, ...silentIn(db, row).map(({ policy }) => ({ policy, fate: "silent", verdicts: [] }))];
}

/** Undefined for what is damaged or was never recorded. */
function parsed(value: Value | undefined): unknown {
  if (typeof value !== "string" || value === "") return undefined;
  try {
    return JSON.parse(value);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
