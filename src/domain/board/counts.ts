import fs from "node:fs";
import { describe, HookwrightError } from "../../core/errors.ts";
import { type Connection, isBusy, isCorrupt, openReadOnly, type Row } from "../../state/driver.ts";
import { boardPlace } from "./place.ts";
import { BOARD_VERSION, ENDED_AT } from "./schema.ts";

/** An open task, for a text that an agent or a person reads. */
export interface OpenTask {
  readonly id: string;
  /** Cut after 300 characters. */
  readonly text: string;
  /** The agent that holds the task. */
  readonly agent?: string;
}

export interface BoardCounts {
  readonly total: number;
  /** Tasks with an expired lease count as pending. */
  readonly pending: number;
  readonly claimed: number;
  readonly done: number;
  readonly failed: number;
  /** The first 5 pending or claimed tasks, in the order in which they are claimed. */
  readonly open: readonly OpenTask[];
  /** When a task was completed or failed last, in whichever round; absent while none is. */
  readonly lastEndedAt?: number;
  /** The swarm was ended: its open tasks cannot be claimed until `swarm init`. */
  readonly isEnded: boolean;
}

export interface ListedTask {
  readonly id: string;
  /** Cut after 300 characters. */
  readonly text: string;
  /** A claimed task with an expired lease is pending. */
  readonly state: string;
  /** The agent that holds it; empty for none. */
  readonly owner: string;
}

export interface UnreadableBoard {
  /** A sentence that names the file. */
  readonly unreadable: string;
}

const BUSY_MS = 50;

/**
 * What a hook reads of a project's board; undefined if it has none. Makes no file and never throws. The result must not be
 * kept by the file's time of change: with a log, a commit changes only the log.
 */
export function boardCounts(root: string, now: number): BoardCounts | UnreadableBoard | undefined {
  return lookAt(root, (connection) => query(connection, now));
}

/** The tasks of a project's board, those that are claimed first in front; with the same promises as `boardCounts`. */
export function boardTasks(root: string, now: number): readonly ListedTask[] | UnreadableBoard | undefined {
  return lookAt(root, (connection) => connection.prepare(TASKS).all(now).map(listedTask));
}

function lookAt<T>(root: string, look: (connection: Connection) => T): T | UnreadableBoard | undefined {
  let file = "";
  try {
    file = boardPlace(root).file;
    const before = stampOf(file);
    if (before === undefined) return undefined;
    if (!isInUse(file)) {
      const answer = answerOf(() => read(file, true, look));
      // A process that opened the board meanwhile has made a log, or has changed the file and closed it again.
      if (!isInUse(file) && stampOf(file) === before) return answer();
    }
    return read(file, false, look);
  } catch (error) {
    return { unreadable: explain(error, file, root) };
  }
}

/** Does the work now, and returns or throws its outcome when it is asked for. */
function answerOf<T>(work: () => T): () => T {
  try {
    const value = work();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/** An open database has a log, or a journal while it is written. After a crash they stay, and have to be read too. */
function isInUse(file: string): boolean {
  return fs.existsSync(`${file}-wal`) || fs.existsSync(`${file}-journal`);
}

function stampOf(file: string): string | undefined {
  const stat = fs.statSync(file, { throwIfNoEntry: false, bigint: true });
  return stat && `${stat.ino} ${stat.size} ${stat.mtimeNs}`;
}

/** One statement, so that all values are of the same moment. */
const COUNTS = `
WITH free AS (SELECT * FROM tasks WHERE status = 'pending' ORDER BY priority DESC, number LIMIT 5),
held AS (SELECT * FROM tasks WHERE status = 'claimed' ORDER BY priority DESC, number LIMIT 5),
open AS (SELECT * FROM (SELECT * FROM free UNION ALL SELECT * FROM held) ORDER BY priority DESC, number LIMIT 5)
SELECT
  (SELECT json_group_object(status, n) FROM (SELECT status, COUNT(*) AS n FROM tasks GROUP BY status)) AS counts,
  (SELECT COUNT(*) FROM tasks WHERE status = 'claimed' AND lease_until <= ?1) AS expired,
  (SELECT json_group_array(json_array(id, substr(CAST(description AS TEXT), 1, 300),
    CASE WHEN status = 'claimed' AND lease_until > ?1 THEN claimed_by END)) FROM open) AS open,
  (SELECT MAX(completed_at) FROM tasks WHERE status IN ('done', 'failed')) AS last_ended,
  EXISTS (SELECT 1 FROM schema_info WHERE key = '${ENDED_AT}') AS ended`;

/** Open tasks in the order in which they are claimed, then those that ended last. */
const TASKS = `
SELECT id, substr(CAST(description AS TEXT), 1, 300) AS text, claimed_by,
  CASE WHEN status = 'claimed' AND lease_until <= ?1 THEN 'pending' ELSE status END AS state
FROM tasks ORDER BY status IN ('done', 'failed'), completed_at DESC, priority DESC, number LIMIT 500`;

function listedTask({ id, text, state, claimed_by: owner }: Row): ListedTask {
  const isHeld = state !== "pending" && owner !== null;
  return { id: String(id), text: String(text), state: String(state), owner: isHeld ? String(owner) : "" };
}

function read<T>(file: string, isUnused: boolean, look: (connection: Connection) => T): T | undefined {
  const connection = openReadOnly(file, isUnused);
  try {
    connection.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
    return versionOf(connection) < BOARD_VERSION ? undefined : look(connection);
  } finally {
    connection.close();
  }
}

function versionOf(connection: Connection): number {
  return Number(connection.prepare("PRAGMA user_version").all()[0]?.user_version);
}

/** Reads to the end with `all`: libsql keeps the read lock of an unfinished statement after `close`. */
function query(connection: Connection, now: number): BoardCounts {
  const [row = {}] = connection.prepare(COUNTS).all(now);
  const counts = JSON.parse(String(row.counts)) as Partial<Record<string, number>>;
  const { pending = 0, claimed = 0, done = 0, failed = 0 } = counts;
  const expired = Number(row.expired);
  const open = JSON.parse(String(row.open)) as [string, string, string | null][];
  return {
    total: pending + claimed + done + failed,
    pending: pending + expired,
    claimed: claimed - expired,
    done,
    failed,
    open: open.map(([id, text, agent]) => ({ id, text, ...(agent === null ? {} : { agent }) })),
    ...(row.last_ended === null ? {} : { lastEndedAt: Number(row.last_ended) }),
    isEnded: row.ended === 1,
  };
}

function explain(error: unknown, file: string, root: string): string {
  if (error instanceof HookwrightError) return error.message;
  const board = file === "" ? `The task board of ${root}` : `The task board ${file}`;
  if (isBusy(error)) return `${board} is locked by another program.`;
  return isCorrupt(error)
    ? `${board} is damaged: ${describe(error)}.`
    : `${board} could not be read: ${describe(error)}.`;
}
