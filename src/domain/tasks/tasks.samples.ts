import type { AnyEvent, JsonObject } from "../../core/event.ts";
import { claudeEvent, toolAfter } from "../../testing/events.ts";

let calls = 0;

export const createsTask = (id: string, subject: string, more: JsonObject = {}): AnyEvent =>
  claudeEvent({ hook_event_name: "TaskCreated", task_id: id, task_subject: subject, task_description: "", ...more });

export const completesTask = (id: string, subject: string, more: JsonObject = {}): AnyEvent =>
  claudeEvent({ hook_event_name: "TaskCompleted", task_id: id, task_subject: subject, ...more });

/** The report of a TaskUpdate, as the client sends it. */
export const updatesTask = (id: string, to: string, input: JsonObject = {}): AnyEvent =>
  toolAfter("TaskUpdate", { taskId: id, status: to, ...input }, `toolu_tasks_${++calls}`, {
    tool_response: { success: true, taskId: id, updatedFields: ["status"], statusChange: { from: "pending", to } },
  });

/** `a pending` is a todo with that content and status. */
export const writesTodos = (todos: readonly string[], more: JsonObject = {}): AnyEvent => {
  const list = todos.map((todo) => {
    const at = todo.lastIndexOf(" ");
    return { content: todo.slice(0, at), status: todo.slice(at + 1), activeForm: "" };
  });
  return toolAfter("TodoWrite", { todos: list }, `toolu_tasks_${++calls}`, more);
};
