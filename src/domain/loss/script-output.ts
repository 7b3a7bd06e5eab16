import { posix } from "node:path";
import type { Effect, EffectKind } from "../../effects/effect.ts";
import { type GitRun, trackedAndClean } from "../git-loss.ts";

const OF_FILES: ReadonlySet<EffectKind> = new Set(["delete-tree", "delete-file", "overwrite", "truncate"]);

/**
 * A path that a committed script deletes and that git ignores is the output of an earlier run of the script. A script
 * that is new or changed may have been written just for this deletion, so it gets no such exception.
 */
export async function isOutputOfScript(effect: Effect, git: GitRun): Promise<boolean> {
  const { startedBy, kind, path, pattern, by } = effect;
  const hit = pattern ?? path;
  if (startedBy === undefined || hit === undefined || by.remote || !OF_FILES.has(kind)) return false;
  const folder = posix.dirname(startedBy);
  if (!(await trackedAndClean([startedBy], folder, git))) return false;
  return (await git(folder, ["check-ignore", "--quiet", "--", hit])).code === 0;
}
