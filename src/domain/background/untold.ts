import type { Json } from "../../core/event.ts";
import { isObject } from "../../core/event.ts";
import { withLost } from "./follow-tasks.ts";
import { type BackgroundTask, isPending, pendingTasks, type SessionTasks } from "./session-tasks.ts";
import type { BackgroundTasks } from "./store.ts";
import { reportsIn } from "./task-reports.ts";

/** Older ends are of no use to anybody. */
const MOST_AGE_MS = 24 * 60 * 60_000;
const MOST_NAMED = 5;
/** How much of the end of a transcript is searched for reports. */
export const TRANSCRIPT_TAIL = 512 * 1024;

export interface StartView {
  readonly session: string;
  readonly source: string;
  readonly pid: number;
  readonly now: number;
  isAlive(pid: number): boolean;
  /** The ids of tasks whose report the agent was given, by its transcript. */
  given(transcript: string): readonly string[];
}

/** What a session that is over has left behind. */
export interface LeftTasks {
  readonly session: string;
  readonly untold: readonly BackgroundTask[];
  /** They go on in the session that starts, because only the conversation was cleared. */
  readonly goingOn: readonly BackgroundTask[];
}

/** The sessions that are over when this one starts, with their tasks. */
export function leftTasks(store: BackgroundTasks, view: StartView): readonly LeftTasks[] {
  return store.sessions().flatMap((session) => {
    const state = store.of(session);
    if (state.tasks.length === 0 || !isOver(state, session, view)) return [];
    const isCleared = state.over === "clear" && view.source === "clear";
    const isGoingOn = isCleared && state.pid === view.pid && session !== view.session;
    const { tasks } = isGoingOn ? state : withLost(state, view.now);
    const ended = tasks.filter((task) => !isPending(task) && isRecent(task, view.now));
    const given = ended.length > 0 && state.transcript !== "" ? view.given(state.transcript) : [];
    const untold = ended.filter((task) => task.isMissed || !given.includes(task.id));
    return [{ session, untold, goingOn: isGoingOn ? pendingTasks(state) : [] }];
  });
}

function isOver(state: SessionTasks, session: string, { session: starting, pid, isAlive }: StartView): boolean {
  if (session === starting || state.over === "end") return true;
  return (state.over === "clear" && state.pid === pid) || (state.pid > 0 && !isAlive(state.pid));
}

function isRecent({ status, startedAt, endedAt }: BackgroundTask, now: number): boolean {
  // When a lost task really ended is not known.
  const at = status === "lost" ? startedAt : (endedAt ?? startedAt);
  return now - at < MOST_AGE_MS;
}

/** Reports that stand in a transcript as given to the agent: what only waited in its queue was not. */
export function givenReports(tail: string): readonly string[] {
  return tail.split("\n").flatMap((line) => {
    if (!line.includes("<task-notification>") || line.includes('"queue-operation"')) return [];
    return isEntry(line) ? reportsIn(line.replaceAll("\\n", "\n")).map(({ id }) => id) : [];
  });
}

function isEntry(line: string): boolean {
  try {
    const entry = JSON.parse(line) as Json;
    return isObject(entry) && entry.type !== "queue-operation";
  } catch (error) {
    // Half a line at either end of the tail.
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

const ENDS: Readonly<Record<string, string>> = {
  lost: "did not end before its session was over",
  ended: "ended, it is not known how",
};

/** A line for each of the tasks. */
export function untoldText(tasks: readonly BackgroundTask[]): string {
  const lines = tasks.slice(0, MOST_NAMED).map(({ kind, id, description, status, result }) => {
    const name = description === "" ? `${kind} ${id}` : `${kind} "${description}"`;
    return `- ${name}: ${ENDS[status] ?? status}${result === "" ? "" : `. It reported: ${result}`}`;
  });
  const more = tasks.length - lines.length;
  return [...lines, ...(more > 0 ? [`- and ${more} more`] : [])].join("\n");
}
