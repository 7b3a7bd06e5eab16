import type { Decoded, DecodeInput } from "../adapter.ts";
import { buildEvent, folderOf } from "../build-event.ts";
import { Fields, parsePayload } from "../payload.ts";
import type { ToolTable } from "../tool-table.ts";
import { CLAUDE_EVENTS, isClaudeEvent } from "./events.ts";

const TOOLS: ToolTable = new Map([
  ["Bash", { kind: "shell" }],
  ["PowerShell", { kind: "shell", dialect: "powershell" }],
  ["Edit", { kind: "edit" }],
  ["Write", { kind: "edit" }],
  ["MultiEdit", { kind: "edit" }],
  ["NotebookEdit", { kind: "edit" }],
  ["Read", { kind: "read" }],
  ["Agent", { kind: "spawn" }],
  ["Task", { kind: "spawn" }],
]);

export function decode({ body, namedEvent, cwd }: DecodeInput): Decoded {
  const raw = parsePayload(body);
  if (typeof raw === "string") return { kind: "unreadable", detail: raw };
  const given = raw.hook_event_name === "" ? undefined : raw.hook_event_name;
  const named = given ?? (namedEvent || (typeof raw.tool_name === "string" ? "PreToolUse" : ""));
  if (typeof named !== "string") return { kind: "unreadable", detail: "hook_event_name is not a string" };
  const fields = new Fields(raw);
  if (!isClaudeEvent(named)) {
    const session = fields.id("session_id");
    return { kind: "unknown", agentEvent: named.slice(0, 64), session, cwd: folderOf(fields, cwd) };
  }
  const sent = { agent: "claude-code", agentEvent: named, name: CLAUDE_EVENTS[named], fields, tools: TOOLS, cwd };
  return { kind: "event", event: buildEvent(sent) };
}
