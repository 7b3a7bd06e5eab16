import path from "node:path";
import type { ClaimReader } from "./file-names.ts";

const SPECIAL = /[*?[{]/;

export function isGlob(pattern: string): boolean {
  return SPECIAL.test(pattern);
}

/** Relative to the project, without `./`, inner `..` and slashes at the end. */
export function normalizedPattern(pattern: string, root: string): string {
  const relative = path.isAbsolute(pattern) ? path.relative(root, pattern) : pattern;
  return path.posix.normalize(relative === "" ? "." : relative).replace(/(.)\/+$/, "$1");
}

/** A plain pattern covers that file, or that folder with everything in it; one with `*`, `?`, `[` or `{` is a glob. */
export function patternCovers(
  pattern: string,
  names: readonly string[],
  root: string,
  { glob }: Pick<ClaimReader, "glob">,
): boolean {
  const normalized = normalizedPattern(pattern, root);
  if (isGlob(normalized)) return names.some((name) => glob(normalized, name) === true);
  return names.some((name) => isAtOrBelow(normalized, name));
}

/** Is `name` this file or folder, or in this folder? `.` is the project. */
export function isAtOrBelow(place: string, name: string): boolean {
  return place === "." ? !name.startsWith("../") : name === place || name.startsWith(`${place}/`);
}

/** The folder before the first part of a path that has a special character; the whole path when none has. */
export function literalBase(pattern: string): string {
  const special = pattern.search(SPECIAL);
  if (special < 0) return pattern;
  const slash = pattern.lastIndexOf("/", special);
  return slash < 0 ? "." : pattern.slice(0, slash);
}
