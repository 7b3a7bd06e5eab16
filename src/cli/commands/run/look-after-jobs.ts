import { describe } from "../../../core/errors.ts";
import { isGone } from "../../../engine/jobs/job-holder.ts";
import { Database } from "../../../state/database.ts";
import { abandonedJobs } from "../../../state/jobs.ts";
import type { CommandContext } from "../../command.ts";
import { homeOf } from "../../installation/installation.ts";
import { startJobs } from "../../state/start-jobs.ts";

const LOOK_MS = 1_000;
const BUSY_MS = 200;
/** A process that was started to do them has this long to begin. */
const START_MS = 5_000;

/**
 * A restart that somebody was killed over is taken up again at once: an agent whose turn has ended causes no event, so
 * nobody else would come by. Returns how to stop looking.
 */
export function lookAfterJobs(context: Pick<CommandContext, "env" | "err">): () => void {
  const { database } = homeOf(context.env);
  const started = new Map<number, number>();
  let db: Database | undefined;
  let problem = "";

  function look(): void {
    try {
      // Kept open: whoever closes a database last has to tidy it up.
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
    // Said at the end: until then the screen is the agent's.
    if (problem !== "") context.err(`hookwright: background work could not be run: ${problem}`);
  };
}
