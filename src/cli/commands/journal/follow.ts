import fs from "node:fs";
import { Database } from "../../../state/database.ts";
import { entriesBetween, highestId, type JournalFilter, newestEntries } from "../../../state/journal-query.ts";
import { asObject, type JournalObject } from "./entry.ts";

const BUSY_MS = 2_000;

export interface FollowOptions {
  readonly database: string;
  readonly filter: JournalFilter;
  /** How many of the entries that are there already come first, the newest ones. */
  readonly first: number | "all";
  readonly pollMs: number;
  readonly signal: AbortSignal;
  show(entry: JournalObject): void;
}

/** Shows entries as they are recorded, until the signal. The database may still be missing, or be replaced. */
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
        for (const row of entriesBetween(open.db, filter, last, highest)) options.show(asObject(open.db, row));
        // Lower than before when the newest entries were forgotten; numbers begin again from there.
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
  for (const row of rows) if (Number(row.id) <= highest) show(asObject(db, row));
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
