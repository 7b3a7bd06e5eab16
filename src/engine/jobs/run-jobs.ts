import os from "node:os";
import path from "node:path";
import { describe } from "../../core/errors.ts";
import type { Json } from "../../core/event.ts";
import type { Ports } from "../../core/ports.ts";
import { SHOW_ACTIVITY_JOB, type ShowActivityArgs } from "../../domain/lifecycle/fleet.ts";
import { RESTART_JOB, type RestartArgs } from "../../domain/session/handover/restart.ts";
import { TYPE_JOB, typeInto } from "../../domain/session/handover/type-into-pane.ts";
import { atmPathsIn } from "../../domain/team/atm-paths.ts";
import type { TeamRequest } from "../../domain/team/protocol.ts";
import { REPORT_JOB } from "../../domain/team/report-lifecycle.ts";
import { askSocket } from "../../domain/team/socket-client.ts";
import { expireSnapshots } from "../../domain/undo/expire.ts";
import type { Database } from "../../state/database.ts";
import { claimJob, endJob, type Job, PRUNE } from "../../state/jobs.ts";
import { believableTime, DEFAULT_RETENTION, prune } from "../../state/retention.ts";
import { crashPoint } from "../../system/crash-point.ts";
import { resolveHome } from "../../system/home.ts";
import { thisProcess } from "./job-holder.ts";
import { restartAgent } from "./restart-agent.ts";
import { showActivity } from "./show-activity.ts";

/** Work that only the daemon can do. */
export interface JobServices {
  serveTeams(atmHome: string): Promise<{ readonly owner: string }>;
}

interface JobWorld {
  readonly db: Database;
  readonly ports: Ports;
  readonly services: JobServices | undefined;
  readonly env: Readonly<Record<string, string>>;
}

type JobHandler = (args: Json, world: JobWorld) => Promise<void> | void;

/** Work that outlives a hook, by name. A job may run twice after a crash, so each must bear that. */
const HANDLERS: Readonly<Record<string, JobHandler>> = {
  [PRUNE]: async (_args, { db, ports, env }) => {
    const now = believableTime(db, ports.now());
    await prune(db, DEFAULT_RETENTION, ports.now());
    await expireSnapshots({ folder: resolveHome(env, os.homedir(), ports.realPath).undo }, env, now);
  },
  async [REPORT_JOB](args, { services }) {
    const { home, request } = args as unknown as { home: string; request: TeamRequest };
    // The registry of our own socket has it already: the event that added this job wrote it there.
    if (services && (await services.serveTeams(home)).owner === "us") return;
    await askSocket(atmPathsIn(home).socket, request);
  },
  [TYPE_JOB]: (args, { ports, env }) => typeInto(args, ports, env),
  [RESTART_JOB]: (args, { db, ports, env }) => restartAgent(args as unknown as RestartArgs, db, ports, env),
  [SHOW_ACTIVITY_JOB]: (args, { db, ports, env }) => showActivity(args as unknown as ShowActivityArgs, db, ports, env),
};

export interface JobRun {
  /** Run only the job with this number. */
  readonly only?: number;
  readonly services?: JobServices;
}

/** Runs all due jobs, one after the other, and returns how many ran. */
export async function runDueJobs(db: Database, ports: Ports, { only, services }: JobRun = {}): Promise<number> {
  let count = 0;
  for (let job = claim(db, ports, only); job; job = claim(db, ports, only)) {
    crashPoint(path.dirname(db.file), "job-claimed");
    const error = await run(job, { db, ports, services });
    db.transaction(() => endJob(db, job as Job, ports.now(), error));
    count++;
  }
  return count;
}

function claim(db: Database, ports: Ports, only: number | undefined): Job | undefined {
  return db.transaction(() => claimJob(db, ports.now(), thisProcess(), only))?.value;
}

async function run(job: Job, world: Omit<JobWorld, "env">): Promise<string> {
  const handler = HANDLERS[job.name];
  if (!handler) return `no such work: ${job.name}`;
  try {
    await handler(job.args, { ...world, env: job.env });
    return "";
  } catch (error) {
    return describe(error) || "failed without a word";
  }
}
