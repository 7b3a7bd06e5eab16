import type { EventOf, Json } from "../../core/event.ts";
import { isObject } from "../../core/event.ts";
import { maskText } from "../../state/masking.ts";
import { TASK_STATUSES, type Task, type TaskLists, type TaskStatus, type Todo } from "./task-list.ts";

/** More are not followed: a list that long is no plan for one session. */
const MOST_TASKS = 200;
const LONGEST_NAME = 200;

type TaskEvent = Pick<EventOf<"task.created">, "taskId" | "subject">;

/** The lists after a task was made or was made anew. */
export function withTask(lists: TaskLists, { taskId, subject }: TaskEvent): TaskLists {
  return taskId === "" ? lists : withStatus(lists, taskId, "pending", subject);
}

export function withCompleted(lists: TaskLists, { taskId, subject }: TaskEvent): TaskLists {
  return taskId === "" ? lists : withStatus(lists, taskId, "completed", subject);
}

/** The lists after a call that changed tasks; the same object when this call did not. */
export function afterCall(lists: TaskLists, { tool, response, agentId }: EventOf<"tool.after">): TaskLists {
  if (tool.name === "TaskUpdate") return afterUpdate(lists, tool.input, response);
  // The list of a subagent is its own, and is gone when it ends.
  if (tool.name !== "TodoWrite" || agentId !== "" || !Array.isArray(tool.input.todos)) return lists;
  return { ...lists, todos: tool.input.todos.slice(0, MOST_TASKS).flatMap(todoOf) };
}

function afterUpdate(lists: TaskLists, input: Readonly<Record<string, Json>>, response: Json): TaskLists {
  const { taskId, subject } = input;
  if (typeof taskId !== "string" || taskId === "" || (isObject(response) && response.success === false)) return lists;
  const known = lists.tasks.find(({ id }) => id === taskId);
  const status = statusAfter(input, response);
  const name = typeof subject === "string" ? subject : "";
  if (status === "deleted") return { ...lists, tasks: lists.tasks.filter(({ id }) => id !== taskId) };
  if (isStatus(status)) return withStatus(lists, taskId, status, name);
  return known && name !== "" ? withStatus(lists, taskId, known.status, name) : lists;
}

/** What the client says that it became, else what the call asked for. */
function statusAfter(input: Readonly<Record<string, Json>>, response: Json): Json | undefined {
  const change = isObject(response) ? response.statusChange : undefined;
  return isObject(change) && typeof change.to === "string" ? change.to : input.status;
}

function withStatus(lists: TaskLists, id: string, status: TaskStatus, subject: string): TaskLists {
  const known = lists.tasks.find((task) => task.id === id);
  const task: Task = { id, subject: subject === "" ? (known?.subject ?? `task ${id}`) : nameOf(subject), status };
  if (known) return { ...lists, tasks: lists.tasks.map((one) => (one === known ? task : one)) };
  return { ...lists, tasks: [...lists.tasks, task].slice(-MOST_TASKS) };
}

function todoOf(todo: Json): Todo[] {
  if (!isObject(todo) || typeof todo.content !== "string" || typeof todo.status !== "string") return [];
  return [{ content: nameOf(todo.content), status: todo.status }];
}

function isStatus(status: Json | undefined): status is TaskStatus {
  return (TASK_STATUSES as readonly (Json | undefined)[]).includes(status);
}

function nameOf(text: string): string {
  return maskText(text).slice(0, LONGEST_NAME).toWellFormed();
}
