/** What a pattern may mean, seen from a place: the place itself, something in it, or a folder above it. */
export type Reach = "it" | "inside" | "above";

/**
 * Of a pattern that the shell matches against files. Generous where a shell's own rules depend on its settings: a "may"
 * that never happens is a question too many, one that is missed is a hole.
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
  // At the end it means everything below.
  if (next < 0) return mayMatchName("*", name) ? (meet(names.length > 0 ? pattern : [], names) ?? "above") : "above";
  const here = meet(parts.slice(next), place);
  const deeper = mayMatchName("*", name) ? meet(pattern, names) : undefined;
  return [here, deeper].sort((a, b) => RANK[a ?? "none"] - RANK[b ?? "none"])[0];
}

const RANK = { it: 0, inside: 1, above: 2, none: 3 };

/** One part of a path. A set such as `[a-z]` counts as any character, `@(a|b)` and its like as anything. */
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

/** The folder that is written out before the first special character. */
export function literalPrefix(pattern: string): string {
  const special = pattern.search(/[*?[@!+(]/);
  return special < 0 ? pattern : pattern.slice(0, pattern.lastIndexOf("/", special)) || "/";
}
