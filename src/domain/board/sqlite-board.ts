import type { HookwrightError } from "../../core/errors.ts";
import type { Row } from "../../state/driver.ts";
import {
  type Board,
  type BoardChange,
  type BoardClaim,
  type BoardOverview,
  type BoardTask,
  LEASE_MS,
  type NewTask,
} from "./board.ts";
import type { BoardFile } from "./board-file.ts";
import { firstEpoch, nextTaskNumber, recordChange } from "./history.ts";
import { makePending, takeBackExpired } from "./leases.ts";
import { leaseEnded, notFailed, notHeld, type RecordedClaim, unknownTask } from "./refusals.ts";
import { endedAt, endRound, noteWhetherOpen } from "./round.ts";
import { agentFromRow, changeFromRow, TASK_QUERY, taskFromRow } from "./rows.ts";

const NEXT = `
SELECT id FROM tasks WHERE status = 'pending' AND NOT EXISTS (
  SELECT 1 FROM dependencies JOIN tasks AS needed ON needed.id = dependencies.needs
  WHERE dependencies.task = tasks.id AND needed.status <> 'done'
) ORDER BY priority DESC, number LIMIT 1`;

/** The result of a step, or its refusal. Both commit the transaction, because expired leases were taken back in it. */
type Outcome<T> = { readonly value: T } | { readonly refusal: HookwrightError };

/** A step contains no `await`, so that no other step of this process can run before its commit. */
export class SqliteBoard implements Board {
  readonly #db: BoardFile;
  readonly #now: () => number;

  /** The database must already have its tables. */
  constructor(db: BoardFile, now: () => number) {
    this.#db = db;
    this.#now = now;
  }

  async add({ text, priority, after }: NewTask): Promise<BoardTask> {
    return this.#step((now) => {
      const needs = after.map((name) => ({ name, task: this.#find(name) }));
      const unknown = needs.find(({ task }) => task === undefined);
      if (unknown) return { refusal: unknownTask(unknown.name) };
      const number = nextTaskNumber(this.#db);
      const id = `task-${number}`;
      this.#db.run(
        "INSERT INTO tasks (id, description, number, priority, epoch) VALUES (?, ?, ?, ?, ?)",
        id,
        text,
        number,
        priority,
        firstEpoch(this.#db),
      );
      for (const needed of new Set(needs.map(({ task }) => task?.id ?? ""))) {
        this.#db.run("INSERT INTO dependencies (task, needs) VALUES (?, ?)", id, needed);
      }
      recordChange(this.#db, { at: now, kind: "added", task: id, agent: null, epoch: 0 });
      noteWhetherOpen(this.#db, now);
      return { value: this.#task(id) };
    });
  }

  async claim(agent: string): Promise<BoardTask | undefined> {
    return this.#step((now) => {
      const id = endedAt(this.#db) === undefined ? this.#db.get(NEXT)?.id : undefined;
      if (id === undefined || id === null) return { value: undefined };
      this.#db.run(
        `UPDATE tasks SET status = 'claimed', claimed_by = ?, claimed_at = ?, lease_until = ?, epoch = epoch + 1
         WHERE id = ?`,
        agent,
        now,
        now + LEASE_MS,
        id,
      );
      const task = this.#task(String(id));
      recordChange(this.#db, { at: now, kind: "claimed", task: id, agent, epoch: task.epoch });
      this.#noteHeartbeat(agent, now);
      return { value: task };
    });
  }

  async renew(agent: string): Promise<readonly BoardTask[]> {
    return this.#step<readonly BoardTask[]>((now) => {
      const held = "status = 'claimed' AND claimed_by = ?";
      const renewed = this.#db.run(`UPDATE tasks SET lease_until = ? WHERE ${held}`, now + LEASE_MS, agent);
      const refusal = renewed === 0 ? this.#lostClaim(agent, now) : undefined;
      if (refusal) return { refusal };
      this.#noteHeartbeat(agent, now);
      return { value: this.#db.all(`${TASK_QUERY} WHERE ${held} ORDER BY number`, agent).map(taskFromRow) };
    });
  }

  async finish(claim: BoardClaim, result: string | undefined): Promise<BoardTask> {
    return this.#end(claim, "done", (now, id) =>
      this.#db.run(
        "UPDATE tasks SET status = 'done', completed_at = ?, lease_until = NULL, result = ?, error = NULL WHERE id = ?",
        now,
        result ?? null,
        id,
      ),
    );
  }

  async fail(claim: BoardClaim, why: string | undefined): Promise<BoardTask> {
    return this.#end(claim, "failed", (now, id) =>
      this.#db.run(
        "UPDATE tasks SET status = 'failed', completed_at = ?, lease_until = NULL, error = ? WHERE id = ?",
        now,
        why ?? null,
        id,
      ),
    );
  }

  async release(claim: BoardClaim): Promise<BoardTask> {
    return this.#end(claim, "released", (_now, id) => makePending(this.#db, id));
  }

  async retry(name: string): Promise<BoardTask> {
    return this.#step((now) => {
      const task = this.#find(name);
      if (!task) return { refusal: unknownTask(name) };
      if (task.status !== "failed") return { refusal: notFailed(task) };
      makePending(this.#db, task.id);
      recordChange(this.#db, { at: now, kind: "retried", task: task.id, agent: null, epoch: task.epoch });
      noteWhetherOpen(this.#db, now);
      return { value: this.#task(task.id) };
    });
  }

  async end(): Promise<readonly BoardTask[]> {
    return this.#step((now) => ({ value: endRound(this.#db, now) }));
  }

  async overview(): Promise<BoardOverview> {
    this.#takeBackIfDue();
    return this.#db.retried(() => {
      const { sequence } = this.#db.get("SELECT COALESCE(MAX(sequence), 0) AS sequence FROM history") ?? {};
      const session = this.#db.get("SELECT * FROM swarm_session") ?? {};
      return {
        expectedAgents: Number(session.agent_count) || undefined,
        startedAt: Number(session.started_at),
        completedAt: session.completed_at === null ? undefined : Number(session.completed_at),
        session: String(session.session_id),
        isActive: session.active === 1,
        endedAt: endedAt(this.#db),
        tasks: this.#db.all(`${TASK_QUERY} ORDER BY number`).map(taskFromRow),
        agents: this.#db.all("SELECT * FROM heartbeats ORDER BY agent_id").map(agentFromRow),
        sequence: Number(sequence),
      };
    });
  }

  async changesAfter(sequence: number): Promise<readonly BoardChange[]> {
    this.#takeBackIfDue();
    const sql = `SELECT history.*, tasks.description FROM history JOIN tasks ON tasks.id = history.task
      WHERE sequence > ? ORDER BY sequence`;
    return this.#db.retried(() => this.#db.all(sql, sequence)).map(changeFromRow);
  }

  async close(): Promise<void> {
    this.#db.close();
  }

  #step<T>(work: (now: number) => Outcome<T>): T {
    const outcome = this.#db.transaction(() => {
      // The time is read under the lock, because waiting for the lock takes time.
      const now = this.#now();
      takeBackExpired(this.#db, now);
      return work(now);
    });
    if ("refusal" in outcome) throw outcome.refusal;
    return outcome.value;
  }

  #end(claim: BoardClaim, kind: "done" | "failed" | "released", write: (now: number, id: string) => void): BoardTask {
    const { agent, epoch } = claim;
    return this.#step((now) => {
      const found = this.#find(claim.task);
      if (!found) return { refusal: unknownTask(claim.task) };
      const recorded = this.#recordedClaim(found.id, agent, epoch);
      // Each claim of a task has its own number, so an equal number means that the claim is the agent's own.
      const isHeld = found.status === "claimed" && found.epoch === recorded?.epoch;
      if (!isHeld) return { refusal: notHeld(found, claim, recorded, now) };
      write(now, found.id);
      recordChange(this.#db, { at: now, kind, task: found.id, agent, epoch: found.epoch });
      this.#noteHeartbeat(agent, now);
      noteWhetherOpen(this.#db, now);
      return { value: this.#task(found.id) };
    });
  }

  #takeBackIfDue(): void {
    const due = "SELECT 1 FROM tasks WHERE status = 'claimed' AND lease_until <= ? LIMIT 1";
    if (!this.#db.retried(() => this.#db.get(due, this.#now()))) return;
    this.#db.transaction(() => takeBackExpired(this.#db, this.#now()));
  }

  #noteHeartbeat(agent: string, now: number): void {
    this.#db.run(
      `INSERT OR REPLACE INTO heartbeats (agent_id, last_heartbeat, current_task_id) VALUES (?, ?,
       (SELECT id FROM tasks WHERE status = 'claimed' AND claimed_by = ? ORDER BY claimed_at DESC, number DESC LIMIT 1))`,
      agent,
      now,
      agent,
    );
  }

  #task(id: string): BoardTask {
    return taskFromRow(this.#db.get(`${TASK_QUERY} WHERE id = ?`, id) ?? {});
  }

  /** Finds a task by its id, else by its number. */
  #find(name: string): BoardTask | undefined {
    const number = /^\d{1,9}$/.test(name) ? Number(name) : -1;
    const row = this.#db.get(`${TASK_QUERY} WHERE id = ?1 OR number = ?2 ORDER BY id = ?1 DESC LIMIT 1`, name, number);
    return row && taskFromRow(row);
  }

  #recordedClaim(task: string, agent: string, epoch: number | undefined): RecordedClaim | undefined {
    const claimed = this.#db.get(
      "SELECT MAX(epoch) AS epoch FROM history WHERE task = ? AND agent = ? AND kind = 'claimed' AND epoch = COALESCE(?, epoch)",
      task,
      agent,
      epoch ?? null,
    );
    if (claimed === undefined || claimed.epoch === null) return undefined;
    const ended = this.#db.get(
      `SELECT at, kind FROM history WHERE task = ? AND agent = ? AND epoch = ?
       AND kind IN ('done', 'failed', 'released', 'expired')`,
      task,
      agent,
      claimed.epoch ?? null,
    );
    return { epoch: Number(claimed.epoch), end: ended && endOf(ended) };
  }

  /** The refusal for an agent that has lost its last claim and has not done anything since: it has to learn of that. */
  #lostClaim(agent: string, now: number): HookwrightError | undefined {
    const last = this.#db.get(
      "SELECT at, kind, task, epoch FROM history WHERE agent = ? ORDER BY sequence DESC LIMIT 1",
      agent,
    );
    if (last?.kind === "expired") return leaseEnded(this.#task(String(last.task)), agent, now - Number(last.at));
    if (last?.kind !== "released" || endedAt(this.#db) === undefined) return undefined;
    const task = this.#task(String(last.task));
    return notHeld(task, { task: task.id, agent }, { epoch: Number(last.epoch), end: endOf(last) }, now);
  }
}

function endOf({ at, kind }: Row): RecordedClaim["end"] {
  return { kind: kind as BoardChange["kind"], at: Number(at) };
}
