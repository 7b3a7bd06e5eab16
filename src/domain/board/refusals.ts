import { HookwrightError } from "../../core/errors.ts";
import type { BoardClaim, BoardTask, ChangeKind } from "./board.ts";

/** The recorded data of the claim that an agent names. */
export interface RecordedClaim {
  readonly epoch: number;
  /** How and when the claim ended; undefined for the task's current claim. */
  readonly end: { readonly kind: ChangeKind; readonly at: number } | undefined;
}

export function unknownTask(name: string): HookwrightError {
  return new HookwrightError("HW_SWARM_TASK", { detail: `There is no task \`${name}\` on the board.` });
}

export function notFailed(task: BoardTask): HookwrightError {
  const detail = `${task.id} has not failed: ${situation(task)}. Only a failed task can be tried again.`;
  return new HookwrightError("HW_SWARM_TASK", { detail });
}

/** The error for an agent that ends a task that it does not hold, or holds by another claim. */
export function notHeld(
  task: BoardTask,
  { agent, epoch }: BoardClaim,
  claim: RecordedClaim | undefined,
  now: number,
): HookwrightError {
  if (claim?.end?.kind === "expired") return leaseEnded(task, agent, now - claim.end.at);
  const whose = epoch === undefined ? agent : `${agent} by claim ${epoch}`;
  // Either the agent itself or the end of the swarm has released it.
  if (claim?.end?.kind === "released") {
    const detail = `${agent} no longer holds ${task.id}, which was released: ${situation(task)}.`;
    return new HookwrightError("HW_SWARM_NOT_HELD", { detail });
  }
  const detail = claim?.end
    ? `${agent} has already ${PARTICIPLES[claim.end.kind]} ${task.id}: ${situation(task)}.`
    : `${task.id} is not held by ${whose}: ${situation(task)}.`;
  return new HookwrightError("HW_SWARM_NOT_HELD", { detail });
}

/** `ms`: the time since the lease expired. */
export function leaseEnded(task: BoardTask, agent: string, ms: number): HookwrightError {
  return new HookwrightError("HW_SWARM_LATE", { agent, task: task.id, ago: duration(ms), now: situation(task) });
}

function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  const [count, unit] = seconds < 120 ? [seconds, "second"] : [Math.round(seconds / 60), "minute"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

const PARTICIPLES: Readonly<Record<ChangeKind, string>> = {
  added: "added",
  claimed: "claimed",
  done: "completed",
  failed: "given up",
  released: "released",
  expired: "lost",
  retried: "retried",
};

function situation({ status, agent = "nobody", epoch }: BoardTask): string {
  if (status === "pending") return "it is pending";
  if (status === "claimed") return `it is claimed by ${agent} (claim ${epoch})`;
  return status === "done" ? `it was completed by ${agent}` : `it was given up as failed by ${agent}`;
}
