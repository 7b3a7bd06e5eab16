import { oneLine } from "../../core/text/one-line.ts";
import { maskText } from "../../state/masking.ts";
import type { ListedTask } from "./task-reports.ts";

/**
 * - starting: its call was let pass, and its id is not known yet
 * - running
 * - ended, completed, failed, stopped: its end was seen, and nobody was told yet; `ended` when it is not known how
 * - lost: its session ended before it did
 */
export type TaskStatus = "starting" | "running" | "ended" | "completed" | "failed" | "stopped" | "lost";

/** A command or an agent in the background. A type alias, because store rows need JSON. Times are in milliseconds. */
export type BackgroundTask = {
  /** As the client names it; of one that is starting the id of its call. */
  readonly id: string;
  readonly kind: "agent" | "command";
  readonly status: TaskStatus;
  readonly description: string;
  readonly startedAt: number;
  readonly endedAt?: number;
  /** The beginning of what it reported. */
  readonly result: string;
  /** Its report was refused as a prompt, so the agent did not get it. */
  readonly isMissed?: true;
};

/** The background tasks of one session of which somebody still has to be told. */
export type SessionTasks = {
  readonly tasks: readonly BackgroundTask[];
  readonly transcript: string;
  readonly pid: number;
  /** How the session ended; empty while it goes on. */
  readonly over: "" | "clear" | "end";
  /** An agent runs in the background unless its call says otherwise: newer clients do that. */
  readonly isDefault: boolean;
  /** What the session was told once. */
  readonly said: readonly string[];
};

export const NO_TASKS: SessionTasks = {
  tasks: [],
  transcript: "",
  pid: 0,
  over: "",
  isDefault: false,
  said: [],
};

const MOST_TASKS = 100;
const LONGEST_DESCRIPTION = 100;
const LONGEST_RESULT = 200;
const PENDING: ReadonlySet<TaskStatus> = new Set(["starting", "running"]);

export function isPending({ status }: BackgroundTask): boolean {
  return PENDING.has(status);
}

/** Those that run, or are about to. */
export function pendingTasks({ tasks }: SessionTasks): readonly BackgroundTask[] {
  return tasks.filter(isPending);
}

type NewTask = Pick<BackgroundTask, "id" | "kind" | "description">;

// Every function returns the same object when nothing changes, so that nothing is written then.

export function starting(state: SessionTasks, task: NewTask, now: number): SessionTasks {
  return state.tasks.some(({ id }) => id === task.id) ? state : withTask(state, task, "starting", now);
}

/** The call with this id has begun a task; undefined when it has begun none after all. */
export function begun(state: SessionTasks, useId: string, task: NewTask | undefined, now: number): SessionTasks {
  const others = withoutTasks(state, (one) => one.id === useId && one.status === "starting");
  if (!task || others.tasks.some(({ id }) => id === task.id)) return others;
  return withTask(others, task, "running", now);
}

export function endedTask(
  state: SessionTasks,
  id: string,
  status: Exclude<TaskStatus, "starting" | "running">,
  now: number,
  result: string = "",
): SessionTasks {
  const known = state.tasks.find((task) => task.id === id);
  if (!known) return state;
  const more = known.result === "" && result !== "" ? { result: shown(result, LONGEST_RESULT) } : {};
  // The first end says how it ended, unless that was not known.
  const isKnown = !isPending(known) && known.status !== "ended" && known.status !== "lost";
  if (isKnown && Object.keys(more).length === 0) return state;
  const end = isKnown ? {} : { status, endedAt: known.endedAt ?? now };
  return replaced(state, { ...known, ...end, ...more });
}

export function missed(state: SessionTasks, id: string): SessionTasks {
  const known = state.tasks.find((task) => task.id === id);
  return known && !known.isMissed ? replaced(state, { ...known, isMissed: true }) : state;
}

/** What the client lists at a stop is all that runs. */
export function asListed(state: SessionTasks, listed: readonly ListedTask[], now: number): SessionTasks {
  const known = withoutTasks(state, ({ status }) => status === "starting");
  const gone = known.tasks.filter((task) => isPending(task) && !listed.some(({ id }) => id === task.id));
  const after = gone.reduce((before, { id }) => endedTask(before, id, "ended", now), known);
  const kindOf = (type: string) => (type === "shell" ? "command" : type === "subagent" ? "agent" : undefined);
  return listed.reduce((before, { id, type, description }) => {
    const kind = kindOf(type);
    const isKnown = kind === undefined || before.tasks.some((task) => task.id === id);
    return isKnown ? before : withTask(before, { id, kind, description }, "running", now);
  }, after);
}

export function withoutTasks(state: SessionTasks, isOver: (task: BackgroundTask) => boolean): SessionTasks {
  const tasks = state.tasks.filter((task) => !isOver(task));
  return tasks.length === state.tasks.length ? state : { ...state, tasks };
}

export function withSaid(state: SessionTasks, about: string): SessionTasks {
  return state.said.includes(about) ? state : { ...state, said: [...state.said, about] };
}

function withTask(state: SessionTasks, { id, kind, description }: NewTask, status: TaskStatus, now: number) {
  const task: BackgroundTask = {
    ...{ id, kind, status, startedAt: now, result: "" },
    description: shown(description, LONGEST_DESCRIPTION),
  };
  return { ...state, tasks: [...state.tasks, task].slice(-MOST_TASKS) };
}

function replaced(state: SessionTasks, task: BackgroundTask): SessionTasks {
  return { ...state, tasks: state.tasks.map((one) => (one.id === task.id ? task : one)) };
}

function shown(text: string, most: number): string {
  return oneLine(maskText(text), most).toWellFormed();
}
