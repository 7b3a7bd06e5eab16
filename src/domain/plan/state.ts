import type { Json } from "../../core/event.ts";
import { isObject } from "../../core/event.ts";

/** Relative to the project. Other programs read and write it too, so its name and its fields must not change. */
export const PLAN_STATE_FILE = ".claude/orchestrator-state.json";
/** The key in `worktrees` of a single worktree for all services. */
export const ALL_SERVICES = "_all";

/** The plan that is being carried out. */
export interface PlanState {
  /** Relative to the project. */
  readonly plan: string;
  readonly slug: string;
  readonly team: string;
  /** The text as written in the file; `startedAt` reads it. */
  readonly started: string;
  readonly worktrees: Readonly<Record<string, string>>;
}

/** Undefined when the value names no plan. Any other field that is missing or invalid counts as empty. */
export function readPlanState(value: Json): PlanState | undefined {
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

export function planStateRecord({ plan, slug, team, started, worktrees }: PlanState): Json {
  return { active_plan: plan, slug, team, started, worktrees: { ...worktrees } };
}

/** Epoch milliseconds; undefined when the time is missing or invalid. */
export function startedAt({ started }: PlanState): number | undefined {
  const time = Date.parse(started);
  return Number.isNaN(time) ? undefined : time;
}
