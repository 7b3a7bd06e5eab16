import path from "node:path";
import type { Json } from "../../core/event.ts";
import type { PolicyContext, SettledContext } from "../../core/policy.ts";
import { type PlanTask, parsePlan } from "./document.ts";
import { type HookSettings, readHookSettings, SETTINGS_FILE } from "./settings.ts";
import { PLAN_STATE_FILE, type PlanState, readPlanState } from "./state.ts";
import { isOpenStatus, type StatusCounts } from "./status.ts";

export const PLAN_ENV = ["CLAUDE_PROJECT_DIR"];

/** What a plan is looked up with: while an event is decided, or from the same reads when it is settled. */
export type PlanLook = Pick<PolicyContext, "actor" | "env" | "info" | "realPath"> & {
  readonly read: Pick<PolicyContext["read"], "json" | "text">;
};
type PlanContext = Pick<PolicyContext, "actor" | "env" | "info" | "realPath" | "read">;

/** The plan that is being carried out here. */
export interface ActivePlan {
  /** The folder that holds `.claude`; relative paths in the plan start here. */
  readonly root: string;
  readonly state: PlanState;
  /** The document itself; undefined when the state names a file outside the project. */
  readonly file: string | undefined;
}

/** The facts about a plan that messages use; small, because they are recorded with the event. */
export interface PlanFacts {
  readonly title: string;
  readonly counts: StatusCounts;
  readonly hasWorktrees: boolean;
  /** The first open tasks, with the names that messages use. */
  readonly open: readonly string[];
}

const MOST_OPEN_TOLD = 5;
const LONGEST_NAME = 80;

/**
 * Folders in which the project's `.claude` may be: the one where the session was started, if the agent reports it, and
 * the main checkout. So a session in a worktree, or one that changed its folder, finds the same files.
 */
function roots({ actor, env }: Pick<PlanLook, "actor" | "env">): readonly string[] {
  const started = env("CLAUDE_PROJECT_DIR");
  const isUsable = started !== undefined && path.isAbsolute(started) && !started.includes("\0");
  return isUsable && path.normalize(started) !== actor.project
    ? [path.normalize(started), actor.project]
    : [actor.project];
}

/** The first root in which the file exists. */
function find(
  look: Pick<PlanLook, "actor" | "env" | "info">,
  name: string,
): { readonly root: string; readonly file: string } | undefined {
  for (const root of roots(look)) {
    const file = path.join(root, name);
    if (look.info(file) !== undefined) return { root, file };
  }
  return undefined;
}

/** Undefined when no plan is active, or when the state file is not valid. */
export function activePlan(look: PlanLook): ActivePlan | undefined {
  const found = find(look, PLAN_STATE_FILE);
  const state = found && look.read.json([found.file], readPlanState);
  if (!found || !state) return undefined;
  return { root: found.root, state, file: documentOf(look, found.root, state.plan) };
}

/** When the active plan was started, according to its state file; for `settled` handlers. */
export function activePlanStart(look: Pick<SettledContext, "actor" | "env" | "info" | "read">): string | undefined {
  const found = find(look, PLAN_STATE_FILE);
  return found && look.read([found.file], readPlanState)?.started;
}

/** The plan's document. Undefined for a path that leaves the project, by `..` or through a link. */
function documentOf(look: PlanLook, root: string, plan: string): string | undefined {
  if (plan.includes("\0")) return undefined;
  const file = path.resolve(root, plan);
  const isInside = (target: string, place: string): boolean =>
    target.startsWith(place.endsWith("/") ? place : `${place}/`);
  return isInside(file, root) && isInside(look.realPath(file), look.realPath(root)) ? file : undefined;
}

/** Undefined when the document is missing, unreadable or outside the project. */
export function planFacts(look: PlanLook, plan: ActivePlan): PlanFacts | undefined {
  const { file } = plan;
  if (file === undefined) return undefined;
  return look.read.text(file, "plan", (text) => {
    const { title, counts, hasWorktrees, tasks } = parsePlan(text, file);
    const open = tasks.filter(({ status }) => isOpenStatus(status)).slice(0, MOST_OPEN_TOLD);
    return { title, counts, hasWorktrees, open: open.map(nameOf) };
  });
}

function nameOf({ id, text }: PlanTask): string {
  const name = `#${id} ${text}`.trim();
  return name.length <= LONGEST_NAME ? name : `${name.slice(0, LONGEST_NAME).trimEnd()}…`;
}

/** The path of a state file that names no plan; undefined when there is no such problem. */
export function unusableState(look: PlanLook): string | undefined {
  const found = find(look, PLAN_STATE_FILE);
  return found && look.read.json([found.file], (value: Json) => readPlanState(value)) === undefined
    ? found.file
    : undefined;
}

/** Which of the plan's hooks the project has switched on. */
export function hookSettings(look: PlanContext): HookSettings {
  const found = find(look, SETTINGS_FILE);
  return readHookSettings(found ? look.read.yaml(found.file) : { kind: "absent" }, found?.file ?? "");
}
