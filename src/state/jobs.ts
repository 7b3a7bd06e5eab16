import type { Json } from "../core/event.ts";
import type { Database } from "./database.ts";
import { maskJson, maskText } from "./masking.ts";

/** The lease of a claimed job. The lease of a process that has died ends at once. */
const LEASE_MS = 60_000;
/** The process that added a job also starts it; after this time others may. */
const START_MS = 2_000;
/** How often a job that another process runs is checked, because that process may die. */
const LOOK_MS = 1_000;
const TRIES = 5;

export interface Job {
  readonly id: number;
  readonly name: string;
  readonly args: Json;
  /** The environment of the hook that asked for the work. */
  readonly env: Readonly<Record<string, string>>;
  readonly tries: number;
  readonly holder: string;
}

/** A process that runs jobs, and how it detects that another one has died. */
export interface JobHolder {
  readonly name: string;
  isGone(other: string): boolean;
}

export interface JobSummary {
  readonly open: number;
  readonly failed: readonly { readonly id: number; readonly name: string; readonly error: string }[];
}

export function addJob(
  db: Database,
  name: string,
  args: Json,
  env: Readonly<Record<string, string>>,
  at: number,
): number {
  return db.insert(
    "INSERT INTO jobs (name, args, env, at, due_at) VALUES (?, ?, ?, ?, ?)",
    name,
    JSON.stringify(args),
    JSON.stringify(maskJson(env)),
    at,
    at,
  );
}

/** Claims one due job: of several runners that ask at once, each job goes to one. */
export function claimJob(db: Database, now: number, by: JobHolder, id?: number): Job | undefined {
  for (const { id: lost, holder } of heldJobs(db)) {
    if (by.isGone(holder)) db.run("UPDATE jobs SET due_at = ?, holder = '' WHERE id = ?", now, lost);
  }
  const row = db.get(
    `UPDATE jobs SET tries = tries + 1, due_at = ?1 + ${LEASE_MS}, holder = ?3
     WHERE id = (SELECT id FROM jobs WHERE done_at IS NULL AND due_at <= ?1 AND id = COALESCE(?2, id) ORDER BY due_at LIMIT 1)
     RETURNING id, name, args, env, tries, holder`,
    now,
    id ?? null,
    by.name,
  );
  if (!row) return undefined;
  return {
    id: Number(row.id),
    name: String(row.name),
    args: JSON.parse(String(row.args)) as Json,
    env: JSON.parse(String(row.env)) as Record<string, string>,
    tries: Number(row.tries),
    holder: String(row.holder),
  };
}

function heldJobs(db: Database): { id: number; holder: string }[] {
  const rows = db.all("SELECT id, holder FROM jobs WHERE done_at IS NULL AND holder <> ''");
  return rows.map((row) => ({ id: Number(row.id), holder: String(row.holder) }));
}

/** Jobs whose process was killed before it started them, or while it ran them. */
export function abandonedJobs(db: Database, now: number, by: Pick<JobHolder, "isGone">): number[] {
  if (db.recall("jobs", "SELECT EXISTS (SELECT 1 FROM jobs WHERE done_at IS NULL) AS is_open")?.is_open !== 1)
    return [];
  const waiting = db.all("SELECT id FROM jobs WHERE done_at IS NULL AND holder = '' AND due_at <= ?", now - START_MS);
  const lost = heldJobs(db).filter(({ holder }) => by.isGone(holder));
  return [...waiting.map((row) => Number(row.id)), ...lost.map(({ id }) => id)];
}

/**
 * After an error the job is retried later, each time after a longer pause; after the last try it stays as failed.
 * Returns false when the lease has ended and another process has the job.
 */
export function endJob(db: Database, job: Job, now: number, error: string): boolean {
  const isOver = error === "" || job.tries >= TRIES;
  const changed = db.run(
    // Only while the lease is still ours.
    "UPDATE jobs SET error = ?, due_at = ?, done_at = ?, holder = '' WHERE id = ? AND holder = ?",
    maskText(error),
    now + 1_000 * 4 ** (job.tries - 1),
    isOver ? now : null,
    job.id,
    job.holder,
  );
  return changed > 0;
}

/** When to look again; undefined when nothing is open. */
export function nextDue(db: Database, now: number): number | undefined {
  const row = db.get(
    "SELECT MIN(CASE WHEN holder = '' THEN due_at ELSE MIN(due_at, ?) END) AS due FROM jobs WHERE done_at IS NULL",
    now + LOOK_MS,
  );
  return row?.due === null || row === undefined ? undefined : Number(row.due);
}

export function summarizeJobs(db: Database): JobSummary {
  const failed = db.all(
    "SELECT id, name, error FROM jobs WHERE done_at IS NOT NULL AND error <> '' ORDER BY id DESC LIMIT 5",
  );
  return {
    open: Number(db.get("SELECT COUNT(*) AS n FROM jobs WHERE done_at IS NULL")?.n),
    failed: failed.map((row) => ({ id: Number(row.id), name: String(row.name), error: String(row.error) })),
  };
}

export const PRUNE = "journal/prune";
const PRUNE_EVERY_MS = 86_400_000;

/** Cleaning up once a day is enough, however many sessions start. */
export function isPruneDue(db: Database, now: number): boolean {
  return (
    db.get("SELECT 1 AS found FROM jobs WHERE name = ? AND at > ? LIMIT 1", PRUNE, now - PRUNE_EVERY_MS) === undefined
  );
}
