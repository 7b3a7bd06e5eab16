import { printable } from "../../../config/printable.ts";
import {
  type BoardChange,
  type BoardOverview,
  type BoardTask,
  blockersOf,
  type ChangeKind,
} from "../../../domain/board/board.ts";
import { table } from "../../terminal/style.ts";
import { shortened, widthOf } from "../../terminal/width.ts";
import { formatTime } from "../journal/time-format.ts";

export interface Counts {
  readonly pending: number;
  readonly claimed: number;
  readonly done: number;
  readonly failed: number;
  /** How many pending tasks wait for a dependency that is not done. */
  readonly waiting: number;
}

/** Said wherever a person or an agent may wait for tasks of an ended swarm. */
export const ENDED_TEXT = "No task can be claimed until `hookwright swarm init`.";

const LONGEST_TEXT = 2_000;
const NARROWEST_TEXT = 20;

export function countsOf({ tasks }: Pick<BoardOverview, "tasks">): Counts {
  const known = byId(tasks);
  const count = (status: BoardTask["status"]): number => tasks.filter((task) => task.status === status).length;
  const waiting = tasks.filter((task) => task.status === "pending" && blockersOf(task, known).length > 0).length;
  return {
    pending: count("pending"),
    claimed: count("claimed"),
    done: count("done"),
    failed: count("failed"),
    waiting,
  };
}

export function countsText({ tasks }: Pick<BoardOverview, "tasks">): string {
  const { pending, claimed, done, failed, waiting } = countsOf({ tasks });
  const waits = waiting === 0 ? "" : ` (${waiting} waiting for other tasks)`;
  const total = `${tasks.length} ${tasks.length === 1 ? "task" : "tasks"}`;
  return `${total}: ${pending} pending${waits}, ${claimed} claimed, ${done} done, ${failed} failed`;
}

/** Why there is no task to claim, so that an agent can decide whether to wait or to end. */
export function nothingText(overview: BoardOverview): string {
  const { pending, claimed } = countsOf(overview);
  if (overview.endedAt !== undefined) return `The swarm was ended. ${ENDED_TEXT} ${countsText(overview)}.`;
  if (overview.tasks.length === 0) return "No task has been added yet.";
  if (pending + claimed === 0) return `No task is open. ${countsText(overview)}.`;
  return `No task can be claimed now. ${countsText(overview)}.`;
}

export function statusTable({ tasks }: BoardOverview, now: number, columns: number | undefined): string {
  const known = byId(tasks);
  const rows = tasks.map((task) => [
    task.id,
    task.status,
    printable(task.agent ?? "-"),
    task.priority === 0 ? "-" : String(task.priority),
    noteOf(task, known, now),
  ]);
  const cells = [["task", "status", "agent", "priority", "note"], ...rows];
  // The text comes last and gets the rest of the line, so that each task has one line.
  const taken = Math.max(...table(cells).split("\n").map(widthOf)) + 2;
  const room = columns === undefined ? LONGEST_TEXT : Math.max(NARROWEST_TEXT, columns - taken);
  const texts = ["text", ...tasks.map(({ text }) => shortened(printable(text, LONGEST_TEXT), room))];
  return table(cells.map((row, at) => [...row, texts[at] ?? ""]));
}

/** The agents of the board, with the time of their last heartbeat. */
export function agentsText({ agents, expectedAgents }: BoardOverview, now: number): string {
  const shown = agents.map(({ name, lastHeartbeat, task }) => {
    const seconds = Math.max(0, Math.round((now - lastHeartbeat) / 1_000));
    return `${printable(name)} (${task ?? "no task"}, heartbeat ${seconds} s ago)`;
  });
  const expected = expectedAgents === undefined ? "" : ` of ${expectedAgents}`;
  return `Agents: ${agents.length}${expected}${shown.length > 0 ? `: ${shown.join(", ")}` : ""}`;
}

function noteOf(task: BoardTask, known: ReadonlyMap<string, BoardTask>, now: number): string {
  if (task.status === "claimed" && task.leaseUntil !== undefined) {
    return `lease ends in ${Math.max(0, Math.ceil((task.leaseUntil - now) / 1_000))} s`;
  }
  const blockers = task.status === "pending" ? blockersOf(task, known) : [];
  if (blockers.length > 0) return `after ${blockers.map(({ id, status }) => `${id} (${status})`).join(", ")}`;
  const remark = task.status === "failed" ? task.error : task.status === "done" ? task.result : undefined;
  return remark === undefined ? "-" : printable(remark, 40);
}

const SAID: Readonly<Record<ChangeKind, (by: string) => string>> = {
  added: () => "added",
  claimed: (by) => `claimed${by}`,
  done: (by) => `completed${by}`,
  failed: (by) => `failed${by}`,
  released: (by) => `released${by}`,
  expired: (by) => `pending again: the lease${by.replace(" by ", " of ")} ended`,
  retried: () => "pending again after a failure",
};

export function changeText({ at, kind, task, text, agent }: BoardChange): string {
  const by = agent === undefined ? "" : ` by ${printable(agent)}`;
  return `${formatTime(at)}  ${task}  ${SAID[kind](by)}  ${printable(text, LONGEST_TEXT)}`;
}

export function changeJson({ sequence, at, kind, task, text, agent, epoch }: BoardChange): object {
  return { sequence, at: isoOf(at), change: kind, task, text, agent: agent ?? null, epoch };
}

export function taskJson(task: BoardTask): object {
  const { id, text, status, priority, after, agent, epoch, result, error } = task;
  return {
    id,
    text,
    status,
    priority,
    after,
    agent: agent ?? null,
    epoch,
    claimedAt: isoOf(task.claimedAt),
    leaseUntil: isoOf(task.leaseUntil),
    endedAt: isoOf(task.endedAt),
    result: result ?? null,
    error: error ?? null,
  };
}

export function statusJson(root: string, overview: BoardOverview): object {
  const { expectedAgents, startedAt, completedAt, endedAt, tasks, agents } = overview;
  return {
    root,
    expectedAgents: expectedAgents ?? null,
    startedAt: isoOf(startedAt),
    completedAt: isoOf(completedAt),
    endedAt: isoOf(endedAt),
    counts: countsOf(overview),
    tasks: tasks.map(taskJson),
    agents: agents.map(({ name, lastHeartbeat, task }) => ({
      name,
      lastHeartbeat: isoOf(lastHeartbeat),
      task: task ?? null,
    })),
  };
}

export function isoOf(time: number | undefined): string | null {
  return time === undefined ? null : new Date(time).toISOString();
}

function byId(tasks: readonly BoardTask[]): ReadonlyMap<string, BoardTask> {
  return new Map(tasks.map((task) => [task.id, task]));
}
