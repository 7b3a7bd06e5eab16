import type { Database } from "./database.ts";
import { isBusy } from "./driver.ts";

/** About as many as SQLite would wait for by itself. */
const EVERY_EVENTS = 100;
/** Long enough for the answer to be sent, short enough to be over before a busy agent's next event. */
const AFTER_MS = 5;
/** Should no timer get its turn for so long, SQLite does it again in the middle of an event. */
const LAST_RESORT_PAGES = 10_000;

export interface Tidy {
  begin(db: Database): void;
  afterEvent(db: Database): void;
  cancel(): void;
}

/**
 * Moves what was written from the log into the database between events. SQLite does it at a commit, and then one event
 * in a hundred waits for the disk.
 */
export function tidyBetweenEvents(): Tidy {
  let events = 0;
  /** Something keeps it from working. The next event meets that too and says so; SQLite goes on in its own way. */
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
          // Another process is at it: then there is a next time.
          hasFailed = !isBusy(error);
        }
      }, AFTER_MS);
      timer.unref();
    },
    cancel,
  };
}
