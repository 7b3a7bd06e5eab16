import path from "node:path";
import type { JsonObject, ToolCall, ToolKind } from "../core/event.ts";

/** What one of an agent's tools does, and how its arguments are called. */
export interface ToolShape {
  readonly kind: ToolKind;
  readonly dialect?: ToolCall["dialect"];
  /** The names of its arguments, by ours: `command`, `file_path`, `old_string`, `new_string`, `content`. */
  readonly spelling?: Readonly<Record<string, string>>;
  /** For arguments that more than other names make ours. */
  input?(given: JsonObject): JsonObject;
  /** The agent's argument for the folder that a command runs in, where it is not that of the session. */
  readonly folder?: string;
  /** For an edit that names its files in another way than by one argument; undefined where they cannot be known. */
  files?(input: JsonObject): readonly string[] | undefined;
}

export type ToolTable = ReadonlyMap<string, ToolShape>;

/** The call as policies see it: the agent's name of the tool, our names of its arguments. */
export function toolCall(table: ToolTable, name: string, given: JsonObject, useId: string): ToolCall {
  const shape = table.get(name);
  const kind = shape?.kind ?? (name === "" ? "unknown" : "other");
  const named = shape?.spelling ? ourNames(given, shape.spelling) : given;
  const input = shape?.input ? shape.input(named) : named;
  return { name, kind, input, useId, ...(shape?.dialect && { dialect: shape.dialect }) };
}

/** Arguments in the agent's own names again. */
export function theirInput(table: ToolTable, name: string, input: JsonObject): JsonObject {
  const spelling = table.get(name)?.spelling ?? {};
  return Object.fromEntries(Object.entries(input).map(([ours, value]) => [spelling[ours] ?? ours, value]));
}

/** Where the call runs: the folder that its arguments name, or that of the session. */
export function folderOfCall(table: ToolTable, name: string, given: JsonObject, cwd: string): string {
  const named = table.get(name)?.folder;
  const folder = named === undefined ? undefined : given[named];
  return typeof folder === "string" && folder !== "" ? path.resolve(cwd, folder.toWellFormed()) : cwd;
}

function ourNames(given: JsonObject, spelling: Readonly<Record<string, string>>): JsonObject {
  const input = { ...given };
  for (const [ours, theirs] of Object.entries(spelling)) {
    const value = input[theirs];
    if (value === undefined || ours === theirs) continue;
    delete input[theirs];
    input[ours] = value;
  }
  return input;
}

/** The absolute paths that a call would write; undefined when it does not name them. */
export function writtenPaths(table: ToolTable, { name, kind, input }: ToolCall, cwd: string): string[] | undefined {
  if (kind !== "edit") return [];
  const named = table.get(name)?.files?.(input) ?? oneFile(input);
  if (named === undefined || named.length === 0) return undefined;
  return named.map((file) => path.resolve(cwd, file.toWellFormed()));
}

function oneFile(input: JsonObject): readonly string[] | undefined {
  const target = input.file_path ?? input.notebook_path;
  return typeof target === "string" && target !== "" ? [target] : undefined;
}
