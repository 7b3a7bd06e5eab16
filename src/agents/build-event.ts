import path from "node:path";
import type { AnyEvent, EventName, Json, JsonObject, ToolCall } from "../core/event.ts";
import { isObject } from "../core/event.ts";
import { Fields } from "./payload.ts";
import { folderOfCall, type ToolTable, toolCall, writtenPaths } from "./tool-table.ts";

/** No system has longer paths. */
const LONGEST_PATH = 4_096;

/** Prompts that a client generates, for versions that do not send `source`. */
const MACHINE_PROMPT = /^\s*<(?:task-notification|system-reminder|cross-session-message|scheduled-task)\b/;

/** How a call has ended: with what it gave back, or with an error. */
export type CallEnd = { readonly response: Json } | { readonly error: string };

/** What an agent has sent, and what its adapter knows of it. */
export interface Sent {
  readonly agent: string;
  readonly agentEvent: string;
  readonly name: EventName;
  readonly fields: Fields;
  readonly tools: ToolTable;
  /** The folder of the client's process, for payloads without one. */
  readonly cwd: string;
  /** Where the payload says these in the agent's own way. */
  readonly end?: CallEnd;
  readonly fromPerson?: boolean;
}

/** The folder that the payload names, or that of the client when it names none that can be. */
export function folderOf(fields: Fields, fallback: string): string {
  const named = fields.text("cwd") || fallback;
  return path.isAbsolute(named) && named.length <= LONGEST_PATH ? named : fallback || "/";
}

/** Turns an agent's fields into the event that policies see. */
export function buildEvent(sent: Sent): AnyEvent {
  const { name, fields, end } = sent;
  const cwd = folderOfTool(sent, folderOf(fields, sent.cwd));
  const base = {
    agentEvent: sent.agentEvent,
    agent: sent.agent,
    session: fields.id("session_id"),
    cwd,
    agentId: fields.id("agent_id"),
    agentType: fields.text("agent_type"),
    transcript: fields.text("transcript_path"),
    promptId: fields.text("prompt_id"),
    malformed: fields.malformed,
    raw: fields.raw,
  };
  const text = (field: string): string => fields.text(field);
  switch (name) {
    case "tool.before":
    case "permission.request": {
      const { tool, writes } = toolFields(sent, cwd);
      // A shell call without a command counts as malformed only before it runs, when it could still be stopped.
      const isUnread = tool.kind === "shell" && typeof tool.input.command !== "string";
      if (isUnread) fields.spoil("tool_input", ".command");
      return { ...base, name, tool, writes };
    }
    case "tool.after":
      return { ...base, name, ...toolFields(sent, cwd), response: responseIn(sent) };
    case "tool.failed":
      return {
        ...base,
        name,
        ...toolFields(sent, cwd),
        error: end !== undefined && "error" in end ? end.error.toWellFormed() : text("error"),
        interrupted: fields.flag("is_interrupt"),
      };
    case "permission.denied":
      return { ...base, name, ...toolFields(sent, cwd), reason: text("reason") };
    case "batch.after":
      return { ...base, name, calls: batchCalls(sent) };
    case "notification.sent":
      return { ...base, name, kind: text("notification_type"), message: text("message") };
    case "prompt.submit":
      return { ...base, name, prompt: text("prompt"), fromPerson: sent.fromPerson ?? isFromPerson(fields) };
    case "prompt.expand":
      return { ...base, name, command: text("command_name"), arguments: text("command_args"), prompt: text("prompt") };
    case "session.start":
      return { ...base, name, source: text("source"), model: text("model") };
    case "session.end":
      return { ...base, name, reason: text("reason") };
    case "turn.stop":
    case "subagent.stop":
      return {
        ...base,
        name,
        continued: fields.flag("stop_hook_active"),
        lastMessage: text("last_assistant_message"),
        ...backgroundFields(fields),
        wakeUps: fields.count("session_crons"),
        planMode: fields.value("permission_mode") === "plan",
      };
    case "turn.failed":
      return { ...base, name, error: text("error"), details: errorDetails(fields) };
    case "compact.before":
      return { ...base, name, trigger: text("trigger"), instructions: text("custom_instructions") };
    case "compact.after":
      return { ...base, name, trigger: text("trigger"), summary: text("compact_summary") };
    case "model.before":
    case "model.after":
      return { ...base, name, from: text("from_model"), to: text("to_model"), source: text("source") };
    case "setup.run":
      return { ...base, name, trigger: text("trigger") };
    case "teammate.idle":
      return { ...base, name, teammate: text("teammate_name"), team: text("team_name") };
    case "task.created":
    case "task.completed":
      return { ...base, name, ...taskFields(fields) };
    case "elicitation.request":
      return { ...base, name, server: text("mcp_server_name"), message: text("message") };
    case "elicitation.result":
      return { ...base, name, server: text("mcp_server_name"), action: text("action") };
    case "config.change":
      return { ...base, name, source: text("source"), file: text("file_path") };
    case "worktree.create":
      return { ...base, name, worktree: text("name") };
    case "worktree.remove":
      return { ...base, name, path: text("worktree_path") };
    case "instructions.loaded":
      return { ...base, name, file: text("file_path"), reason: text("load_reason") };
    case "cwd.changed":
      return { ...base, name, from: text("old_cwd"), to: text("new_cwd") };
    case "file.changed":
      return { ...base, name, file: text("file_path"), change: text("event") };
    case "directory.added":
      return { ...base, name, directory: text("directory") };
    case "message.display":
      return { ...base, name, text: text("delta"), isFinal: fields.flag("final") };
    case "subagent.start":
      return { ...base, name };
    default:
      // A type error when an event has no case.
      return name satisfies never;
  }
}

/** Statuses of background tasks that will still report a result. */
const UNFINISHED = new Set<Json | undefined>(["running", "pending", undefined]);

function backgroundFields(fields: Fields) {
  const given = fields.value("background_tasks");
  const listed = Array.isArray(given) ? given : [];
  const tasks = listed.filter((task: Json) => !isObject(task) || UNFINISHED.has(task.status));
  const shells = tasks.filter((task: Json) => isObject(task) && task.type === "shell");
  return { backgroundTasks: tasks.length, backgroundShells: shells.length };
}

function taskFields(fields: Fields) {
  return {
    taskId: fields.text("task_id"),
    subject: fields.text("task_subject"),
    description: fields.text("task_description"),
    teammate: fields.text("teammate_name"),
    team: fields.text("team_name"),
  };
}

function batchCalls({ fields, tools }: Sent): (ToolCall & { response: Json })[] {
  const given = fields.value("tool_calls");
  if (!Array.isArray(given)) {
    fields.spoil("tool_calls");
    return [];
  }
  return given.flatMap((entry: Json) => {
    if (!isObject(entry)) return [];
    const call = new Fields(entry);
    const input = isObject(call.raw.tool_input) ? call.raw.tool_input : {};
    const made = toolCall(tools, call.id("tool_name"), input, call.id("tool_use_id"));
    return [{ ...made, response: call.raw.tool_response ?? null }];
  });
}

/** The text of the service's error; clients send it in either field, or in both. */
function errorDetails(fields: Fields): string {
  const said = new Set([fields.text("error_details"), fields.text("last_assistant_message")]);
  return [...said].filter((text) => text !== "").join("\n");
}

function isFromPerson(fields: Fields): boolean {
  const source = fields.text("source");
  if (source !== "") return source === "user" || source === "sdk";
  return !MACHINE_PROMPT.test(fields.text("prompt"));
}

function responseIn({ end, fields }: Sent): Json {
  return end !== undefined && "response" in end ? end.response : (fields.value("tool_response") ?? null);
}

/** A command that runs elsewhere is an event of that folder: its paths are relative to it. */
function folderOfTool({ fields, tools }: Sent, cwd: string): string {
  const [name, given] = [fields.value("tool_name"), fields.value("tool_input")];
  return typeof name === "string" && isObject(given) ? folderOfCall(tools, name, given, cwd) : cwd;
}

function toolFields({ fields, tools }: Sent, cwd: string): { tool: ToolCall; writes: readonly string[] } {
  const name = fields.id("tool_name");
  if (name === "") fields.spoil("tool_name");
  const given = fields.value("tool_input");
  if (!isObject(given)) fields.spoil("tool_input");
  const input: JsonObject = isObject(given) ? given : {};
  const tool = toolCall(tools, name, input, fields.id("tool_use_id"));
  const writes = writtenPaths(tools, tool, cwd);
  if (writes === undefined) fields.spoil("tool_input", ".file_path");
  return { tool, writes: writes ?? [] };
}
