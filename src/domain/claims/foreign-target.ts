import path from "node:path";
import { type Claim, liveClaims } from "./claim.ts";
import { below, type ClaimReader, namesOfFile, shownPath } from "./file-names.ts";
import { isAtOrBelow, literalBase, normalizedPattern, patternCovers } from "./patterns.ts";
import { isFileName, mayCover, patternsMeet } from "./patterns-meet.ts";
import type { WriteTarget } from "./written-targets.ts";

export interface ClaimedCall {
  readonly claims: readonly Claim[];
  /** The owners whose claims the calling agent may use. */
  readonly owners: readonly string[];
  readonly targets: readonly WriteTarget[];
  /** The project: claims are relative to it. A linked worktree of it counts as the project. */
  readonly root: string;
  readonly now: number;
}

export interface ForeignTarget {
  /** As messages show it. */
  readonly path: string;
  /** The claim of another owner that covers it. */
  readonly claim: Claim;
}

/**
 * The first target of a call that belongs to another owner. What nobody claims, and what is outside the project, belongs
 * to nobody. A claim of another owner counts even where the caller has one too, so that a file can be taken out of a
 * folder.
 */
export function foreignTarget(
  { claims, owners, targets, root, now }: ClaimedCall,
  reader: ClaimReader,
): ForeignTarget | undefined {
  const others = liveClaims(claims, now)
    .filter(({ owner }) => !owners.includes(owner))
    .map((claim) => ({ claim, pattern: normalizedPattern(claim.pattern, root) }));
  if (others.length === 0) return undefined;
  for (const target of targets) {
    const names = namesIn(root, target, reader);
    const found = others.find(({ pattern }) => names.some((name) => touches(target, name, pattern, root, reader)));
    if (found) return { path: shownPath(target.pattern ?? target.path, root) || ".", claim: found.claim };
  }
  return undefined;
}

/** With the name through links, the name as it was written, because a claim may use either. */
function namesIn(root: string, { path: file, takesFolder }: WriteTarget, reader: ClaimReader): readonly string[] {
  const written = below(root, path.normalize(file));
  const names = [...namesOfFile(file, [{ folder: root }], reader), ...(written === undefined ? [] : [written])];
  const holdsProject = takesFolder && below(reader.realPath(file), reader.realPath(root)) !== undefined;
  return holdsProject ? ["."] : [...new Set(names)];
}

function touches(target: WriteTarget, name: string, pattern: string, root: string, reader: ClaimReader): boolean {
  // Some files have special characters in their names, such as `app/[id]/page.tsx`.
  if (isAtOrBelow(pattern, name)) return true;
  const isOneFile = target.pattern === undefined;
  // Most globs are excluded by the cheap comparison, so that the library for globs is seldom loaded.
  if (isOneFile && mayCover(pattern, name) && patternCovers(pattern, [name], root, reader)) return true;
  // A glob that begins above the target may have no file in it.
  if (!isAtOrBelow(name, literalBase(pattern))) return false;
  if (isOneFile) return target.takesFolder === true;
  const matched = path.posix.join(name, path.posix.relative(target.path, target.pattern));
  return patternsMeet(isFileName(matched) ? matched : `${matched}/**`, pattern);
}
