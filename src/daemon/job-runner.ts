import { describe } from "../core/errors.ts";
import { BESIDE } from "../engine/chunks.ts";
import { runDueJobs } from "../engine/jobs/run-jobs.ts";
import type { JobServices } from "../engine/jobs/run-queue.ts";
import { Database } from "../state/database.ts";
import { nextDue } from "../state/jobs.ts";
import { system } from "../system/system.ts";

/** While a job is open the runner checks at least this often, because the clock may jump. */
const LONGEST_WAIT_MS = 60_000;
const BUSY_MS = 1_000;

/** Runs jobs in the daemon: at once when an event left one behind, later when one has to be tried again. */
export function jobRunner(
  databaseFile: string,
  log: (line: string) => void,
  services: JobServices,
  build: string,
): { wake(): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let isRunning = false;

  function wakeIn(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => void run(), Math.min(LONGEST_WAIT_MS, Math.max(0, ms)));
  }

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    let due: number | undefined;
    try {
      // Its own connection: the engine may be in the middle of a transaction on the other one.
      const db = new Database(databaseFile, BUSY_MS, false);
      try {
        await runDueJobs(db, system, { services, build: () => build, compileConfig: BESIDE.compileConfig });
        due = nextDue(db, system.now());
      } finally {
        // Left open on a read-only file, it would keep every other connection of this process read-only as well.
        db.close();
      }
    } catch (error) {
      log(`jobs: ${describe(error)}`);
      due = system.now() + LONGEST_WAIT_MS;
    } finally {
      isRunning = false;
    }
    if (due !== undefined) wakeIn(due - system.now());
  }

  return { wake: () => wakeIn(0), stop: () => clearTimeout(timer) };
}
