import type { Database } from "./database.ts";
import type { Row, Value } from "./driver.ts";
import { forgetOrigins, unusedOrigins } from "./origins.ts";

/** A filter of entries; a field that is left out matches all. */
export interface JournalFilter {
  readonly session?: string;
  readonly isDenied?: boolean;
  /** Our name of the event or the agent's. */
  readonly event?: string;
  /** A policy that gave a verdict about the event, or failed at it. */
  readonly policy?: string;
  /** Epoch milliseconds, the first one included and the last one not. */
  readonly since?: number;
  readonly before?: number;
}

/** Enough to be quick, and few enough that a hook never waits long or memory runs short. */
const PAGE = 500;

/** A damaged entry is skipped instead of ending the search. */
const SPOKE = `EXISTS (
  SELECT 1 FROM json_each(CASE WHEN json_valid(verdicts) THEN verdicts ELSE '[]' END) AS one
  WHERE json_extract(one.value, '$.policy') = ?
    AND (json_array_length(one.value, '$.verdicts') > 0 OR json_extract(one.value, '$.error') IS NOT NULL))`;

export interface Where {
  readonly sql: string;
  readonly values: readonly Value[];
}

export function where(filter: JournalFilter): Where {
  const conditions: string[] = [];
  const values: Value[] = [];
  const add = (sql: string, ...bound: Value[]): void => {
    conditions.push(sql);
    values.push(...bound);
  };
  if (filter.session !== undefined) add("session = ?", filter.session);
  if (filter.isDenied) add("ruling = 'deny'");
  if (filter.event !== undefined) add("(event = ? OR agent_event = ?)", filter.event, filter.event);
  if (filter.since !== undefined) add("at >= ?", filter.since);
  if (filter.before !== undefined) add("at < ?", filter.before);
  if (filter.policy !== undefined) add(`(policy = ? OR ${SPOKE})`, filter.policy, filter.policy);
  return { sql: conditions.join(" AND ") || "TRUE", values };
}

/** The newest ones, oldest first. */
export function newestEntries(db: Database, filter: JournalFilter, limit: number): Row[] {
  const { sql, values } = where(filter);
  return db.all(`SELECT * FROM journal WHERE ${sql} ORDER BY id DESC LIMIT ?`, ...values, limit).reverse();
}

/** Those of these entries that match, in the order of the ids. */
export function entriesAmong(db: Database, filter: JournalFilter, ids: readonly number[]): Row[] {
  const { sql, values } = where(filter);
  const query = `SELECT * FROM journal WHERE id IN (SELECT value FROM json_each(?)) AND ${sql}`;
  const found = new Map(db.all(query, JSON.stringify(ids), ...values).map((row) => [Number(row.id), row]));
  return ids.map((id) => found.get(id)).filter((row) => row !== undefined);
}

/** All that match after one entry and up to another, oldest first and read in pages. */
export function* entriesBetween(db: Database, filter: JournalFilter, after: number, upTo: number): Generator<Row> {
  const { sql, values } = where(filter);
  const query = `SELECT * FROM journal WHERE id > ? AND id <= ? AND ${sql} ORDER BY id LIMIT ${PAGE}`;
  for (let last = after; ; ) {
    const page = db.all(query, last, upTo, ...values);
    yield* page;
    if (page.length < PAGE) return;
    last = Number(page.at(-1)?.id);
  }
}

/** Names of sessions that begin like this; more than two are not worth counting. */
export function sessionsBeginning(db: Database, beginning: string): string[] {
  const query = "SELECT DISTINCT session FROM journal WHERE session >= ? AND session < ? ORDER BY session LIMIT 3";
  return db.all(query, beginning, `${beginning}\u{10ffff}`).map((row) => String(row.session));
}

export function entryWithId(db: Database, id: number): Row | undefined {
  return db.get("SELECT * FROM journal WHERE id = ?", id);
}

/** 0 when there is no entry. */
export function highestId(db: Database): number {
  return Number(db.get("SELECT COALESCE(MAX(id), 0) AS id FROM journal")?.id);
}

export interface JournalExtent {
  readonly entries: number;
  /** Epoch milliseconds; undefined when there is none. */
  readonly oldest: number | undefined;
  readonly newest: number | undefined;
}

export function countEntries(db: Database, filter: JournalFilter = {}): JournalExtent {
  const { sql, values } = where(filter);
  const extent = "COUNT(*) AS entries, MIN(at) AS oldest, MAX(at) AS newest";
  const row = db.get(`SELECT ${extent} FROM journal WHERE ${sql}`, ...values);
  const momentOf = (at: unknown): number | undefined => (at === null || at === undefined ? undefined : Number(at));
  return { entries: Number(row?.entries), oldest: momentOf(row?.oldest), newest: momentOf(row?.newest) };
}

/** Events of one kind, and how they were answered. */
export interface Count {
  readonly events: number;
  readonly sessions: number;
  readonly denied: number;
  readonly asked: number;
  readonly held: number;
  readonly approved: number;
}

const GROUPS = {
  day: "date(at / 1000, 'unixepoch', 'localtime')",
  agent: "agent",
  /** The policy that decided; events that passed have none. */
  policy: "nullif(policy, '')",
};

/** Counts events of agents; commands of a person and input that was no event are none. */
export function countBy(
  db: Database,
  filter: JournalFilter,
  group: keyof typeof GROUPS,
): (Count & { readonly name: string })[] {
  const { sql, values } = where(filter);
  const answered = (ruling: string, name: string): string => `SUM(ruling = '${ruling}') AS ${name}`;
  const rows = db.all(
    `SELECT ${GROUPS[group]} AS name, COUNT(*) AS events, COUNT(DISTINCT session) AS sessions, ${answered("deny", "denied")},
      ${answered("ask", "asked")}, ${answered("hold", "held")}, ${answered("approve", "approved")}
    FROM journal WHERE event NOT IN ('command', 'unknown', 'unreadable') AND ${sql} GROUP BY 1 HAVING name IS NOT NULL
    ORDER BY ${group === "day" ? "1" : "events DESC, 1"}`,
    ...values,
  );
  return rows.map(({ name, events, sessions, denied, asked, held, approved }) => ({
    name: String(name),
    events: Number(events),
    sessions: Number(sessions),
    denied: Number(denied),
    asked: Number(asked),
    held: Number(held),
    approved: Number(approved),
  }));
}

/**
 * Deletes entries below `end` so that nothing of them stays in the file, in short steps that hooks can get in between.
 * Returns how many went. Their keys go with them, so that no later entry can answer in their place.
 */
export function forgetEntries(db: Database, filter: Pick<JournalFilter, "session" | "before">, end: number): number {
  const { sql, values } = where(filter);
  const step = `(SELECT id FROM journal WHERE id < ${end} AND ${sql} ORDER BY id LIMIT ${PAGE})`;
  db.exec("PRAGMA secure_delete = ON");
  let forgotten = 0;
  for (let count = PAGE; count === PAGE; forgotten += count) {
    count = locked(db, () => {
      for (const table of ["keys", "false_alarms"]) db.run(`DELETE FROM ${table} WHERE journal IN ${step}`, ...values);
      return db.run(`DELETE FROM journal WHERE id IN ${step}`, ...values);
    });
  }
  // Delivered notes are part of the record; pending ones are not.
  locked(db, () => db.run(`DELETE FROM outbox WHERE delivered_by IS NOT NULL AND ${sql}`, ...values));
  const unused = unusedOrigins(db);
  locked(db, () => forgetOrigins(db, unused));
  db.exec("PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)");
  return forgotten;
}

function locked<T>(db: Database, work: () => T): T {
  const done = db.transaction(work);
  if (done === undefined) throw new Error("the database is being written by somebody else all the time");
  return done.value;
}
