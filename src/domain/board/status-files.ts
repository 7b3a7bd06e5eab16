import fs from "node:fs";
import path from "node:path";
import { describe, HookwrightError } from "../../core/errors.ts";
import type { BoardOverview } from "./board.ts";
import { BoardFile } from "./board-file.ts";
import { takeBackExpired } from "./leases.ts";
import type { BoardEnvironment } from "./open-board.ts";
import { boardPlace } from "./place.ts";

/**
 * Two files that other programs of oh-my-claudecode read instead of the database. Each is derived from the database while
 * this process has its write lock, and replaced by a rename. So a reader sees a whole file, and of several writers the
 * last one has seen the changes of all of them. A process that is killed between its change and the files leaves them as
 * they were before; every later command that changes the board, and `status`, writes them again.
 */
const SUMMARY = "swarm-summary.json";
/** Exists while the board has open tasks and was not ended. */
const MARKER = "swarm-active.marker";

const TRIES = 3;

/** What both files say. */
interface Facts {
  readonly session: string;
  readonly startedAt: number;
  readonly agents: number;
  readonly isActive: boolean;
  readonly pending: number;
  readonly claimed: number;
  readonly done: number;
  readonly total: number;
}

/** Throws a HookwrightError that names the file. The board itself has its change already. */
export function writeStatusFiles(root: string, { now, uid }: BoardEnvironment, busyMs: number): void {
  const { file } = boardPlace(root);
  const folder = path.dirname(file);
  const db = new BoardFile(file, busyMs);
  try {
    db.transaction(() => {
      takeBackExpired(db, now());
      const facts = readFacts(db);
      replace(path.join(folder, SUMMARY), { ...summaryOf(facts, root), updated_at: new Date(now()).toISOString() });
      const marker = path.join(folder, MARKER);
      if (isMarked(facts)) replace(marker, markerOf(facts));
      else remove(marker, uid);
    });
  } finally {
    db.close();
  }
}

/** Do the files say what this overview says? */
export function areStatusFilesCurrent(root: string, overview: BoardOverview): boolean {
  const folder = path.dirname(boardPlace(root).file);
  const facts = factsOf(overview);
  const marker = readJson(path.join(folder, MARKER));
  return (
    isSame(readJson(path.join(folder, SUMMARY)), summaryOf(facts, root)) &&
    (isMarked(facts) ? isSame(marker, markerOf(facts)) : marker === undefined)
  );
}

function readFacts(db: BoardFile): Facts {
  const session = db.get("SELECT * FROM swarm_session") ?? {};
  const counts = new Map(
    db.all("SELECT status, COUNT(*) AS n FROM tasks GROUP BY status").map(({ status, n }) => [status, Number(n)]),
  );
  return {
    session: String(session.session_id),
    startedAt: Number(session.started_at),
    agents: Number(session.agent_count),
    isActive: session.active === 1,
    pending: counts.get("pending") ?? 0,
    claimed: counts.get("claimed") ?? 0,
    done: counts.get("done") ?? 0,
    total: [...counts.values()].reduce((sum, n) => sum + n, 0),
  };
}

function factsOf({ session, startedAt, expectedAgents = 0, isActive, tasks }: BoardOverview): Facts {
  const count = (status: string): number => tasks.filter((task) => task.status === status).length;
  const [pending, claimed, done] = [count("pending"), count("claimed"), count("done")];
  return { session, startedAt, agents: expectedAgents, isActive, pending, claimed, done, total: tasks.length };
}

function summaryOf({ session, startedAt, isActive, pending, claimed, done, total }: Facts, root: string): object {
  return {
    session_id: session,
    started_at: new Date(startedAt).toISOString(),
    task_count: total,
    tasks_pending: pending,
    tasks_claimed: claimed,
    tasks_done: done,
    active: isActive,
    project_path: root,
  };
}

function isMarked({ isActive, pending, claimed }: Facts): boolean {
  return isActive && pending + claimed > 0;
}

function markerOf({ startedAt, agents, total }: Facts): object {
  return { mode: "swarm", startedAt: new Date(startedAt).toISOString(), agentCount: agents, taskCount: total };
}

function isSame(found: unknown, wanted: object): boolean {
  if (typeof found !== "object" || found === null) return false;
  const values = new Map(Object.entries(found));
  return Object.entries(wanted).every(([key, value]) => values.get(key) === value);
}

/** Undefined for a missing file; null for anything that is not JSON, so that it is written again. */
function readJson(file: string): unknown {
  try {
    return JSON.parse(fs.readFileSync(file, "utf8"));
  } catch (error) {
    return isMissing(error) ? undefined : null;
  }
}

/** The draft always has the same name, because only the process with the lock writes it: a killed one leaves at most one. */
function replace(file: string, content: object): void {
  const draft = `${file}.tmp`;
  for (let left = TRIES; ; left--) {
    try {
      fs.rmSync(draft, { force: true });
      fs.writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flag: "wx" });
      fs.renameSync(draft, file);
      return;
    } catch (error) {
      // The other system removes drafts of everybody when a session ends.
      if (isMissing(error) && left > 1) continue;
      throw new HookwrightError("HW_WRITE_FAILED", { file, detail: describe(error) }, error);
    }
  }
}

/** Only a plain file of ours: never a link, never a folder. */
function remove(file: string, uid: number): void {
  try {
    const stat = fs.lstatSync(file, { throwIfNoEntry: false });
    if (stat?.isFile() && stat.uid === uid) fs.rmSync(file, { force: true });
  } catch (error) {
    throw new HookwrightError("HW_WRITE_FAILED", { file, detail: describe(error) }, error);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
