export type BoardTaskStatus = "pending" | "claimed" | "done" | "failed";

export interface BoardTask {
  readonly id: string;
  readonly text: string;
  readonly status: BoardTaskStatus;
  /** Tasks with a higher priority are claimed first, those with the same one in the order in which they were added. */
  readonly priority: number;
  /** The ids of the tasks that must be done before this one can be claimed. */
  readonly after: readonly string[];
  /** The agent that holds the task, or that completed or failed it. */
  readonly agent: string | undefined;
  /** Rises by one with each claim of the task. It identifies a claim, so that a late report of an old claim is recognised. */
  readonly epoch: number;
  readonly claimedAt: number | undefined;
  readonly leaseUntil: number | undefined;
  /** When it was completed or failed. */
  readonly endedAt: number | undefined;
  readonly result: string | undefined;
  readonly error: string | undefined;
}

export interface NewTask {
  readonly text: string;
  readonly priority: number;
  /** A task is named by its id (`task-7`) or by its number alone (`7`). */
  readonly after: readonly string[];
}

/** An agent's claim of a task. Without an epoch it means the newest claim of that agent. */
export interface BoardClaim {
  readonly task: string;
  readonly agent: string;
  readonly epoch?: number | undefined;
}

export type ChangeKind = "added" | "claimed" | "done" | "failed" | "released" | "expired" | "retried";

export interface BoardChange {
  /** Later changes have higher numbers. */
  readonly sequence: number;
  readonly at: number;
  readonly kind: ChangeKind;
  readonly task: string;
  readonly text: string;
  /** Undefined when no agent made the change. */
  readonly agent: string | undefined;
  readonly epoch: number;
}

export interface BoardAgent {
  readonly name: string;
  readonly lastHeartbeat: number;
  readonly task: string | undefined;
}

export interface BoardOverview {
  /** The expected number of agents; undefined when it was not given. */
  readonly expectedAgents: number | undefined;
  readonly startedAt: number;
  /** When the last task was completed or failed, or the swarm was ended; undefined while it goes on. */
  readonly completedAt: number | undefined;
  /** The id of the current round, which other programs call a session. */
  readonly session: string;
  /** False when all tasks are completed or failed, and after `end`. */
  readonly isActive: boolean;
  /** When `end` stopped the claiming of tasks; undefined while tasks can be claimed. */
  readonly endedAt: number | undefined;
  readonly tasks: readonly BoardTask[];
  readonly agents: readonly BoardAgent[];
  /** The number of the newest change. */
  readonly sequence: number;
}

/** A claim that is not renewed for this long expires: the agent counts as dead, and the task is pending again. */
export const LEASE_MS = 300_000;

/**
 * Tasks that several agents share. Every call is one atomic step, even with many processes at the same time, and expired
 * leases are taken back first. A refused call throws a HookwrightError.
 */
export interface Board {
  add(task: NewTask): Promise<BoardTask>;
  /** Undefined when no task can be claimed now. */
  claim(agent: string): Promise<BoardTask | undefined>;
  /** Extends the leases of all tasks that the agent holds, and returns these tasks. */
  renew(agent: string): Promise<readonly BoardTask[]>;
  finish(claim: BoardClaim, result: string | undefined): Promise<BoardTask>;
  fail(claim: BoardClaim, why: string | undefined): Promise<BoardTask>;
  /** Releases the task, so that any agent can claim it. */
  release(claim: BoardClaim): Promise<BoardTask>;
  /** Makes a failed task pending again. */
  retry(task: string): Promise<BoardTask>;
  /**
   * Releases every claimed task, and lets nobody claim one until the board is opened again by `makeBoard`. Returns the
   * released tasks as they were held; none if the swarm has ended already.
   */
  end(): Promise<readonly BoardTask[]>;
  overview(): Promise<BoardOverview>;
  /** The changes after the one with this number, oldest first. */
  changesAfter(sequence: number): Promise<readonly BoardChange[]>;
  close(): Promise<void>;
}

/** The dependencies of a task that are not done, so that the task cannot be claimed. */
export function blockersOf(task: BoardTask, tasks: ReadonlyMap<string, BoardTask>): readonly BoardTask[] {
  return task.after.flatMap((id) => tasks.get(id) ?? []).filter(({ status }) => status !== "done");
}
