import { describe } from "../../../core/errors.ts";
import { isGone } from "../../../engine/jobs/job-holder.ts";
import { Database } from "../../../state/database.ts";
import { abandonedJobs } from "../../../state/jobs.ts";
import type { CommandContext } from "../../command.ts";
import { homeOf } from "../../installation/current-build.ts";
import { startJobs } from "../../state/start-jobs.ts";

const LOOK_MS = 1_000;
const BUSY_MS = 200;
/** The time that a started process has to take over a job, before the job is started again. */
const START_MS = 5_000;

/**
 * Restarts jobs whose process was killed. Normally the next event does that, but an agent that waits for its restart
 * causes no events. Returns a function that stops this.
 */
export function restartAbandonedJobs(context: Pick<CommandContext, "env" | "err">): () => void {
  const { database } = homeOf(context.env);
  const started = new Map<number, number>();
  let db: Database | undefined;
  let problem = "";

  function look(): void {
    try {
      // Kept open, because closing the last connection makes SQLite clean up its files every time.
      db ??= new Database(database, BUSY_MS, false);
      db.refresh();
      const now = Date.now();
      const ids = abandonedJobs(db, now, { isGone }).filter((id) => now - (started.get(id) ?? 0) > START_MS);
      for (const id of ids) started.set(id, now);
      if (ids.length > 0) startJobs(context, ids);
      problem = "";
    } catch (error) {
      problem = describe(error);
      db = undefined;
    }
  }

  const timer = setInterval(look, LOOK_MS);
  return () => {
    clearInterval(timer);
    db?.close();
    // Printed at the end, because until then the agent uses the screen.
    if (problem !== "") context.err(`hookwright: background work could not be run: ${problem}`);
  };
}
