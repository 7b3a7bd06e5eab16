import { posix } from "node:path";
import type { Effect, EffectKind } from "../../effects/effect.ts";
import { type GitRun, trackedAndClean } from "../git-loss.ts";

const OF_FILES: ReadonlySet<EffectKind> = new Set(["delete-tree", "delete-file", "overwrite", "truncate"]);

/**
 * What a committed script clears away and git is told to ignore is the output of an earlier run. A script that is new
 * or changed may have been written for just this, and is taken at its word.
 */
export async function isOutputOfScript(effect: Effect, git: GitRun): Promise<boolean> {
  const { startedBy, kind, path, pattern, by } = effect;
  const hit = pattern ?? path;
  if (startedBy === undefined || hit === undefined || by.remote || !OF_FILES.has(kind)) return false;
  const folder = posix.dirname(startedBy);
  if (!(await trackedAndClean([startedBy], folder, git))) return false;
  return (await git(folder, ["check-ignore", "--quiet", "--", hit])).code === 0;
}
