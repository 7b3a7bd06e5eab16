import type { Database } from "./database.ts";
import { forgetOrigins, unusedOrigins } from "./origins.ts";
import { sessionScope } from "./stores.ts";

const DAY_MS = 86_400_000;

export interface Retention {
  readonly days: number;
  readonly megabytes: number;
}

export const DEFAULT_RETENTION: Retention = { days: 30, megabytes: 256 };

/** Rows, sessions and pages per step. Each is a short transaction with a pause after it, so that no hook waits for the clean-up. */
const STEP = 100;
const PAGES = 200;
/** Entries are in the order of time unless a clock was wrong; after so many younger entries the search ends. */
const YOUNG = 1_000;

/** Deletes what is too old, then the oldest rows beyond the size limit. Returns how many journal rows were deleted. */
export async function prune(db: Database, retention: Retention, clock: number): Promise<number> {
  const short = async <T>(work: () => T): Promise<T | undefined> => {
    await new Promise((resolve) => setImmediate(resolve));
    return db.transaction(work)?.value;
  };
  const step = async (sql: string, ...values: number[]): Promise<number> =>
    (await short(() => db.run(sql, ...values))) ?? 0;
  const now = believableTime(db, clock);
  const before = now - retention.days * DAY_MS;
  let removed = 0;
  for (let from = 0, young = 0; young < YOUNG; ) {
    const next = `SELECT MAX(id) AS last FROM (SELECT id FROM journal WHERE id > ? ORDER BY id LIMIT ${STEP})`;
    const last = Number(db.get(next, from)?.last ?? 0);
    if (last === 0) break;
    const count = await step("DELETE FROM journal WHERE id > ? AND id <= ? AND at < ?", from, last, before);
    removed += count;
    young = count === 0 ? young + STEP : 0;
    from = last;
  }
  while (usedBytes(db) > retention.megabytes * 1_048_576) {
    const count = await step(`DELETE FROM journal WHERE id IN (SELECT id FROM journal ORDER BY id LIMIT ${STEP})`);
    removed += count;
    if (count === 0) break;
  }
  await step("DELETE FROM keys WHERE at < ?", now - DAY_MS);
  await step("DELETE FROM lines WHERE is_written = 1 AND at < ?", now - DAY_MS);
  await step("DELETE FROM outbox WHERE at < ?", before);
  await step("DELETE FROM false_alarms WHERE at < ?", before);
  await step("DELETE FROM jobs WHERE done_at < ?", before);
  const unused = unusedOrigins(db);
  await short(() => forgetOrigins(db, unused));
  while ((await short(() => forgetSessions(db, before))) === STEP);
  for (let free = freePages(db), left = free + 1; free > 0 && free < left; free = freePages(db)) {
    left = free;
    await short(() => db.exec(`PRAGMA incremental_vacuum(${PAGES})`));
  }
  return removed;
}

/**
 * What the clock says, unless it seems to have jumped ahead: then what is old by it may be of today. Time has passed
 * where something was recorded, so it is believed up to two days after the last entry that is older than a day. Who
 * comes back after a long pause is believed from the second day on.
 */
export function believableTime(db: Database, clock: number): number {
  const last = lastEntryBefore(db, clock - DAY_MS);
  return last === undefined ? clock : Math.min(clock, last + 2 * DAY_MS);
}

/** By halves, because entries come in the order of time, and there is no index that would cost every event something. */
function lastEntryBefore(db: Database, limit: number): number | undefined {
  const at = (id: number): number =>
    Number(db.get("SELECT at FROM journal WHERE id <= ? ORDER BY id DESC LIMIT 1", id)?.at);
  const { first, last } = db.get("SELECT MIN(id) AS first, MAX(id) AS last FROM journal") ?? {};
  if (typeof first !== "number" || typeof last !== "number" || at(first) > limit) return undefined;
  let [old, young] = [first, last + 1];
  while (young - old > 1) {
    const middle = Math.floor((old + young) / 2);
    if (at(middle) > limit) young = middle;
    else old = middle;
  }
  return at(old);
}

/** Everything that is known of sessions without an event for so long. Returns how many there were, at most a step's. */
function forgetSessions(db: Database, before: number): number {
  const over = db.all(`SELECT agent, session FROM sessions WHERE last_at < ? LIMIT ${STEP}`, before);
  for (const { agent, session } of over) {
    const ref = { agent: String(agent), session: String(session), agentId: "", project: "" };
    db.run("DELETE FROM entries WHERE scope = ?", sessionScope(ref));
    db.run("DELETE FROM revisions WHERE scope = ?", sessionScope(ref));
    db.run("DELETE FROM arbiters WHERE agent = ? AND session = ?", ref.agent, ref.session);
    db.run("DELETE FROM sessions WHERE agent = ? AND session = ?", ref.agent, ref.session);
  }
  return over.length;
}

function freePages(db: Database): number {
  return numberOf(db, "freelist_count");
}

function usedBytes(db: Database): number {
  return (numberOf(db, "page_count") - freePages(db)) * numberOf(db, "page_size");
}

function numberOf(db: Database, pragma: string): number {
  return Number(Object.values(db.get(`PRAGMA ${pragma}`) ?? {})[0] ?? 0);
}
