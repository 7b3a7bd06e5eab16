import path from "node:path";
import type { TaskReport } from "./report.ts";

/** How far the commits since a plan was started bear a report out. */
export interface Borne {
  readonly hasCommits: boolean;
  /** Is the reported commit one of them? */
  readonly hasCommit: boolean;
  /** Those of the reported files that they touch, as they were reported. */
  readonly touched: readonly string[];
}

const MOST_COMMITS = 2_000;
const SECOND = 1_000;
const MARK = "commit:";

/** Every branch and worktree of the repository; an implementer may work on any of them. */
function logSince(time: number): string[] {
  const second = `${new Date(time).toISOString().slice(0, 19)}Z`;
  return ["log", "--all", `--since=${second}`, `--max-count=${MOST_COMMITS}`, "--no-renames", `--format=${MARK}%H`];
}

/**
 * Git's times are whole seconds, so a time alone cannot tell the commits of that second made before the start from those
 * made after it. Where the earlier ones are known they are left out by name; otherwise that whole second is left out.
 */
export function logArguments(since: number, isEarlierKnown: boolean): string[] {
  return ["-c", "core.quotePath=false", ...logSince(isEarlierKnown ? since : since + SECOND), "--name-only"];
}

/** The commits that are there already when a plan is started, though by their time they could be later. */
export function earlierArguments(started: number): string[] {
  return logSince(started);
}

export function idsIn(log: string): string[] {
  const marked = log.split("\n").filter((line) => line.startsWith(MARK));
  return marked.map((line) => line.slice(MARK.length));
}

/** `folders` are what reported files may be relative to; commits in `earlier` are not looked at. */
export function compareLog(
  text: string,
  { commit, files = [] }: TaskReport,
  folders: readonly string[],
  earlier: readonly string[],
): Borne {
  const blocks = text
    .split(new RegExp(`^(?=${MARK})`, "m"))
    .filter((block) => !earlier.includes(idsIn(block)[0] ?? ""));
  const ids = blocks.flatMap(idsIn);
  const lines = blocks.flatMap((block) => block.split("\n"));
  const changed = new Set(lines.filter((line) => line !== "" && !line.startsWith(MARK)));
  return {
    hasCommits: ids.length > 0,
    hasCommit: commit !== undefined && ids.some((id) => id.startsWith(commit)),
    touched: files.filter((file) => isTouched(file, changed, folders)),
  };
}

/** Reports name files from the project, from a service or from the root; git names them from the repository. */
function isTouched(file: string, changed: ReadonlySet<string>, folders: readonly string[]): boolean {
  const endsLike = (long: string, short: string): boolean => long.endsWith(`/${short}`);
  const relative = folders.map((folder) => path.relative(folder, path.resolve(folder, file)));
  const names = [file, ...relative].map((name) => name.replace(/^(?:\.\/)+/, ""));
  if (names.some((name) => changed.has(name))) return true;
  return [...changed].some((one) => names.some((name) => endsLike(one, name) || endsLike(name, one)));
}
