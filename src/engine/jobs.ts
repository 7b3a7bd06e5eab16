import { describe } from "../core/errors.ts";
import type { Json } from "../core/event.ts";
import type { Ports } from "../core/ports.ts";
import type { Database } from "../state/database.ts";
import { claimJob, endJob, type Job, PRUNE } from "../state/jobs.ts";
import { DEFAULT_RETENTION, prune } from "../state/retention.ts";

interface JobWorld {
  readonly db: Database;
  readonly ports: Ports;
  readonly env: Readonly<Record<string, string>>;
}

type JobHandler = (args: Json, world: JobWorld) => Promise<void> | void;

/** Work that outlives a hook, by name. A job may run twice after a crash, so each must bear that. */
const HANDLERS: Readonly<Record<string, JobHandler>> = {
  [PRUNE]: async (_args, { db, ports }) => {
    await prune(db, DEFAULT_RETENTION, ports.now());
  },
};

/** Runs what is due, one after the other, and returns how many jobs that were. With `only`, just that one. */
export async function runDueJobs(db: Database, ports: Ports, only?: number): Promise<number> {
  let count = 0;
  for (let job = claim(db, ports, only); job; job = claim(db, ports, only)) {
    const error = await run(job, db, ports);
    db.transaction(() => endJob(db, job as Job, ports.now(), error));
    count++;
  }
  return count;
}

function claim(db: Database, ports: Ports, only: number | undefined): Job | undefined {
  return db.transaction(() => claimJob(db, ports.now(), only))?.value;
}

async function run(job: Job, db: Database, ports: Ports): Promise<string> {
  const handler = HANDLERS[job.name];
  if (!handler) return `no such work: ${job.name}`;
  try {
    await handler(job.args, { db, ports, env: job.env });
    return "";
  } catch (error) {
    return describe(error) || "failed without a word";
  }
}
