import type { Database } from "../database.ts";
import type { Row, Value } from "../driver.ts";
import { type JournalFilter, where } from "../journal-query.ts";

/** A filter for a page; see `JournalFilter`. */
export interface PageFilter extends Omit<JournalFilter, "isDenied" | "before"> {
  readonly ruling?: string;
  /** Finds the newest entries before one, by words: their ids, the newest first. See `SearchIndex`. */
  readonly found?: (before: number) => readonly number[];
}

export interface JournalPage {
  /** The newest first. */
  readonly rows: readonly Row[];
  /** Where the next page begins; undefined at the end. A page may be short, or empty, although there is more. */
  readonly next: number | undefined;
}

/** Entries are looked at in windows of so many, and a page looks at no more than so many windows. */
const WINDOW = 2_000;
const MOST_WINDOWS = 10;
/** Counting ends here. */
export const MOST_COUNTED = 100_000;

/** All columns but the large ones; the body is among them, because it tells what an entry is about. */
export const ROW_COLUMNS =
  "id, at, agent, session, agent_id, project, event, agent_event, tool, tool_use_id, ruling, policy, reason, microseconds, body";

/** One page before an entry. What has to be read is bounded, however large the journal is. */
export function pageBefore(db: Database, filter: PageFilter, before: number | undefined, limit: number): JournalPage {
  const floor = firstEntrySince(db, filter.since);
  const rows: Row[] = [];
  let upper = before ?? Number.MAX_SAFE_INTEGER;
  for (let windows = 0; windows < MOST_WINDOWS && rows.length <= limit; windows++) {
    const window = windowBefore(db, filter, upper, floor);
    if (window === undefined) return pageOf(rows, limit, undefined);
    rows.push(...entriesIn(db, filter, window, limit + 1 - rows.length));
    upper = window.from;
  }
  return pageOf(rows, limit, upper);
}

function pageOf(rows: Row[], limit: number, next: number | undefined): JournalPage {
  if (rows.length <= limit) return { rows, next };
  const page = rows.slice(0, limit);
  return { rows: page, next: Number(page.at(-1)?.id) };
}

/** Counts what matches, the newest entries first, and takes turns with other work. */
export async function countMatching(db: Database, filter: PageFilter): Promise<number> {
  if (isEmptyFilter(filter)) return count(db, "TRUE", []);
  if (isOnly(filter, "session")) return count(db, "session = ?", [filter.session ?? ""]);
  const floor = firstEntrySince(db, filter.since);
  let found = 0;
  for (let upper = Number.MAX_SAFE_INTEGER, seen = 0; seen < MOST_COUNTED; ) {
    const window = windowBefore(db, filter, upper, floor);
    if (window === undefined) break;
    const { sql, values } = conditionsOf(filter, window);
    found += Number(db.get(`SELECT COUNT(*) AS n FROM journal NOT INDEXED WHERE ${sql}`, ...values)?.n);
    upper = window.from;
    seen += window.size;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return Math.min(found, MOST_COUNTED);
}

/** Reads an index and no entry. */
function count(db: Database, sql: string, values: readonly Value[]): number {
  const query = `SELECT COUNT(*) AS n FROM (SELECT 1 FROM journal WHERE ${sql} LIMIT ${MOST_COUNTED})`;
  return Number(db.get(query, ...values)?.n);
}

/** The first entry from this time on, or 0. Entries stand in the order of time, so a few looks find it. */
export function firstEntrySince(db: Database, since: number | undefined): number {
  if (since === undefined) return 0;
  const ends = db.get("SELECT (SELECT MIN(id) FROM journal) AS low, (SELECT MAX(id) FROM journal) AS high");
  let low = Number(ends?.low ?? 0);
  let high = Number(ends?.high ?? 0) + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const row = db.get("SELECT id, at FROM journal WHERE id >= ? ORDER BY id LIMIT 1", middle);
    if (row === undefined || Number(row.at) >= since) high = middle;
    else low = Number(row.id) + 1;
  }
  return low;
}

/** Entries with these ids, or all from one id to another; `from` is the lowest one. */
interface Window {
  readonly from: number;
  readonly to: number;
  readonly ids?: string;
  /** How many entries are looked at. */
  readonly size: number;
}

/** An index leads to the entries of one session and to denials; others are looked through in their order. */
function windowBefore(db: Database, filter: PageFilter, upper: number, floor: number): Window | undefined {
  const ids = idsBefore(db, filter, upper, floor);
  if (ids === undefined) {
    const newest = db.get("SELECT MAX(id) AS id FROM journal WHERE id < ?", upper)?.id;
    if (newest === null || newest === undefined || Number(newest) < floor) return undefined;
    return { from: Math.max(Number(newest) - WINDOW + 1, floor), to: Number(newest), size: WINDOW };
  }
  const [newest] = ids;
  const oldest = ids.at(-1);
  if (newest === undefined || oldest === undefined) return undefined;
  return { from: oldest, to: newest, ids: JSON.stringify(ids), size: ids.length };
}

/** Undefined for a filter that no index helps with. */
function idsBefore(db: Database, { found, session, ruling }: PageFilter, upper: number, floor: number) {
  if (found) return found(upper).filter((id) => id >= floor);
  const indexed = session !== undefined ? "session = ?" : ruling === "deny" ? "ruling = 'deny'" : "";
  if (indexed === "") return undefined;
  const query = `SELECT id FROM journal WHERE ${indexed} AND id < ? AND id >= ? ORDER BY id DESC LIMIT ${WINDOW}`;
  return db.all(query, ...(session === undefined ? [] : [session]), upper, floor).map(({ id }) => Number(id));
}

function entriesIn(db: Database, filter: PageFilter, window: Window, limit: number): Row[] {
  const { sql, values } = conditionsOf(filter, window);
  const query = `SELECT ${ROW_COLUMNS} FROM journal NOT INDEXED WHERE ${sql} ORDER BY id DESC LIMIT ?`;
  return db.all(query, ...values, limit);
}

function conditionsOf({ ruling, found: _found, ...filter }: PageFilter, { ids, from, to }: Window) {
  const base = where(filter);
  const conditions = [
    ids === undefined ? "id >= ? AND id <= ?" : "id IN (SELECT value FROM json_each(?))",
    base.sql,
    ...(ruling === undefined ? [] : ["ruling = ?"]),
  ];
  const values: Value[] = [
    ...(ids === undefined ? [from, to] : [ids]),
    ...base.values,
    ...(ruling === undefined ? [] : [ruling]),
  ];
  return { sql: conditions.join(" AND "), values };
}

function isEmptyFilter(filter: PageFilter): boolean {
  return Object.values(filter).every((value) => value === undefined);
}

function isOnly(filter: PageFilter, key: keyof PageFilter): boolean {
  const { [key]: given, ...others } = filter;
  return given !== undefined && isEmptyFilter(others);
}
