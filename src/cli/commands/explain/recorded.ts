import { Database } from "../../../state/database.ts";
import type { Row } from "../../../state/driver.ts";
import { isWhole } from "../../../state/recorded-body.ts";
import type { Home } from "../../../system/home.ts";
import { readInstalls } from "../../installation/installs.ts";
import { DOCTOR_SESSION } from "../doctor/session.ts";
import { asObject, type JournalObject } from "../journal/entry.ts";

const BUSY_MS = 2_000;

/** How far back the newest event that can be decided again is looked for. */
const SEARCHED = 1_000;
/** Events of agents: neither what doctor sent to test the client nor a command of a person. */
const OF_AGENTS = "SELECT * FROM journal WHERE session <> ? AND event <> 'command' ORDER BY id DESC LIMIT ?";

export interface RecordedEvent {
  readonly entry: JournalObject;
  /** The event as the agent sent it; undefined when not all of it was kept. */
  readonly body: string | undefined;
  /** The newest event that can be decided again, for when this one cannot. */
  readonly newestWhole: number | undefined;
  /** Which registration reported this session's events. */
  readonly via: string;
}

/** Without an id the newest event of an agent. */
export function findRecorded(database: string, id: number | undefined): RecordedEvent | undefined {
  const db = new Database(database, BUSY_MS);
  try {
    const row =
      id === undefined ? db.get(OF_AGENTS, DOCTOR_SESSION, 1) : db.get("SELECT * FROM journal WHERE id = ?", id);
    if (!row) return undefined;
    const body = isDecidable(row) ? String(row.body) : undefined;
    const newestWhole = body === undefined ? db.all(OF_AGENTS, DOCTOR_SESSION, SEARCHED).find(isDecidable) : undefined;
    const entry = asObject(db, row);
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
    const entry = asObject(db, row);
    const isObject = typeof entry.body === "object" && entry.body !== null;
    return { entry, payload: isObject ? (entry.body as Readonly<Record<string, unknown>>) : {} };
  } finally {
    db.close();
  }
}

/** Of input that was no event nothing is kept. */
function isDecidable({ body }: Row): boolean {
  return body !== "{}" && isWhole(String(body));
}

/** The profiles that the registration which reported the event passes along. */
export function installedProfiles(home: Home, { entry, via }: RecordedEvent): readonly string[] {
  const { records } = readInstalls(home);
  return records.find((record) => record.agent === entry.agent && record.scope === via)?.profile ?? [];
}

/** What policies read from the environment then; the shell of whoever asks now may have other values or none. */
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
