import path from "node:path";
import type { Json } from "../../core/event.ts";
import { isObject } from "../../core/json.ts";
import type { PolicyContext } from "../../core/policy.ts";
import type { ActivePlan } from "./active.ts";
import { ALL_SERVICES } from "./state.ts";

/** Below the project; each team has a file of its own name in here. */
export const SCOPES_FOLDER = ".claude/hooks/scopes";

/** Which files each agent of a team may change, besides those that all of them may. */
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

type Look = Pick<PolicyContext, "realPath" | "read" | "info" | "glob">;

/**
 * How a file may be called in a scope: from the project, from one of the plan's worktrees, or from the linked worktree
 * it lies in. Empty when it is in none of them.
 */
export function namesOf(target: string, { root, state }: ActivePlan, look: Look): readonly string[] {
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

/** A worktree's `.git` is a file that leads into the main checkout's list of worktrees; a submodule's leads elsewhere. */
function linkedWorktree(file: string, look: Look): string | undefined {
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

/** A plain entry means that file or folder and all below it; one with `*`, `?`, `[` or `{` is a glob. */
export function admits(entry: string, names: readonly string[], root: string, look: Look): boolean {
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
