import type { Json } from "../../core/event.ts";
import { isObject } from "../../core/json.ts";

/** Relative to the project. Others read and write it too, so its name and its fields are not ours to change. */
export const STATE_FILE = ".claude/orchestrator-state.json";
/** One worktree for everything has this name in `worktrees`. */
export const ALL_SERVICES = "_all";

/** Which plan is being carried out. */
export interface PlanState {
  /** Relative to the project. */
  readonly plan: string;
  readonly slug: string;
  readonly team: string;
  /** As it was written; see `startedAt`. */
  readonly started: string;
  readonly worktrees: Readonly<Record<string, string>>;
}

/** Undefined when it names no plan. Anything else that is missing or odd counts as empty. */
export function readState(value: Json): PlanState | undefined {
  if (!isObject(value) || typeof value.active_plan !== "string" || value.active_plan.trim() === "") return undefined;
  const text = (field: Json | undefined): string => (typeof field === "string" ? field : "");
  const trees = isObject(value.worktrees) ? Object.entries(value.worktrees) : [];
  return {
    plan: value.active_plan,
    slug: text(value.slug),
    team: text(value.team),
    started: text(value.started),
    worktrees: Object.fromEntries(trees.filter((tree): tree is [string, string] => typeof tree[1] === "string")),
  };
}

export function stateRecord({ plan, slug, team, started, worktrees }: PlanState): Json {
  return { active_plan: plan, slug, team, started, worktrees: { ...worktrees } };
}

/** Epoch milliseconds; undefined when nobody can say. */
export function startedAt({ started }: PlanState): number | undefined {
  const time = Date.parse(started);
  return Number.isNaN(time) ? undefined : time;
}
