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
import { nextTaskNumber, recordChange } from "./history.ts";
import { leaseEnded, notFailed, notHeld, type RecordedClaim, unknownTask } from "./refusals.ts";
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
        "INSERT INTO tasks (id, description, number, priority) VALUES (?, ?, ?, ?)",
        id,
        text,
        number,
        priority,
      );
      for (const needed of new Set(needs.map(({ task }) => task?.id ?? ""))) {
        this.#db.run("INSERT INTO dependencies (task, needs) VALUES (?, ?)", id, needed);
      }
      recordChange(this.#db, { at: now, kind: "added", task: id, agent: null, epoch: 0 });
      this.#noteWhetherOpen(now);
      return { value: this.#task(id) };
    });
  }

  async claim(agent: string): Promise<BoardTask | undefined> {
    return this.#step((now) => {
      const id = this.#db.get(NEXT)?.id;
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
      const refusal = renewed === 0 ? this.#lostLease(agent, now) : undefined;
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
    return this.#end(claim, "released", (_now, id) => this.#makePending(id));
  }

  async retry(name: string): Promise<BoardTask> {
    return this.#step((now) => {
      const task = this.#find(name);
      if (!task) return { refusal: unknownTask(name) };
      if (task.status !== "failed") return { refusal: notFailed(task) };
      this.#makePending(task.id);
      recordChange(this.#db, { at: now, kind: "retried", task: task.id, agent: null, epoch: task.epoch });
      this.#noteWhetherOpen(now);
      return { value: this.#task(task.id) };
    });
  }

  async overview(): Promise<BoardOverview> {
    this.#takeBackIfDue();
    return this.#db.retried(() => {
      const { sequence } = this.#db.get("SELECT COALESCE(MAX(sequence), 0) AS sequence FROM history") ?? {};
      const session = this.#db.get("SELECT agent_count, started_at, completed_at FROM swarm_session") ?? {};
      return {
        expectedAgents: Number(session.agent_count) || undefined,
        startedAt: Number(session.started_at),
        completedAt: session.completed_at === null ? undefined : Number(session.completed_at),
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
      this.#takeBack(now);
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
      this.#noteWhetherOpen(now);
      return { value: this.#task(found.id) };
    });
  }

  #takeBackIfDue(): void {
    const due = "SELECT 1 FROM tasks WHERE status = 'claimed' AND lease_until <= ? LIMIT 1";
    if (!this.#db.retried(() => this.#db.get(due, this.#now()))) return;
    this.#db.transaction(() => this.#takeBack(this.#now()));
  }

  #takeBack(now: number): void {
    const late = this.#db.all(
      `${TASK_QUERY} WHERE status = 'claimed' AND lease_until <= ? ORDER BY lease_until, number`,
      now,
    );
    for (const { id, agent = "", epoch, leaseUntil = now } of late.map(taskFromRow)) {
      this.#makePending(id);
      recordChange(this.#db, { at: leaseUntil, kind: "expired", task: id, agent, epoch });
      this.#db.run("DELETE FROM heartbeats WHERE agent_id = ? AND last_heartbeat <= ?", agent, now - LEASE_MS);
    }
  }

  #makePending(id: string): void {
    this.#db.run(
      `UPDATE tasks SET status = 'pending', claimed_by = NULL, claimed_at = NULL, lease_until = NULL,
       completed_at = NULL, error = NULL WHERE id = ?`,
      id,
    );
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

  #noteWhetherOpen(now: number): void {
    const isOpen = this.#db.get("SELECT 1 FROM tasks WHERE status IN ('pending', 'claimed') LIMIT 1") !== undefined;
    this.#db.run("UPDATE swarm_session SET active = ?, completed_at = ?", isOpen ? 1 : 0, isOpen ? null : now);
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

  /** The refusal for an agent whose last recorded change is that its lease expired: it has to learn of that. */
  #lostLease(agent: string, now: number): HookwrightError | undefined {
    const last = this.#db.get(
      "SELECT at, kind, task FROM history WHERE agent = ? ORDER BY sequence DESC LIMIT 1",
      agent,
    );
    return last?.kind === "expired"
      ? leaseEnded(this.#task(String(last.task)), agent, now - Number(last.at))
      : undefined;
  }
}

function endOf({ at, kind }: Row): RecordedClaim["end"] {
  return { kind: kind as BoardChange["kind"], at: Number(at) };
}
