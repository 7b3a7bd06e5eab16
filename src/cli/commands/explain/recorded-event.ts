import { Database } from "../../../state/database.ts";
import type { Row } from "../../../state/driver.ts";
import { DOCTOR_SESSION } from "../../../state/journal.ts";
import { isWhole } from "../../../state/recorded-body.ts";
import type { Home } from "../../../system/home.ts";
import { readInstalls } from "../../installation/installs.ts";
import { type JournalObject, journalObject } from "../journal/entry.ts";

const BUSY_MS = 2_000;

/** The number of entries that are searched for an event that can be decided again. */
const SEARCHED = 1_000;
/** Selects events of agents: neither doctor's test events nor commands of a person. */
const AGENT_EVENTS_QUERY = "SELECT * FROM journal WHERE session <> ? AND event <> 'command' ORDER BY id DESC LIMIT ?";

export interface RecordedEvent {
  readonly entry: JournalObject;
  /** The event as the agent sent it; undefined when it was not stored completely. */
  readonly body: string | undefined;
  /** When this event cannot be decided again: the newest one that can. */
  readonly newestWhole: number | undefined;
  /** The registration that reported this session's events. */
  readonly via: string;
}

/** The event with this id; without an id the newest event of an agent. */
export function findRecorded(database: string, id: number | undefined): RecordedEvent | undefined {
  const db = new Database(database, BUSY_MS);
  try {
    const row =
      id === undefined
        ? db.get(AGENT_EVENTS_QUERY, DOCTOR_SESSION, 1)
        : db.get("SELECT * FROM journal WHERE id = ?", id);
    if (!row) return undefined;
    const body = isDecidable(row) ? String(row.body) : undefined;
    const newestWhole =
      body === undefined ? db.all(AGENT_EVENTS_QUERY, DOCTOR_SESSION, SEARCHED).find(isDecidable) : undefined;
    const entry = journalObject(db, row);
    const session = db.get("SELECT via FROM sessions WHERE agent = ? AND session = ?", entry.agent, entry.session);
    return {
      entry,
      body,
      newestWhole: newestWhole && Number(newestWhole.id),
      via: String(session?.via ?? ""),
    };
  } finally {
    db.close();
  }
}

export interface LastOfSession {
  readonly entry: JournalObject;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** The newest event of a session that the main thread of an agent reported. */
export function lastOfSession(database: string, session: string): LastOfSession | undefined {
  const db = new Database(database, BUSY_MS);
  try {
    const newest = "SELECT * FROM journal WHERE session = ? AND agent_id = '' AND event <> 'command' ORDER BY id DESC";
    const row = db.get(`${newest} LIMIT 1`, session);
    if (!row) return undefined;
    const entry = journalObject(db, row);
    const isObject = typeof entry.body === "object" && entry.body !== null;
    return { entry, payload: isObject ? (entry.body as Readonly<Record<string, unknown>>) : {} };
  } finally {
    db.close();
  }
}

/** Can the event be decided again? Input that was not an event has the body "{}". */
function isDecidable({ body }: Row): boolean {
  return body !== "{}" && isWhole(String(body));
}

/** The profiles in the registration that reported the event. */
export function registeredProfiles(home: Home, { entry, via }: RecordedEvent): readonly string[] {
  const { records } = readInstalls(home);
  return records.find((record) => record.agent === entry.agent && record.scope === via)?.profile ?? [];
}

/** The environment variables that policies read at the time; the current shell may have other values. */
export function recordedEnvironment({ facts }: JournalObject): Record<string, string> {
  if (typeof facts !== "object" || facts === null) return {};
  const texts = Object.entries(facts).filter((fact): fact is [string, string] => typeof fact[1] === "string");
  return Object.fromEntries(
    texts.filter(([name]) => name.startsWith("env:")).map(([name, value]) => [name.slice("env:".length), value]),
  );
}

export function recordedFolder({ body }: JournalObject): string | undefined {
  if (typeof body !== "object" || body === null || !("cwd" in body)) return undefined;
  return typeof body.cwd === "string" ? body.cwd : undefined;
}
