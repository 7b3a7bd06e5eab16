import { isObject } from "../../core/event.ts";
import type { Decoded, DecodeInput } from "../adapter.ts";
import type { CallEnd } from "../build-event.ts";
import { patchedFiles, patchInput } from "../codex/patch.ts";
import { decodeDeclared, type PayloadShape } from "../decode-declared.ts";
import type { Fields } from "../payload.ts";
import type { ToolTable } from "../tool-table.ts";
import { OPENCODE } from "./declaration.ts";

const FILE = { file_path: "filePath" };
const EDIT = { ...FILE, old_string: "oldString", new_string: "newString", replace_all: "replaceAll" };

export const OPENCODE_TOOLS: ToolTable = new Map([
  ["bash", { kind: "shell", folder: "workdir" }],
  ["edit", { kind: "edit", spelling: EDIT }],
  ["write", { kind: "edit", spelling: FILE }],
  ["apply_patch", { kind: "edit", spelling: { command: "patchText" }, files: patchedFiles, input: patchInput }],
  ["read", { kind: "read", spelling: FILE }],
  ["task", { kind: "spawn" }],
]);

const SHAPE: PayloadShape = {
  declaration: OPENCODE,
  tools: OPENCODE_TOOLS,
  spelling: {
    hook_event_name: "hook",
    session_id: "sessionID",
    agent_id: "childID",
    agent_type: "agent",
    cwd: "directory",
    prompt: "text",
    last_assistant_message: "text",
    stop_hook_active: "held",
    tool_name: "tool",
    tool_input: "args",
    tool_use_id: "callID",
    tool_response: "output",
  },
  // Only prompts in a main session are reported, and none of those that hold a turn.
  isFromPerson: () => true,
  endOf: endOfCall,
};

export function decode(input: DecodeInput): Decoded {
  return decodeDeclared(input, SHAPE);
}

/** A command that failed is reported like any other; the error is worded as policies read it. */
function endOfCall(fields: Fields): CallEnd | undefined {
  const given = fields.value("tool_response");
  const metadata = isObject(given) ? given.metadata : undefined;
  if (!isObject(given) || !isObject(metadata)) return undefined;
  const text = typeof given.output === "string" ? given.output : "";
  const { exit } = metadata;
  return typeof exit === "number" && exit !== 0 ? { error: `Exit code ${exit}\n${text}` } : undefined;
}
