import type { Json } from "../../core/event.ts";
import { isObject } from "../../core/event.ts";
import { defineStore } from "../../core/store.ts";
import { NO_TASKS, type TaskLists } from "./task-list.ts";

/** The policy whose option says where open tasks are named. */
export const TODO_POLICY = "coordination/todo-continuation";

/** The tasks of one session, which no other session sees. */
export const sessionTasks = defineStore({
  name: "tasks",
  scope: "session",
  open: (table) => ({
    lists(): TaskLists {
      const row = table.isEmpty() ? undefined : table.get("lists");
      const isWhole = isObject(row) && Array.isArray(row.tasks) && Array.isArray(row.todos);
      return isWhole ? (row as unknown as TaskLists) : NO_TASKS;
    },
    save: (lists: TaskLists): void => table.set("lists", lists as unknown as Json),
    /** Was a stop held for open tasks since the last prompt of a person? */
    wasHeld: (): boolean => table.get("held") === true,
    setHeld(isHeld: boolean): void {
      if (isHeld) table.set("held", true);
      else if (table.get("held") !== undefined) table.delete("held");
    },
  }),
});
