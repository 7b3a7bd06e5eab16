import path from "node:path";
import { describe } from "../../core/errors.ts";
import type { EventName, Json } from "../../core/event.ts";
import type { Ports } from "../../core/ports.ts";
import { type Config, DEFAULT_CONFIG } from "../../core/settings/config.ts";
import type { Database } from "../../state/database.ts";
import { claimJob, endJob, type Job } from "../../state/jobs.ts";
import { addNote } from "../../state/outbox.ts";
import { bumpRevision } from "../../state/sessions.ts";
import { sessionScope } from "../../state/stores.ts";
import { crashPoint } from "../../system/crash-point.ts";
import { homeAt } from "../../system/home.ts";
import { homeFolder } from "../../system/user-folders.ts";
import type { ConfigCompiler } from "../chunks.ts";
import { findConfigFiles, readConfigSources } from "../config/config-files.ts";
import { thisProcess } from "./job-holder.ts";

/** Work that only the daemon can do. */
export interface JobServices {
  serveTeams(atmHome: string): Promise<{ readonly owner: string }>;
}

/** What the model of one session is told with the next event of that name. */
export interface JobNote {
  readonly agent: string;
  readonly session: string;
  readonly event: EventName;
  /** The policy that asked for the work. */
  readonly policy: string;
  readonly text: string;
}

export interface JobWorld {
  readonly db: Database;
  readonly ports: Ports;
  readonly services: JobServices | undefined;
  /** Names the build that runs the job. */
  build(): string;
  readonly env: Readonly<Record<string, string>>;
  /** The person's own configuration, without that of any project. */
  personConfig(): Promise<Config>;
  /** The note is left in the transaction that ends the job, so a job that fails or runs twice does not leave it twice. */
  leaveNote(note: JobNote): void;
}

export type JobHandler = (args: Json, world: JobWorld) => Promise<void> | void;
export type JobHandlers = Readonly<Record<string, JobHandler>>;

export interface JobRun {
  readonly build?: () => string;
  /** Called only for jobs that need the configuration. Without it they get the default one. */
  readonly compileConfig?: ConfigCompiler;
  /** Run only the job with this number. */
  readonly only?: number;
  readonly services?: JobServices;
}

/** Runs all due jobs, one after the other, and returns how many ran. */
export async function runQueue(
  db: Database,
  ports: Ports,
  handlers: JobHandlers,
  { only, services, build = () => "", compileConfig }: JobRun,
): Promise<number> {
  const personConfig = async (): Promise<Config> => {
    const home = homeAt(path.dirname(db.file), homeFolder(), ports.realPath);
    const { sources } = readConfigSources(home, findConfigFiles(home, "", ""));
    return compileConfig ? compileConfig(sources) : DEFAULT_CONFIG;
  };
  let count = 0;
  for (let job = claim(db, ports, only); job; job = claim(db, ports, only)) {
    crashPoint(path.dirname(db.file), "job-claimed");
    const notes: JobNote[] = [];
    const leaveNote = (note: JobNote): void => void notes.push(note);
    const error = await run(handlers, job, { db, ports, services, build, env: job.env, personConfig, leaveNote });
    end(db, job, ports.now(), error, notes);
    count++;
  }
  return count;
}

function claim(db: Database, ports: Ports, only: number | undefined): Job | undefined {
  return db.transaction(() => claimJob(db, ports.now(), thisProcess(), only))?.value;
}

function end(db: Database, job: Job, now: number, error: string, notes: readonly JobNote[]): void {
  db.transaction(() => {
    const isOurs = endJob(db, job, now, error);
    // Otherwise the runner that has the job now leaves the notes.
    if (!isOurs || error !== "") return;
    for (const { event, policy, text, agent, session } of notes) {
      const ref = { agent, session, agentId: "", project: "" };
      addNote(db, ref, event, policy, text, now);
      bumpRevision(db, sessionScope(ref));
    }
  });
}

async function run(handlers: JobHandlers, job: Job, world: JobWorld): Promise<string> {
  const handler = handlers[job.name];
  if (!handler) return `no such work: ${job.name}`;
  try {
    await handler(job.args, world);
    return "";
  } catch (error) {
    return describe(error) || "failed without a word";
  }
}
