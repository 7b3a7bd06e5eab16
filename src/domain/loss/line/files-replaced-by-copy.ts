import { posix } from "node:path";
import type { CopiedFiles, Effect } from "../../../effects/effect.ts";
import { globMatches } from "../../../shell/expand/glob.ts";
import type { LossProbes } from "../effect-loss.ts";

/** The largest number of names that are compared in source and target: git could not check more before the deadline. */
const MOST_LOOKS = 1000;
const MOST_FOLDERS = 300;
const DEEPEST = 20;

/**
 * The existing files that a copy of a folder, or of what a pattern matches, would replace, each as an effect of its own.
 * Source and target are walked in parallel; a source name that does not exist at the target is skipped.
 */
export function filesReplacedByCopy(
  effect: Effect,
  copied: CopiedFiles,
  probes: LossProbes,
): readonly Effect[] | "too many" {
  const { path: root } = effect;
  if (root === undefined || isSafe(effect, probes) || probes.info(root)?.kind !== "directory") return [];
  const hit: Effect[] = [];
  let looks = 0;
  let folders = 0;

  /** Handles one name that is copied to `below` in the target folder. */
  const land = (from: string, below: string, depth: number): void => {
    if (isLeftOut(below, copied)) return;
    looks++;
    const path = posix.join(root, below);
    const found = probes.info(path);
    if (found?.kind === "directory") {
      if (copied.deep) walk(from, below, depth + 1);
    } else if (found && found.kind !== "other") hit.push(fileOf(effect, path, below));
  };
  const walk = (from: string, below: string, depth: number): void => {
    if (depth > DEEPEST || looks > MOST_LOOKS || ++folders > MOST_FOLDERS) return;
    const names = probes.list(from);
    if (!names || names.length === 0) return;
    const standing = new Set(probes.list(posix.join(root, below)));
    for (const name of names) {
      if (looks > MOST_LOOKS) return;
      if (standing.has(name)) land(posix.join(from, name), posix.join(below, name), depth);
    }
  };

  if (copied.within === undefined) walk(copied.from, "", 0);
  else {
    const standing = new Set(probes.list(root));
    for (const from of fitting(copied.from, copied.within, probes))
      if (standing.has(posix.basename(from))) land(from, posix.basename(from), 0);
  }
  return looks > MOST_LOOKS || folders > MOST_FOLDERS ? "too many" : hit;
}

/** This session created the whole target folder, or an earlier command of the line copied it. */
function isSafe(effect: Effect, probes: LossProbes): boolean {
  const { path } = effect;
  return (
    path !== undefined && (probes.isCreatedBySession(path) || probes.isKeptByLine({ ...effect, kind: "delete-tree" }))
  );
}

function fileOf({ copied: _, ...effect }: Effect, path: string, below: string): Effect {
  const target = posix.join(effect.target, below);
  return { ...effect, path, target, why: `replaces ${target}` };
}

/** Excludes as rsync reads them: a name in any folder, or with a slash in it a path from the top. */
function isLeftOut(below: string, { except = [] }: CopiedFiles): boolean {
  return except.some((written) => {
    const pattern = written.replace(/^\/|\/\**$/g, "");
    return globMatches(pattern, written.startsWith("/") || pattern.includes("/") ? below : posix.basename(below));
  });
}

/** The paths that the shell expands a pattern to. */
function fitting(pattern: string, within: string, probes: LossProbes): readonly string[] {
  const steps = pattern.slice(within === "/" ? 1 : within.length + 1).split("/");
  let found: readonly string[] = [within];
  for (const step of steps) {
    found = found
      .slice(0, MOST_FOLDERS)
      .flatMap((folder) =>
        (probes.list(folder) ?? [])
          .filter((name) => (step.startsWith(".") || !name.startsWith(".")) && globMatches(step, name))
          .map((name) => posix.join(folder, name)),
      );
  }
  return found;
}
