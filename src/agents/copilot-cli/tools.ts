import { patchedFiles, patchInput } from "../codex/patch.ts";
import type { ToolShape, ToolTable } from "../tool-table.ts";

const VIEW: ToolShape = { kind: "read", spelling: { file_path: "path" } };
const CREATE: ToolShape = { kind: "edit", spelling: { file_path: "path", content: "file_text" } };
const EDIT: ToolShape = {
  kind: "edit",
  spelling: { file_path: "path", old_string: "old_str", new_string: "new_str" },
};

/** In its own words, and in those of Claude Code; the arguments are the same. */
export const COPILOT_TOOLS: ToolTable = new Map<string, ToolShape>([
  ["bash", { kind: "shell" }],
  ["Bash", { kind: "shell" }],
  ["powershell", { kind: "shell", dialect: "powershell" }],
  ["view", VIEW],
  ["Read", VIEW],
  ["create", CREATE],
  ["Write", CREATE],
  ["edit", EDIT],
  ["Edit", EDIT],
  ["apply_patch", { kind: "edit", spelling: { command: "input" }, files: patchedFiles, input: patchInput }],
  ["task", { kind: "spawn" }],
  ["Agent", { kind: "spawn" }],
]);
