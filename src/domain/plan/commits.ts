import path from "node:path";
import type { TaskReport } from "./task-report.ts";

/** What the commits since the start of a plan confirm of a task report. */
export interface LogComparison {
  readonly hasCommits: boolean;
  /** Is the reported commit among them? */
  readonly hasCommit: boolean;
  /** The reported files that the commits change, spelled as reported. */
  readonly touched: readonly string[];
}

const MOST_COMMITS = 2_000;
const SECOND = 1_000;
const MARK = "commit:";

/** Covers every branch and worktree, because an implementer may work on any of them. */
function logSince(time: number): string[] {
  const second = `${new Date(time).toISOString().slice(0, 19)}Z`;
  return ["log", "--all", `--since=${second}`, `--max-count=${MOST_COMMITS}`, "--no-renames", `--format=${MARK}%H`];
}

/**
 * Git's times are whole seconds, so in the second of the start, earlier and later commits cannot be told apart by time.
 * Where the ids of the earlier ones are known, they are excluded by id; otherwise the whole second is excluded.
 */
export function logArguments(since: number, isEarlierKnown: boolean): string[] {
  return ["-c", "core.quotePath=false", ...logSince(isEarlierKnown ? since : since + SECOND), "--name-only"];
}

/** Lists the commits that exist when a plan is started but have the same second as the start. */
export function earlierArguments(started: number): string[] {
  return logSince(started);
}

export function commitIdsIn(log: string): string[] {
  const marked = log.split("\n").filter((line) => line.startsWith(MARK));
  return marked.map((line) => line.slice(MARK.length));
}

/** `folders`: reported file paths may be relative to any of these. `earlier`: ids of commits to ignore. */
export function compareLog(
  text: string,
  { commit, files = [] }: TaskReport,
  folders: readonly string[],
  earlier: readonly string[],
): LogComparison {
  const blocks = text
    .split(new RegExp(`^(?=${MARK})`, "m"))
    .filter((block) => !earlier.includes(commitIdsIn(block)[0] ?? ""));
  const ids = blocks.flatMap(commitIdsIn);
  const lines = blocks.flatMap((block) => block.split("\n"));
  const changed = new Set(lines.filter((line) => line !== "" && !line.startsWith(MARK)));
  return {
    hasCommits: ids.length > 0,
    hasCommit: commit !== undefined && ids.some((id) => id.startsWith(commit)),
    touched: files.filter((file) => isTouched(file, changed, folders)),
  };
}

/** Reported paths may be relative to the project or a service, or absolute; git's are relative to the repository. */
function isTouched(file: string, changed: ReadonlySet<string>, folders: readonly string[]): boolean {
  const endsLike = (long: string, short: string): boolean => long.endsWith(`/${short}`);
  const relative = folders.map((folder) => path.relative(folder, path.resolve(folder, file)));
  const names = [file, ...relative].map((name) => name.replace(/^(?:\.\/)+/, ""));
  if (names.some((name) => changed.has(name))) return true;
  return [...changed].some((one) => names.some((name) => endsLike(one, name) || endsLike(name, one)));
}
