import { claudeCode } from "../agents/claude-code/adapter.ts";
import type { AnyEvent, JsonObject } from "../core/event.ts";

export const SESSION = "11111111-2222-3333-4444-555555555555";
export const PROJECT = "/home/dev/app";
export const USER_HOME = "/home/dev";

/** An event as the engine sees it, made from Claude Code's payload with the real decoder. */
export function claudeEvent(payload: JsonObject): AnyEvent {
  const body = Buffer.from(JSON.stringify({ session_id: SESSION, cwd: PROJECT, ...payload }));
  const decoded = claudeCode.decode({ body, namedEvent: "", cwd: PROJECT });
  if (decoded.kind !== "event") throw new Error(`not an event: ${JSON.stringify(payload)}`);
  return decoded.event;
}

let calls = 0;

/** The event before a tool call; every call gets a new id. */
export function toolBefore(tool: string, input: JsonObject, more: JsonObject = {}): AnyEvent {
  const id = `toolu_test_${++calls}`;
  return claudeEvent({ hook_event_name: "PreToolUse", tool_name: tool, tool_input: input, tool_use_id: id, ...more });
}

export const writes = (file: string): AnyEvent => toolBefore("Write", { file_path: file, content: "x" });
export const edits = (file: string): AnyEvent =>
  toolBefore("Edit", { file_path: file, old_string: "a", new_string: "b" });
export const shell = (command: string): AnyEvent => toolBefore("Bash", { command });
export const powershell = (command: string): AnyEvent => toolBefore("PowerShell", { command });

/** The event after a successful tool call. */
export function toolAfter(tool: string, input: JsonObject, useId: string, more: JsonObject = {}): AnyEvent {
  const base = { hook_event_name: "PostToolUse", tool_name: tool, tool_input: input, tool_use_id: useId };
  return claudeEvent({ ...base, tool_response: {}, ...more });
}

export const stop = (more: JsonObject = {}): AnyEvent =>
  claudeEvent({ hook_event_name: "Stop", stop_hook_active: false, last_assistant_message: "Done.", ...more });

export const prompt = (text: string, more: JsonObject = {}): AnyEvent =>
  claudeEvent({ hook_event_name: "UserPromptSubmit", prompt: text, ...more });
