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
const MARK = "commit:";

/** Every branch and worktree of the repository; an implementer may work on any of them. */
export function logArguments(since: number): string[] {
  const time = `${new Date(since).toISOString().slice(0, 19)}Z`;
  return [
    "-c",
    "core.quotePath=false",
    "log",
    "--all",
    `--since=${time}`,
    `--max-count=${MOST_COMMITS}`,
    "--name-only",
    "--no-renames",
    `--format=${MARK}%H`,
  ];
}

/** `folders` are what reported files may be relative to. */
export function compareLog(text: string, { commit, files = [] }: TaskReport, folders: readonly string[]): Borne {
  const lines = text.split("\n").filter((line) => line !== "");
  const ids = lines.filter((line) => line.startsWith(MARK)).map((line) => line.slice(MARK.length));
  const changed = new Set(lines.filter((line) => !line.startsWith(MARK)));
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
