import path from "node:path";
import type { FileInfo } from "../../core/ports.ts";

/** `outside`: there is no repository. `unknown`: there is one, but git did not answer. */
export type CommitStatus = "kept" | "ignored" | "outside" | "unknown";

interface Looks {
  info(path: string): FileInfo | undefined;
  git<T>(folder: string, args: readonly string[], digest: (text: string, code: number | null) => T): Promise<T>;
}

/** Would the next commit of everything include this file? */
export async function commitStatusOf(file: string, looks: Looks): Promise<CommitStatus> {
  let folder = path.dirname(file);
  while (looks.info(folder)?.kind !== "directory" && folder !== path.dirname(folder)) folder = path.dirname(folder);
  // With these options git answers for every path, and reports a tracked file as not ignored.
  const args = ["check-ignore", "--verbose", "--non-matching", "--", file];
  const kept = await looks.git(folder, args, readAnswer);
  return kept === "unknown" && !hasRepository(folder, looks) ? "outside" : kept;
}

function readAnswer(text: string, code: number | null): CommitStatus {
  if (code === null) return "unknown";
  const [, pattern] = /^[^\t]*:\d*:([^\t]*)\t/.exec(text) ?? /^::()\t/.exec(text) ?? [];
  if (pattern === undefined) return "outside";
  return pattern === "" || pattern.startsWith("!") ? "kept" : "ignored";
}

function hasRepository(folder: string, looks: Looks): boolean {
  for (let at = folder; ; at = path.dirname(at)) {
    if (looks.info(path.join(at, ".git")) !== undefined) return true;
    if (at === path.dirname(at)) return false;
  }
}
