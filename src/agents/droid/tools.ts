import { patchedFiles, patchInput } from "../codex/patch.ts";
import type { ToolShape, ToolTable } from "../tool-table.ts";

export const DROID_TOOLS: ToolTable = new Map<string, ToolShape>([
  ["Execute", { kind: "shell", spelling: { run_in_background: "fireAndForget" } }],
  ["Read", { kind: "read" }],
  ["Create", { kind: "edit" }],
  ["Edit", { kind: "edit", spelling: { old_string: "old_str", new_string: "new_str", replace_all: "change_all" } }],
  ["ApplyPatch", { kind: "edit", spelling: { command: "input" }, files: patchedFiles, input: patchInput }],
  ["Task", { kind: "spawn" }],
]);
