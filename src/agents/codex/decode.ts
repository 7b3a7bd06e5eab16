import type { Decoded, DecodeInput } from "../adapter.ts";
import { decodeDeclared } from "../decode-declared.ts";
import type { ToolTable } from "../tool-table.ts";
import { CODEX } from "./declaration.ts";
import { patchedFiles, patchInput } from "./patch.ts";

export const CODEX_TOOLS: ToolTable = new Map([
  ["Bash", { kind: "shell" }],
  ["exec_command", { kind: "shell", spelling: { command: "cmd" } }],
  ["apply_patch", { kind: "edit", files: patchedFiles, input: patchInput }],
  ["spawn_agent", { kind: "spawn" }],
]);

export function decode(input: DecodeInput): Decoded {
  return decodeDeclared(input, { declaration: CODEX, tools: CODEX_TOOLS, spelling: {} });
}
