import type { ToolCall } from "../../../core/event.ts";

/** The call that a whitelist is asked about: the tool and its main input, for a shell line one for each command. */
export interface WhitelistQuery {
  readonly tool: string;
  readonly inputs: readonly string[];
}

const PRIMARY: Readonly<Record<string, string>> = {
  Read: "file_path",
  Edit: "file_path",
  MultiEdit: "file_path",
  Write: "file_path",
  Skill: "skill",
  Glob: "pattern",
  Grep: "pattern",
};

export function whitelistQuery(tool: ToolCall, commands: readonly string[]): WhitelistQuery {
  // A whitelist for Bash commands does not apply to PowerShell commands.
  if (tool.kind === "shell") return { tool: tool.dialect ? tool.name : "Bash", inputs: commands };
  const input = tool.input[PRIMARY[tool.name] ?? ""];
  return { tool: tool.kind === "spawn" ? "Task" : tool.name, inputs: [typeof input === "string" ? input : ""] };
}

/** May the call pass? Every command of a line has to be listed; an empty list lets nothing pass. */
export function isListed(whitelist: readonly string[], asked: WhitelistQuery): boolean {
  const entries = whitelist
    .map(entryOf)
    .filter(({ tool }) => tool === asked.tool || (tool === "Agent" && asked.tool === "Task"));
  if (entries.length === 0 || asked.inputs.length === 0) return entries.some(({ pattern }) => pattern === undefined);
  return asked.inputs.every((input) => entries.some(({ pattern }) => pattern === undefined || matches(pattern, input)));
}

function entryOf(entry: string): { tool: string; pattern: string | undefined } {
  const [, tool = "", pattern] = /^([^()]+)(?:\((.*)\))?$/s.exec(entry.trim()) ?? [];
  return { tool, pattern };
}

/** `*` matches anything. Two pointers instead of a regular expression, which could backtrack exponentially. */
export function matches(pattern: string, text: string): boolean {
  let [p, t, star, mark] = [0, 0, -1, 0];
  while (t < text.length) {
    if (pattern[p] === "*") {
      star = p++;
      mark = t;
    } else if (p < pattern.length && pattern[p] === text[t]) {
      p++;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++mark;
    } else return false;
  }
  while (pattern[p] === "*") p++;
  return p === pattern.length;
}
