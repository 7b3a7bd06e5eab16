import { oneLine } from "../../core/text/one-line.ts";

export const TASK_STATUSES = ["pending", "in_progress", "completed"] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** A task that the agent made with its task tools. A type alias, because store rows need JSON. */
export type Task = { readonly id: string; readonly subject: string; readonly status: TaskStatus };

/** A line of the list that TodoWrite replaces as a whole. */
export type Todo = { readonly content: string; readonly status: string };

/** The work that an agent has listed in one session. */
export type TaskLists = { readonly tasks: readonly Task[]; readonly todos: readonly Todo[] };

export const NO_TASKS: TaskLists = { tasks: [], todos: [] };

/** What is open: tasks if any is, else todos; what is in progress comes first. */
export interface OpenTasks {
  readonly source: "task" | "todo" | "both" | "none";
  readonly names: readonly string[];
}

const MOST_NAMED = 5;
const LONGEST_NAME = 80;
const ENDED_TODO = new Set(["completed", "cancelled", "canceled"]);

export function isOpenTask({ status }: Task): boolean {
  return status !== "completed";
}

export function openTasks({ tasks, todos }: TaskLists): OpenTasks {
  const openOnes = tasks.filter(isOpenTask);
  const openTodos = withoutCopies(todos.filter(({ status }) => !ENDED_TODO.has(status)));
  const named = openOnes.length > 0 ? openOnes.map(asNamed) : openTodos.map(asNamed);
  const begun = named.filter(({ isBegun }) => isBegun);
  const names = [...begun, ...named.filter(({ isBegun }) => !isBegun)].map(({ name }) => name);
  if (openOnes.length > 0) return { source: openTodos.length > 0 ? "both" : "task", names };
  return { source: openTodos.length > 0 ? "todo" : "none", names };
}

/** `2 open tasks: write the test; fix the login`, with the first few names. */
export function openTasksText({ names }: OpenTasks): string {
  const shown = names.slice(0, MOST_NAMED).map((name) => oneLine(name, LONGEST_NAME));
  const more = names.length > MOST_NAMED ? `; and ${names.length - MOST_NAMED} more` : "";
  return `${names.length} open ${names.length === 1 ? "task" : "tasks"}: ${shown.join("; ")}${more}`;
}

function asNamed(one: Task | Todo): { readonly name: string; readonly isBegun: boolean } {
  return { name: "subject" in one ? one.subject : one.content, isBegun: one.status === "in_progress" };
}

function withoutCopies(todos: readonly Todo[]): readonly Todo[] {
  const known = new Map(todos.map((todo) => [`${todo.status}\0${todo.content}`, todo]));
  return [...known.values()];
}
