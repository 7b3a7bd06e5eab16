import { describe, expect, it } from "vitest";
import type { AnyEvent, EventOf, Json } from "../../core/event.ts";
import { toolAfter } from "../../testing/events.ts";
import { afterCall, withCompleted, withTask } from "./follow-tasks.ts";
import { NO_TASKS, openTasks, openTasksText, type TaskLists } from "./task-list.ts";
import { completesTask, createsTask, updatesTask, writesTodos } from "./tasks.samples.ts";

function follow(lists: TaskLists, event: AnyEvent): TaskLists {
  if (event.name === "task.created") return withTask(lists, event);
  if (event.name === "task.completed") return withCompleted(lists, event);
  return afterCall(lists, event as EventOf<"tool.after">);
}
const followed = (...events: readonly AnyEvent[]): TaskLists => events.reduce(follow, NO_TASKS);
const shown = ({ tasks, todos }: TaskLists): string =>
  [
    ...tasks.map((one) => `${one.id} ${one.subject}: ${one.status}`),
    ...todos.map((one) => `${one.content}: ${one.status}`),
  ].join(", ");
const call = (input: Record<string, Json>, response: Json = {}): AnyEvent =>
  toolAfter("TaskUpdate", input, "toolu_1", { tool_response: response });
const A = createsTask("1", "write the test");

describe("the tasks of a session", () => {
  it.each<[string, readonly AnyEvent[], string]>([
    ["made", [A], "1 write the test: pending"],
    ["made twice with one id", [A, createsTask("1", "other")], "1 other: pending"],
    ["made without an id", [createsTask("", "x")], ""],
    ["begun", [A, updatesTask("1", "in_progress")], "1 write the test: in_progress"],
    ["completed", [A, updatesTask("1", "completed")], "1 write the test: completed"],
    ["completed by its event", [A, completesTask("1", "write the test")], "1 write the test: completed"],
    ["completed without an id", [A, completesTask("", "write the test")], "1 write the test: pending"],
    ["completed before it was known", [completesTask("7", "")], "7 task 7: completed"],
    ["opened again", [A, updatesTask("1", "completed"), updatesTask("1", "pending")], "1 write the test: pending"],
    ["deleted", [A, createsTask("2", "b"), updatesTask("1", "deleted")], "2 b: pending"],
    ["renamed", [A, call({ taskId: "1", subject: "test it" })], "1 test it: pending"],
    ["renamed with its status", [A, updatesTask("1", "in_progress", { subject: "test it" })], "1 test it: in_progress"],
    ["of which only the owner changed", [A, call({ taskId: "1", owner: "api" })], "1 write the test: pending"],
    ["renamed before it was known", [call({ taskId: "9", subject: "x" })], ""],
    ["made before anybody listened", [updatesTask("3", "in_progress")], "3 task 3: in_progress"],
    ["by what was asked for", [A, call({ taskId: "1", status: "in_progress" })], "1 write the test: in_progress"],
    [
      "by what the client says that it became",
      [
        A,
        call({ taskId: "1", status: "completed" }, { success: true, statusChange: { from: "pending", to: "pending" } }),
      ],
      "1 write the test: pending",
    ],
    ["not updated", [A, call({ taskId: "1", status: "completed" }, { success: false })], "1 write the test: pending"],
    ["updated without words", [A, call({ taskId: "1", status: "completed" }, null)], "1 write the test: completed"],
    ["with a status of another kind", [A, call({ taskId: "1", status: "blocked" })], "1 write the test: pending"],
    [
      "with a change of another kind",
      [A, call({ taskId: "1", status: "completed" }, { statusChange: 5 })],
      "1 write the test: completed",
    ],
    ["updated without an id", [A, call({ status: "completed" })], "1 write the test: pending"],
    ["updated with an empty id", [A, call({ taskId: "", status: "completed" })], "1 write the test: pending"],
    ["todos", [writesTodos(["a pending", "b completed"])], "a: pending, b: completed"],
    ["todos that are replaced", [writesTodos(["a pending"]), writesTodos(["b in_progress"])], "b: in_progress"],
    ["todos that are emptied", [writesTodos(["a pending"]), writesTodos([])], ""],
    ["todos of a subagent", [writesTodos(["a pending"], { agent_id: "a1", agent_type: "x" })], ""],
    ["todos that are no list", [toolAfter("TodoWrite", { todos: "a" }, "toolu_1")], ""],
    [
      "todos without a status",
      [toolAfter("TodoWrite", { todos: [{ content: "a" }, { status: "pending" }, 5] }, "toolu_1")],
      "",
    ],
    ["another tool", [toolAfter("Bash", { taskId: "1", status: "completed", todos: [] }, "toolu_1")], ""],
  ])("%s", (_name, events, expected) => {
    expect(shown(followed(...events))).toBe(expected);
  });

  it("stay the same object when a call changes nothing", () => {
    const lists = followed(A);
    expect(follow(lists, toolAfter("Bash", { command: "ls" }, "toolu_1"))).toBe(lists);
    expect(follow(lists, writesTodos(["a pending"], { agent_id: "a1" }))).toBe(lists);
  });

  it("have no secrets in their names, and no end of words", () => {
    expect(shown(followed(createsTask("1", `use password=${"hunter2hunter2"}`)))).toContain("password=[masked]");
    expect(shown(followed(writesTodos([`use password=${"hunter2hunter2"} pending`])))).toContain("password=[masked]");
    expect(followed(createsTask("1", "x".repeat(500))).tasks[0]?.subject).toHaveLength(200);
  });

  it("are at most 200, the newest", () => {
    const many = followed(...Array.from({ length: 205 }, (_, at) => createsTask(`${at}`, `t${at}`)));
    expect([many.tasks.length, many.tasks[0]?.id]).toEqual([200, "5"]);
    expect(followed(writesTodos(Array.from({ length: 205 }, (_, at) => `t${at} pending`))).todos).toHaveLength(200);
  });
});

describe("what is open", () => {
  it.each<[string, readonly AnyEvent[], string, string]>([
    ["nothing", [], "none", ""],
    ["a task that is pending", [A], "task", "write the test"],
    [
      "a task in progress before others",
      [A, createsTask("2", "b"), updatesTask("2", "in_progress")],
      "task",
      "b,write the test",
    ],
    ["no completed task", [A, completesTask("1", "")], "none", ""],
    ["todos", [writesTodos(["a pending", "b completed", "c in_progress"])], "todo", "c,a"],
    ["no cancelled todo", [writesTodos(["a cancelled", "b canceled", "c completed"])], "none", ""],
    ["copies of a todo once", [writesTodos(["a pending", "a pending", "a in_progress"])], "todo", "a,a"],
    ["tasks rather than todos", [A, writesTodos(["a pending"])], "both", "write the test"],
    ["tasks beside completed todos", [A, writesTodos(["a completed"])], "task", "write the test"],
    ["todos beside completed tasks", [A, completesTask("1", ""), writesTodos(["a pending"])], "todo", "a"],
  ])("%s", (_name, events, source, names) => {
    const open = openTasks(followed(...events));
    expect([open.source, open.names.join(",")]).toEqual([source, names]);
  });

  it.each<[readonly string[], string]>([
    [["a"], "1 open task: a"],
    [["a", "b\nc"], "2 open tasks: a; b c"],
    [["a", "b", "c", "d", "e"], "5 open tasks: a; b; c; d; e"],
    [["a", "b", "c", "d", "e", "f", "g"], "7 open tasks: a; b; c; d; e; and 2 more"],
    [["word ".repeat(40)], `1 open task: ${"word ".repeat(15).trim()}…`],
  ])("in words: %j", (names, text) => {
    expect(openTasksText({ source: "task", names })).toBe(text);
  });
});
