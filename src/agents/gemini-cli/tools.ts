import type { ToolTable } from "../tool-table.ts";

export const GEMINI_TOOLS: ToolTable = new Map([
  ["run_shell_command", { kind: "shell", spelling: { run_in_background: "is_background" }, folder: "dir_path" }],
  ["replace", { kind: "edit", spelling: { replace_all: "allow_multiple" } }],
  ["write_file", { kind: "edit" }],
  ["read_file", { kind: "read" }],
  ["read_many_files", { kind: "read" }],
  ["invoke_agent", { kind: "spawn", spelling: { subagent_type: "agent_name" } }],
]);
