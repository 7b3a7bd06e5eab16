import path from "node:path";
import { below, type ClaimReader, isTemporary, linkedWorktree, shownPath } from "../claims/file-names.ts";
import type { WriteTarget } from "../claims/written-targets.ts";

/** Why a write of the main agent is left to subagents, or is not. */
export type Reason = "allowed_path" | "source_file" | "other";

export interface JudgedWrite {
  /** As messages and records show it. */
  readonly path: string;
  readonly reason: Reason;
  /** The type of the subagent that is named for it. */
  readonly agent: string;
}

const ALLOWED_FOLDERS = new Set([".omc", ".claude"]);
const ALLOWED_FILES = new Set(["CLAUDE.md", "AGENTS.md"]);
/** Agents by what they change; names of the plugin `omc`. */
const BY_EXTENSION: readonly (readonly [agent: string, extensions: string])[] = [
  ["writer", "md mdx rst adoc txt"],
  ["executor", "ts tsx mts cts js jsx mjs cjs py pyi rb go rs java kt kts scala c h cc cpp hpp cs swift m mm php pl"],
  [
    "executor",
    "lua r jl ex exs erl hs ml clj dart zig sh bash zsh fish ps1 sql vue svelte astro html css scss sass less",
  ],
];
const AGENTS = new Map(BY_EXTENSION.flatMap(([agent, all]) => all.split(" ").map((one) => [one, agent] as const)));
const TEXTS = "writer";

export interface WriteView {
  readonly root: string;
  readonly tempDir: string;
  readonly reader: ClaimReader;
}

/** Where a write goes: links are followed, so that a link in an allowed folder allows nothing else. */
export function judgedWrite({ path: file }: WriteTarget, { root, tempDir, reader }: WriteView): JudgedWrite {
  const agent = AGENTS.get(path.extname(file).slice(1).toLowerCase());
  const judged = { path: shownPath(file, root), agent: agent ?? "executor" };
  if (isAllowed(file, { root, tempDir, reader })) return { ...judged, reason: "allowed_path" };
  return { ...judged, reason: agent !== undefined && agent !== TEXTS ? "source_file" : "other" };
}

function isAllowed(file: string, { root, tempDir, reader }: WriteView): boolean {
  const real = reader.realPath(file);
  if (ALLOWED_FILES.has(path.basename(real))) return true;
  const folders = [reader.realPath(root), linkedWorktree(real, reader)];
  const inside = folders.flatMap((folder) => (folder === undefined ? [] : (below(folder, real) ?? [])));
  if (inside.length > 0) return inside.some((name) => ALLOWED_FOLDERS.has(name.split("/")[0] ?? ""));
  return isTemporary(file, tempDir, reader) || real.split("/").some((part) => ALLOWED_FOLDERS.has(part));
}
