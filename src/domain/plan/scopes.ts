import path from "node:path";
import type { Json } from "../../core/event.ts";
import { isObject } from "../../core/event.ts";
import type { PolicyContext } from "../../core/policy.ts";
import type { ActivePlan } from "./active-plan.ts";
import { ALL_SERVICES } from "./state.ts";

/** Relative to the project; holds one file for each team, with the team's name. */
export const SCOPES_FOLDER = ".claude/hooks/scopes";

/** The files that each agent of a team may change, and those that all of them may change. */
export interface Scopes {
  readonly shared: readonly string[];
  readonly agents: Readonly<Record<string, readonly string[]>>;
}

const SHARED = "shared";
const NOT_AN_AGENT = new Set([SHARED, "team"]);

export function readScopes(value: Json): Scopes | undefined {
  if (!isObject(value)) return undefined;
  const listOf = (list: Json | undefined): string[] =>
    Array.isArray(list) ? list.filter((item): item is string => typeof item === "string" && item !== "") : [];
  const agents = Object.entries(value).filter(([name, list]) => !NOT_AN_AGENT.has(name) && Array.isArray(list));
  return {
    shared: listOf(value[SHARED]),
    agents: Object.fromEntries(agents.map(([name, list]) => [name, listOf(list)])),
  };
}

type ScopeContext = Pick<PolicyContext, "realPath" | "read" | "info" | "glob">;

/**
 * The names that a scope may use for a file: relative to the project, to one of the plan's worktrees, or to the linked
 * worktree that contains it. Empty when it is in none of them.
 */
export function scopeNamesOf(target: string, { root, state }: ActivePlan, look: ScopeContext): readonly string[] {
  const real = look.realPath(target);
  const names: string[] = [];
  const add = (place: string, service = ""): void => {
    const name = below(look.realPath(place), real);
    if (name !== undefined) names.push(name, ...(service === "" ? [] : [`${service}/${name}`]));
  };
  add(root);
  for (const [service, place] of Object.entries(state.worktrees)) add(place, service === ALL_SERVICES ? "" : service);
  const linked = linkedWorktree(real, look);
  if (linked !== undefined) add(linked);
  return [...new Set(names)];
}

/** In a worktree `.git` is a file that points to `…/worktrees/…` of the main checkout; a submodule's points elsewhere. */
function linkedWorktree(file: string, look: ScopeContext): string | undefined {
  for (let dir = path.dirname(file); dir !== path.dirname(dir); dir = path.dirname(dir)) {
    const git = path.join(dir, ".git");
    const kind = look.info(git)?.kind;
    if (kind === "directory") return undefined;
    if (kind === "file") {
      const isLinked = look.read.text(git, "linked", (text) => /^gitdir: .*\/worktrees\/[^/]+\s*$/m.test(text));
      return isLinked ? dir : undefined;
    }
  }
  return undefined;
}

/** A plain entry covers that file, or that folder with everything in it; one with `*`, `?`, `[` or `{` is a glob. */
export function scopeCovers(entry: string, names: readonly string[], root: string, look: ScopeContext): boolean {
  const relative = path.isAbsolute(entry) ? path.relative(root, entry) : entry;
  const pattern = path.posix.normalize(relative === "" ? "." : relative).replace(/(.)\/+$/, "$1");
  if (/[*?[{]/.test(pattern)) return names.some((name) => look.glob(pattern, name) === true);
  const isInside = (name: string): boolean =>
    pattern === "." ? !name.startsWith("../") : name === pattern || name.startsWith(`${pattern}/`);
  return names.some(isInside);
}

function below(place: string, target: string): string | undefined {
  if (target === place) return ".";
  const prefix = place.endsWith("/") ? place : `${place}/`;
  return target.startsWith(prefix) ? target.slice(prefix.length) : undefined;
}
