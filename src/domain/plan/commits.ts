import path from "node:path";

/** What changed in the repository since a plan was started. */
export interface Commits {
  readonly ids: readonly string[];
  /** As git names them, relative to their repository. */
  readonly files: readonly string[];
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

export function readLog(text: string): Commits {
  const lines = text.split("\n").filter((line) => line !== "");
  const isId = (line: string): boolean => line.startsWith(MARK);
  return {
    ids: lines.filter(isId).map((line) => line.slice(MARK.length)),
    files: [...new Set(lines.filter((line) => !isId(line)))],
  };
}

/** The files of a report that no commit touched. Reports name them from the project, a service or the root. */
export function untouched(files: readonly string[], commits: Commits, folders: readonly string[]): string[] {
  const known = new Set(commits.files);
  const endsLike = (long: string, short: string): boolean => long.endsWith(`/${short}`);
  return files.filter((file) => {
    const names = [file, ...folders.map((folder) => path.relative(folder, path.resolve(folder, file)))].map((name) =>
      name.replace(/^(?:\.\/)+/, ""),
    );
    if (names.some((name) => known.has(name))) return false;
    return !commits.files.some((one) => names.some((name) => endsLike(one, name) || endsLike(name, one)));
  });
}
