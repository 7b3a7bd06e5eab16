import type { Reply } from "../core/frame.ts";
import type { Database } from "./database.ts";
import { oldestKey, replyIn } from "./journal.ts";
import { revisionIn, revisionsOf, type SnapshotOf, scopesOf } from "./sessions.ts";

export interface BeforeWrite {
  /** The answer that this very event has had already. */
  readonly reply: Reply | undefined;
  readonly revision: string;
  /** Is a file for other programs still to be written, or a line of one? */
  readonly hasOpenExports: boolean;
}

const SQL = `
  SELECT reply, sealed, ${revisionsOf(3)}, EXISTS (SELECT 1 FROM mirrors WHERE is_written = 0)
    OR EXISTS (SELECT 1 FROM appends) OR EXISTS (SELECT 1 FROM lines WHERE is_written = 0) AS has_exports
  FROM (SELECT 1) LEFT JOIN keys ON keys.key = ?1 AND keys.at > ?2 LEFT JOIN journal ON journal.id = keys.journal`;

export interface Arriving {
  readonly key: string;
  readonly body: Uint8Array;
  readonly of: SnapshotOf;
}

/** All that has to be looked at under the lock before an event is written, in one statement. */
export function lookBeforeWrite(db: Database, { key, body, of }: Arriving, now: number): BeforeWrite {
  const row = db.get(SQL, key, oldestKey(now), ...scopesOf(of));
  return {
    reply: row && replyIn(row, body),
    revision: revisionIn(row),
    hasOpenExports: row?.has_exports === 1,
  };
}
