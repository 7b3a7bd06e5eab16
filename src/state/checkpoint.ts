import type { Database } from "./database.ts";
import { isBusy } from "./driver.ts";

/** About as often as SQLite itself would move its log into the database. */
const EVERY_EVENTS = 100;
/** Leaves time to send the answer, and ends before the next event of a busy agent. */
const AFTER_MS = 5;
/** When no timer has run until the log has this many pages, SQLite checkpoints in the middle of an event. */
const LAST_RESORT_PAGES = 10_000;

export interface Checkpoints {
  begin(db: Database): void;
  afterEvent(db: Database): void;
  cancel(): void;
}

/**
 * Moves the write-ahead log into the database between events. SQLite itself does it at a commit, and then one event in a
 * hundred waits for the disk.
 */
export function checkpointBetweenEvents(): Checkpoints {
  let events = 0;
  /** A checkpoint failed. The next event meets the same problem and reports it; SQLite goes on with its own checkpoints. */
  let hasFailed = false;
  let timer: NodeJS.Timeout | undefined;

  function cancel(): void {
    clearTimeout(timer);
    timer = undefined;
  }

  return {
    begin: (db) => db.exec(`PRAGMA wal_autocheckpoint = ${LAST_RESORT_PAGES}`),
    afterEvent(db) {
      if (++events % EVERY_EVENTS !== 0 || timer || hasFailed) return;
      timer = setTimeout(() => {
        timer = undefined;
        try {
          db.exec("PRAGMA wal_checkpoint(PASSIVE)");
        } catch (error) {
          // While another process checkpoints, this one leaves it to a later time.
          hasFailed = !isBusy(error);
        }
      }, AFTER_MS);
      timer.unref();
    },
    cancel,
  };
}
