import path from "node:path";
import type { AnyEvent, Json, JsonObject, ToolCall, ToolKind } from "../../core/event.ts";
import { isObject } from "../../core/event.ts";
import { fingerprint } from "../../core/text/fingerprint.ts";
import type { Decoded, DecodeInput } from "../adapter.ts";
import { CLAUDE_EVENTS, isClaudeEvent } from "./events.ts";

const TOOL_KINDS: ReadonlyMap<string, ToolKind> = new Map([
  ["Bash", "shell"],
  ["PowerShell", "shell"],
  ["Edit", "edit"],
  ["Write", "edit"],
  ["MultiEdit", "edit"],
  ["NotebookEdit", "edit"],
  ["Read", "read"],
  ["Agent", "spawn"],
  ["Task", "spawn"],
]);

const DIALECTS: ReadonlyMap<string, NonNullable<ToolCall["dialect"]>> = new Map([["PowerShell", "powershell"]]);

/** Ids are stored in many rows, so a longer one is shortened to its beginning and a fingerprint, which keeps it unique. */
const LONGEST_ID = 256;
const KEPT_OF_ID = 200;
/** No system has longer paths. */
const LONGEST_PATH = 4_096;

/** Prompts that the client generates, for versions that do not send `source`. */
const MACHINE_PROMPT = /^\s*<(?:task-notification|system-reminder|cross-session-message|scheduled-task)\b/;

export function decode(input: DecodeInput): Decoded {
  const raw = parseObject(input.body);
  if (typeof raw === "string") return { kind: "unreadable", detail: raw };
  const given = raw.hook_event_name === "" ? undefined : raw.hook_event_name;
  const named = given ?? (input.namedEvent || (typeof raw.tool_name === "string" ? "PreToolUse" : ""));
  if (typeof named !== "string") return { kind: "unreadable", detail: "hook_event_name is not a string" };
  const fields = new Fields(raw);
  const session = fields.id("session_id");
  const cwd = fields.text("cwd") || input.cwd;
  if (!isClaudeEvent(named))
    return { kind: "unknown", agentEvent: named.slice(0, 64), session, cwd: cwd.slice(0, LONGEST_PATH) };
  const isPossible = path.isAbsolute(cwd) && cwd.length <= LONGEST_PATH;
  return { kind: "event", event: build(fields, named, session, isPossible ? cwd : input.cwd || "/") };
}

/** The parsed object, or a sentence about why the body is invalid. */
function parseObject(body: Buffer): JsonObject | string {
  if (body.length === 0) return "it is empty";
  let value: Json;
  try {
    value = JSON.parse(body.toString("utf8")) as Json;
  } catch (error) {
    // The message of JSON.parse quotes the input, which may hold a secret, so only the position is used.
    const at = /position (\d+)/.exec(error instanceof Error ? error.message : "")?.[1];
    return `it is not valid JSON${at === undefined ? "" : ` (at byte ${at} of ${body.length})`}`;
  }
  return isObject(value) ? value : "it is not a JSON object";
}

/** Reads fields leniently and collects the names of those with a wrong type. */
class Fields {
  readonly malformed: string[] = [];
  readonly raw: JsonObject;

  constructor(raw: JsonObject) {
    this.raw = raw;
  }

  text(name: string): string {
    const value = this.raw[name];
    if (typeof value === "string") return value.toWellFormed();
    if (value !== undefined && value !== null) this.malformed.push(name);
    return "";
  }

  id(name: string): string {
    const id = this.text(name);
    return id.length <= LONGEST_ID ? id : `${id.slice(0, KEPT_OF_ID).toWellFormed()}~${fingerprint(id)}`;
  }

  flag(name: string): boolean {
    const value = this.raw[name];
    if (value !== undefined && typeof value !== "boolean") this.malformed.push(name);
    return value === true;
  }

  count(name: string): number {
    const value = this.raw[name];
    return Array.isArray(value) ? value.length : 0;
  }
}

function build(fields: Fields, agentEvent: keyof typeof CLAUDE_EVENTS, session: string, cwd: string): AnyEvent {
  const name = CLAUDE_EVENTS[agentEvent];
  const base = {
    agentEvent,
    agent: "claude-code",
    session,
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
      const { tool, writes } = toolFields(fields, cwd);
      // A shell call without a command counts as malformed only before it runs, when it could still be stopped.
      const isUnread = tool.kind === "shell" && typeof tool.input.command !== "string";
      if (isUnread && !fields.malformed.includes("tool_input")) fields.malformed.push("tool_input.command");
      return { ...base, name, tool, writes };
    }
    case "tool.after":
      return { ...base, name, ...toolFields(fields, cwd), response: fields.raw.tool_response ?? null };
    case "tool.failed":
      return {
        ...base,
        name,
        ...toolFields(fields, cwd),
        error: text("error"),
        interrupted: fields.flag("is_interrupt"),
      };
    case "permission.denied":
      return { ...base, name, ...toolFields(fields, cwd), reason: text("reason") };
    case "batch.after":
      return { ...base, name, calls: batchCalls(fields) };
    case "notification.sent":
      return { ...base, name, kind: text("notification_type"), message: text("message") };
    case "prompt.submit":
      return { ...base, name, prompt: text("prompt"), fromPerson: isFromPerson(fields) };
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
        planMode: fields.raw.permission_mode === "plan",
      };
    case "turn.failed":
      return { ...base, name, error: text("error") };
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

function backgroundFields({ raw }: Fields) {
  const listed = Array.isArray(raw.background_tasks) ? raw.background_tasks : [];
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

function batchCalls(fields: Fields): (ToolCall & { response: Json })[] {
  const given = fields.raw.tool_calls;
  if (!Array.isArray(given)) {
    fields.malformed.push("tool_calls");
    return [];
  }
  return given.flatMap((entry: Json) => {
    if (typeof entry !== "object" || entry === null || Array.isArray(entry)) return [];
    const call = new Fields(entry as JsonObject);
    const name = call.id("tool_name");
    const input = isObject(call.raw.tool_input) ? call.raw.tool_input : {};
    return [{ ...callOf(name, input, call.id("tool_use_id")), response: call.raw.tool_response ?? null }];
  });
}

function callOf(name: string, input: JsonObject, useId: string): ToolCall {
  const dialect = DIALECTS.get(name);
  return { name, kind: kindOf(name), input, useId, ...(dialect && { dialect }) };
}

function kindOf(name: string): ToolKind {
  return name === "" ? "unknown" : (TOOL_KINDS.get(name) ?? "other");
}

function isFromPerson(fields: Fields): boolean {
  const source = fields.text("source");
  if (source !== "") return source === "user" || source === "sdk";
  return !MACHINE_PROMPT.test(fields.text("prompt"));
}

function toolFields(fields: Fields, cwd: string): { tool: ToolCall; writes: readonly string[] } {
  const name = fields.id("tool_name");
  if (name === "" && !fields.malformed.includes("tool_name")) fields.malformed.push("tool_name");
  const given = fields.raw.tool_input;
  if (!isObject(given)) fields.malformed.push("tool_input");
  const input = isObject(given) ? given : {};
  const tool = callOf(name, input, fields.id("tool_use_id"));
  return { tool, writes: writtenPaths(tool.kind, input, fields, cwd) };
}

function writtenPaths(kind: ToolKind, input: JsonObject, fields: Fields, cwd: string): string[] {
  if (kind !== "edit") return [];
  const target = input.file_path ?? input.notebook_path;
  if (typeof target === "string" && target !== "") return [path.resolve(cwd, target.toWellFormed())];
  if (!fields.malformed.includes("tool_input")) fields.malformed.push("tool_input.file_path");
  return [];
}
