import path from "node:path";
import type { AnyEvent, Json, JsonObject, ToolCall, ToolKind } from "../../core/event.ts";
import type { Decoded, DecodeInput } from "../adapter.ts";
import { CLAUDE_EVENTS, isClaudeEvent } from "./events.ts";

const TOOL_KINDS: Readonly<Record<string, ToolKind>> = {
  Bash: "shell",
  Edit: "edit",
  Write: "edit",
  MultiEdit: "edit",
  NotebookEdit: "edit",
  Read: "read",
  Agent: "spawn",
  Task: "spawn",
};

/** Prompts the client writes itself, on versions that do not send `source`. */
const MACHINE_PROMPT = /^\s*<(?:task-notification|system-reminder|cross-session-message|scheduled-task)\b/;

export function decode(input: DecodeInput): Decoded {
  const raw = parseObject(input.body);
  if (typeof raw === "string") return { kind: "unreadable", detail: raw };
  const given = raw.hook_event_name === "" ? undefined : raw.hook_event_name;
  const named = given ?? (input.namedEvent || (typeof raw.tool_name === "string" ? "PreToolUse" : ""));
  if (typeof named !== "string") return { kind: "unreadable", detail: "hook_event_name is not a string" };
  const fields = new Fields(raw);
  const session = fields.text("session_id");
  const cwd = fields.text("cwd") || input.cwd;
  if (!isClaudeEvent(named)) return { kind: "unknown", agentEvent: named.slice(0, 64), session, cwd };
  return { kind: "event", event: build(fields, named, session, path.isAbsolute(cwd) ? cwd : input.cwd || "/") };
}

/** The object, or a sentence saying why it is none. */
function parseObject(body: Buffer): JsonObject | string {
  if (body.length === 0) return "it is empty";
  let value: Json;
  try {
    value = JSON.parse(body.toString("utf8")) as Json;
  } catch (error) {
    // The engine's own message quotes the input, which may hold a secret.
    const at = /position (\d+)/.exec(error instanceof Error ? error.message : "")?.[1];
    return `it is not valid JSON${at === undefined ? "" : ` (at byte ${at} of ${body.length})`}`;
  }
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : "it is not a JSON object";
}

/** Reads fields leniently and remembers which had the wrong type. */
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
    agentId: fields.text("agent_id"),
    agentType: fields.text("agent_type"),
    transcript: fields.text("transcript_path"),
    promptId: fields.text("prompt_id"),
    malformed: fields.malformed,
    raw: fields.raw,
  };
  switch (name) {
    case "tool.before":
      return { ...base, name, ...toolFields(fields, cwd) };
    case "tool.after":
      return { ...base, name, ...toolFields(fields, cwd), response: fields.raw.tool_response ?? null };
    case "tool.failed":
      return {
        ...base,
        name,
        ...toolFields(fields, cwd),
        error: fields.text("error"),
        interrupted: fields.flag("is_interrupt"),
      };
    case "prompt.submit":
      return { ...base, name, prompt: fields.text("prompt"), fromPerson: isFromPerson(fields) };
    case "session.start":
      return { ...base, name, source: fields.text("source"), model: fields.text("model") };
    case "session.end":
      return { ...base, name, reason: fields.text("reason") };
    case "turn.stop":
    case "subagent.stop":
      return {
        ...base,
        name,
        continued: fields.flag("stop_hook_active"),
        lastMessage: fields.text("last_assistant_message"),
        backgroundTasks: fields.count("background_tasks"),
        wakeUps: fields.count("session_crons"),
      };
    default:
      return { ...base, name };
  }
}

function isFromPerson(fields: Fields): boolean {
  const source = fields.text("source");
  if (source !== "") return source === "user" || source === "sdk";
  return !MACHINE_PROMPT.test(fields.text("prompt"));
}

function toolFields(fields: Fields, cwd: string): { tool: ToolCall; writes: readonly string[] } {
  const name = fields.text("tool_name");
  if (name === "" && !fields.malformed.includes("tool_name")) fields.malformed.push("tool_name");
  const given = fields.raw.tool_input;
  const isObject = typeof given === "object" && given !== null && !Array.isArray(given);
  if (!isObject) fields.malformed.push("tool_input");
  const input = isObject ? (given as JsonObject) : {};
  const kind = name === "" ? "unknown" : (TOOL_KINDS[name] ?? "other");
  return {
    tool: { name, kind, input, useId: fields.text("tool_use_id") },
    writes: writtenPaths(kind, input, fields, cwd),
  };
}

function writtenPaths(kind: ToolKind, input: JsonObject, fields: Fields, cwd: string): string[] {
  if (kind !== "edit") return [];
  const target = input.file_path ?? input.notebook_path;
  if (typeof target === "string" && target !== "") return [path.resolve(cwd, target.toWellFormed())];
  if (!fields.malformed.includes("tool_input")) fields.malformed.push("tool_input.file_path");
  return [];
}
