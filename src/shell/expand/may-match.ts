/** What a pattern may match relative to a path: the path itself, something inside it, or a folder above it. */
export type Reach = "it" | "inside" | "above";

/**
 * For a pattern that the shell matches against files. Where the rules depend on settings of the shell it assumes a
 * match: a match that never happens costs a needless question, a missed one lets a loss happen.
 */
export function mayMatchPath(pattern: string, place: string): Reach | undefined {
  return meet(pattern.split("/"), place.split("/"));
}

function meet(pattern: readonly string[], place: readonly string[]): Reach | undefined {
  const [part, ...parts] = pattern;
  const [name, ...names] = place;
  if (name === undefined) return part === undefined ? "it" : "inside";
  if (part === undefined) return "above";
  if (part !== "**") return mayMatchName(part, name) ? meet(parts, names) : undefined;
  const next = parts.findIndex((one) => one !== "**");
  // A final `**` matches everything below.
  if (next < 0) return mayMatchName("*", name) ? (meet(names.length > 0 ? pattern : [], names) ?? "above") : "above";
  const here = meet(parts.slice(next), place);
  const deeper = mayMatchName("*", name) ? meet(pattern, names) : undefined;
  return [here, deeper].sort((a, b) => RANK[a ?? "none"] - RANK[b ?? "none"])[0];
}

const RANK = { it: 0, inside: 1, above: 2, none: 3 };

/** Matches one component of a path. A set such as `[a-z]` matches any character here, `@(a|b)` anything. */
export function mayMatchName(part: string, name: string): boolean {
  const wild = part.replace(/[?*+@!]\(.*\)/g, "*").replace(/\[[^\]]+\]/g, "?");
  if (name.startsWith(".") && !wild.startsWith(".") && !(part.includes("(") && part.includes("."))) return false;
  let at = 0;
  let star = -1;
  let resume = 0;
  for (let i = 0; i < name.length; ) {
    if (wild[at] === "*") {
      star = at++;
      resume = i;
    } else if (at < wild.length && (wild[at] === "?" || wild[at] === name[i])) {
      at++;
      i++;
    } else if (star >= 0) {
      at = star + 1;
      i = ++resume;
    } else return false;
  }
  return /^\**$/.test(wild.slice(at));
}

/** The folder before the first component with a special character. */
export function literalPrefix(pattern: string): string {
  const special = pattern.search(/[*?[@!+(]/);
  return special < 0 ? pattern : pattern.slice(0, pattern.lastIndexOf("/", special)) || "/";
}
