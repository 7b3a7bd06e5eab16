import type { Json } from "../../core/event.ts";
import { isObject } from "../../core/event.ts";
import type { Claim } from "../claims/claim.ts";
import { type ClaimReader, namesOfFile } from "../claims/file-names.ts";
import type { ActivePlan } from "./active-plan.ts";
import { ALL_SERVICES } from "./state.ts";

/** Relative to the project; holds one file for each team, with the team's name. */
export const SCOPES_FOLDER = ".claude/hooks/scopes";

/** The owner of the claims that every agent of the team may use; no agent of a scope file has this name. */
export const SHARED = "shared";
const NOT_AN_AGENT = new Set([SHARED, "team"]);

/** What a scope file says. */
export interface Scopes {
  /** The listed agents, also those whose list is empty. */
  readonly agents: readonly string[];
  readonly claims: readonly Claim[];
}

export function readScopes(value: Json): Scopes | undefined {
  if (!isObject(value)) return undefined;
  const claimsOf = (owner: string, list: Json | undefined): readonly Claim[] =>
    (Array.isArray(list) ? list : [])
      .filter((item): item is string => typeof item === "string" && item !== "")
      .map((pattern) => ({ owner, pattern, source: SCOPES_FOLDER }));
  const agents = Object.entries(value).filter(([name, list]) => !NOT_AN_AGENT.has(name) && Array.isArray(list));
  return {
    agents: agents.map(([name]) => name),
    claims: [...agents.flatMap(([name, list]) => claimsOf(name, list)), ...claimsOf(SHARED, value[SHARED])],
  };
}

/**
 * The names that a scope may use for a file: relative to the project, to one of the plan's worktrees, or to the linked
 * worktree that contains it. Empty when it is in none of them.
 */
export function scopeNamesOf(target: string, { root, state }: ActivePlan, reader: ClaimReader): readonly string[] {
  const worktrees = Object.entries(state.worktrees).map(([service, folder]) => ({
    folder,
    prefix: service === ALL_SERVICES ? "" : service,
  }));
  return namesOfFile(target, [{ folder: root }, ...worktrees], reader);
}
