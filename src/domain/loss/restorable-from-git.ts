import { posix } from "node:path";
import { committedFiles, type GitRun, trackedAndClean } from "../git-loss.ts";
import type { RestorableQuestion } from "./effect-loss.ts";

/** Up to this many paths are checked one by one: that needs no more processes than a batch. */
const FEW = 2;
const MOST_AT_ONCE = 200;
/** No system has longer paths. */
const LONGEST_PATH = 4096;

/** The paths whose whole content git can restore: committed, and unchanged since. */
export async function restorableFromGit(
  questions: readonly RestorableQuestion[],
  git: GitRun,
): Promise<ReadonlySet<string>> {
  const kept = new Set<string>();
  for (const [folder, paths] of byFolder(questions)) {
    for (let at = 0; at < paths.length; at += MOST_AT_ONCE) {
      const some = paths.slice(at, at + MOST_AT_ONCE);
      const left = some.length <= FEW ? some : await keepCommitted(some, folder, git, kept);
      for (const path of left) if (await trackedAndClean([path], folder, git)) kept.add(path);
    }
  }
  return kept;
}

/** Checks many paths with one question. Returns those that have to be checked one by one. */
async function keepCommitted(
  paths: readonly string[],
  folder: string,
  git: GitRun,
  kept: Set<string>,
): Promise<readonly string[]> {
  const found = await committedFiles(paths, folder, git);
  if (found === "unknown") return [];
  const names = new Map(paths.map((path) => [posix.relative(folder, path), path]));
  const changed: string[] = [];
  for (const name of found.files) {
    const path = names.get(name);
    if (path === undefined) continue;
    if (found.isChanged(name)) changed.push(path);
    else kept.add(path);
  }
  const isFolder = (name: string): boolean =>
    found.others.some((other) => other === name || other.startsWith(`${name}/`));
  const folders = [...names].filter(([name]) => isFolder(name)).map(([, path]) => path);
  return [...changed, ...folders];
}

function byFolder(questions: readonly RestorableQuestion[]): ReadonlyMap<string, readonly string[]> {
  const folders = new Map<string, Set<string>>();
  for (const { path, folder } of questions) {
    if (path.length > LONGEST_PATH) continue;
    const paths = folders.get(folder);
    if (paths) paths.add(path);
    else folders.set(folder, new Set([path]));
  }
  return new Map([...folders].map(([folder, paths]) => [folder, [...paths]]));
}
