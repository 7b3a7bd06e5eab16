import { isObject } from "../../core/event.ts";
import type { Decoded, DecodeInput } from "../adapter.ts";
import type { CallEnd } from "../build-event.ts";
import { decodeDeclared, type PayloadShape } from "../decode-declared.ts";
import { errorIn } from "../gemini-cli/call-end.ts";
import type { Fields } from "../payload.ts";
import type { ToolShape, ToolTable } from "../tool-table.ts";
import { QWEN_CODE } from "./declaration.ts";

/** Runs a command in the background and reports its lines. */
const MONITOR = "monitor";
const COMMAND: ToolShape = { kind: "shell", spelling: { run_in_background: "is_background" }, folder: "directory" };

export const QWEN_TOOLS: ToolTable = new Map<string, ToolShape>([
  ["run_shell_command", COMMAND],
  [MONITOR, COMMAND],
  ["edit", { kind: "edit" }],
  ["write_file", { kind: "edit" }],
  ["notebook_edit", { kind: "edit" }],
  ["read_file", { kind: "read" }],
  ["agent", { kind: "spawn" }],
]);

function endOf(fields: Fields): CallEnd | undefined {
  const [error, response] = [fields.value("error"), fields.value("tool_response")];
  if (typeof error === "string") return { error: errorIn(error) ?? error };
  const isStarted = fields.value("tool_name") === MONITOR && isObject(response);
  return isStarted ? { response: { ...response, backgroundTaskId: MONITOR } } : undefined;
}

const SHAPE: PayloadShape = {
  declaration: QWEN_CODE,
  tools: QWEN_TOOLS,
  spelling: { session_crons: "crons" },
  // The event comes before every request to the model. Only the first of a prompt has this field, with the person's words.
  isFromPerson: (fields) => fields.text("submitted_prompt") !== "",
  endOf,
};

export function decode(input: DecodeInput): Decoded {
  return decodeDeclared(input, SHAPE);
}
