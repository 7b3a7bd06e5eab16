import path from "node:path";

/** Fields of a tool's input that describe the call, the most informative first. */
const OF_CALLS = [
  "command",
  "file_path",
  "filePath",
  "notebook_path",
  "url",
  "query",
  "pattern",
  "description",
  "path",
];
/** The same for events without a tool call. */
const OF_EVENTS = [
  ...["prompt", "message", "error", "task_subject", "teammate_name", "agent_type", "file_path", "worktree_path"],
  ...["new_cwd", "trigger", "source", "reason"],
];

/** The subject of an entry in one line: the command or path of a call, or the text of a prompt. */
export interface Subject {
  readonly tool: string;
  readonly text: string;
  /** A path is shortened at its beginning, other text at its end. */
  readonly isPath: boolean;
}

export function subjectOf(
  entry: { readonly event: string; readonly agentEvent: string; readonly tool: string; readonly project: string },
  body: unknown,
): Subject {
  if (entry.event === "command") return { tool: "", text: `hookwright ${entry.agentEvent}`, isPath: false };
  const { tool, project } = entry;
  const fields = tool === "" ? body : field(body, "tool_input");
  const names = tool === "" ? OF_EVENTS : OF_CALLS;
  // For an unknown tool the first text field is used.
  const others = tool === "" || !isObject(fields) ? [] : Object.keys(fields);
  for (const name of [...names, ...others]) {
    const value = field(fields, name);
    const text = typeof value === "string" ? value.replace(/\s+/g, " ").trim() : notKept(value);
    if (text !== "") return { tool, ...(isPath(value) ? pathIn(text, project) : { text, isPath: false }) };
  }
  return { tool, text: "", isPath: false };
}

export function subjectText({ tool, text }: Subject): string {
  return [tool, text].filter((part) => part !== "").join(": ");
}

/** Long texts are recorded as a hash and a length. */
function notKept(value: unknown): string {
  const length = field(value, "length");
  return typeof field(value, "sha256") === "string" ? `(${length} characters, not kept)` : "";
}

function isPath(value: unknown): boolean {
  return typeof value === "string" && path.isAbsolute(value) && !/\s/.test(value);
}

function pathIn(file: string, project: string): Omit<Subject, "tool"> {
  const inside = project === "" ? ".." : path.relative(project, file);
  const isInside = inside !== "" && inside !== ".." && !inside.startsWith("../");
  return { text: isInside ? inside : file, isPath: true };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function field(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
