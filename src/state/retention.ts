import type { Database } from "./database.ts";

const DAY_MS = 86_400_000;

export interface Retention {
  readonly days: number;
  readonly megabytes: number;
}

export const DEFAULT_RETENTION: Retention = { days: 30, megabytes: 256 };

/** Rows per step: each step is a short transaction of its own, so hooks never wait for the clean-up. */
const STEP = 500;

/** Removes what is too old, then the oldest of what is too much. Returns how many journal rows went. */
export function prune(db: Database, retention: Retention, now: number): number {
  let removed = 0;
  const step = (sql: string, ...values: number[]): number => db.transaction(() => db.run(sql, ...values))?.value ?? 0;
  const before = now - retention.days * DAY_MS;
  for (let count = STEP; count === STEP; removed += count) {
    count = step(
      `DELETE FROM journal WHERE id IN (SELECT id FROM journal WHERE at < ? ORDER BY id LIMIT ${STEP})`,
      before,
    );
  }
  while (usedBytes(db) > retention.megabytes * 1_048_576) {
    const count = step(`DELETE FROM journal WHERE id IN (SELECT id FROM journal ORDER BY id LIMIT ${STEP})`);
    removed += count;
    if (count === 0) break;
  }
  step("DELETE FROM keys WHERE at < ?", now - DAY_MS);
  step("DELETE FROM outbox WHERE at < ?", before);
  step("DELETE FROM jobs WHERE done_at < ?", before);
  db.exec("PRAGMA incremental_vacuum");
  return removed;
}

function usedBytes(db: Database): number {
  const read = (name: string): number => Number(Object.values(db.get(`PRAGMA ${name}`) ?? {})[0] ?? 0);
  return (read("page_count") - read("freelist_count")) * read("page_size");
}
