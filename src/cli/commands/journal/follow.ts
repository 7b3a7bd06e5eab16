import fs from "node:fs";
import { Database } from "../../../state/database.ts";
import { entriesBetween, highestId, type JournalFilter, newestEntries } from "../../../state/journal-query.ts";
import { type JournalObject, journalObject } from "./entry.ts";

const BUSY_MS = 2_000;

export interface FollowOptions {
  readonly database: string;
  readonly filter: JournalFilter;
  /** How many of the existing entries are shown first (the newest ones). */
  readonly first: number | "all";
  readonly pollMs: number;
  readonly signal: AbortSignal;
  show(entry: JournalObject): void;
}

/** Shows new entries until the signal. The database may be created later or be replaced. */
export async function follow(options: FollowOptions): Promise<void> {
  const { database, filter, signal } = options;
  let open: { readonly db: Database; readonly inode: number } | undefined;
  let last = 0;
  try {
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      const inode = fs.statSync(database, { throwIfNoEntry: false })?.ino;
      if (open && open.inode !== inode) {
        open.db.close();
        open = undefined;
        last = 0;
      }
      if (!open && inode !== undefined) {
        open = { db: new Database(database, BUSY_MS, false), inode };
        if (isFirst && options.first !== "all") last = showNewest(open.db, options, options.first);
      }
      if (open) {
        const highest = highestId(open.db);
        for (const row of entriesBetween(open.db, filter, last, highest)) options.show(journalObject(open.db, row));
        // Can be lower than before when the newest entries were deleted; ids then continue from there.
        last = highest;
      }
      await pause(options.pollMs, signal);
    }
  } finally {
    open?.db.close();
  }
}

function showNewest(db: Database, { filter, show }: FollowOptions, count: number): number {
  const highest = highestId(db);
  const rows = count > 0 ? newestEntries(db, filter, count) : [];
  for (const row of rows) if (Number(row.id) <= highest) show(journalObject(db, row));
  return highest;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
  });
}
