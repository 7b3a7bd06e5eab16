export type TaskStatus = "pending" | "claimed" | "done" | "failed";

export interface Task {
  readonly id: string;
  readonly text: string;
  readonly status: TaskStatus;
  /** Tasks with a higher priority are claimed first, those with the same one in the order in which they were added. */
  readonly priority: number;
  /** The ids of the tasks that must be done before this one can be claimed. */
  readonly after: readonly string[];
  /** Who holds the task, or who completed or failed it. */
  readonly agent: string | undefined;
  /** How many claims of this task there were. Each claim has its own number, so a late one is recognised by it. */
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

/** An agent's claim of a task. Without an epoch the newest claim of that agent is meant. */
export interface Claim {
  readonly task: string;
  readonly agent: string;
  readonly epoch?: number | undefined;
}

export type ChangeKind = "added" | "claimed" | "done" | "failed" | "released" | "expired" | "retried";

export interface Change {
  /** Later changes have higher numbers. */
  readonly sequence: number;
  readonly at: number;
  readonly kind: ChangeKind;
  readonly task: string;
  readonly text: string;
  /** Undefined where nobody is known to have made the change. */
  readonly agent: string | undefined;
  readonly epoch: number;
}

export interface AgentInfo {
  readonly name: string;
  readonly lastHeartbeat: number;
  readonly task: string | undefined;
}

export interface Overview {
  /** How many agents are meant to work on it; undefined when nobody said. */
  readonly expectedAgents: number | undefined;
  readonly startedAt: number;
  /** When the last task was completed or failed; undefined while any is open. */
  readonly completedAt: number | undefined;
  readonly tasks: readonly Task[];
  readonly agents: readonly AgentInfo[];
  /** The number of the newest change. */
  readonly sequence: number;
}

/** A claim that is not renewed for this long has ended: the agent is taken for dead and the task is pending again. */
export const LEASE_MS = 300_000;

/**
 * Tasks that several agents share. Every call is one atomic step, however many processes call at the same time, and
 * leases that have ended are taken back before anything else is looked at. What is refused throws a HookwrightError.
 */
export interface Board {
  add(task: NewTask): Promise<Task>;
  /** Undefined when no task can be claimed now. */
  claim(agent: string): Promise<Task | undefined>;
  /** Extends the leases of everything that the agent holds, and returns these tasks. */
  renew(agent: string): Promise<readonly Task[]>;
  finish(claim: Claim, result: string | undefined): Promise<Task>;
  fail(claim: Claim, why: string | undefined): Promise<Task>;
  /** Gives the task back, for any agent to claim. */
  release(claim: Claim): Promise<Task>;
  /** Makes a failed task pending again. */
  retry(task: string): Promise<Task>;
  overview(): Promise<Overview>;
  /** What happened after the change with this number, oldest first. */
  changesAfter(sequence: number): Promise<readonly Change[]>;
  close(): Promise<void>;
}

/** Those of the tasks a task comes after that are not done, so that it cannot be claimed. */
export function blockersOf(task: Task, tasks: ReadonlyMap<string, Task>): readonly Task[] {
  return task.after.flatMap((id) => tasks.get(id) ?? []).filter(({ status }) => status !== "done");
}
