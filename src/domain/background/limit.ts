import type { EventOf, JsonObject } from "../../core/event.ts";
import { backgroundCall } from "./background-call.ts";
import { type BackgroundTask, pendingTasks, type SessionTasks } from "./session-tasks.ts";

/** The limit in force: the environment counts where it has a whole number of at least one. */
export function limitOf(given: string | undefined, option: number): number {
  return given !== undefined && /^[1-9]\d{0,3}$/.test(given.trim()) ? Number(given) : option;
}

/** Kept when a session was told that its agents in the background cannot ask. */
export const PERMISSIONS_SAID = "permissions";

export interface LimitView {
  readonly limit: number;
  /** What the client says about a person who can answer its questions. */
  readonly attended: string | undefined;
}

/**
 * What is to be said of a call that would start a task in the background: that there are too many of them, or, once, that
 * an agent in the background cannot ask for permission.
 */
export function lookAtLimit(
  { tool, raw }: EventOf<"tool.before">,
  state: SessionTasks,
  { limit, attended }: LimitView,
) {
  const started = backgroundCall(tool, state);
  if (!started) return undefined;
  const others = pendingTasks(state).filter((task) => task.id !== started.id);
  if (others.length >= limit) return { count: others.length, limit, list: listText(others) };
  const isNew = started.kind === "agent" && !state.said.includes(PERMISSIONS_SAID);
  return isNew && cannotAsk(raw, attended) ? "permissions" : undefined;
}

function listText(tasks: readonly BackgroundTask[]): string {
  return tasks
    .map(({ kind, id, description, status }) => {
      const name = status === "starting" ? "" : ` ${id}`;
      return `- ${kind}${name}${description === "" ? "" : `: ${description}`}`;
    })
    .join("\n");
}

const NEVER_ASKS = new Set(["bypassPermissions", "auto"]);

/** A client that says "1" brings the question of an agent in the background to the person. */
function cannotAsk({ permission_mode: mode }: JsonObject, attended: string | undefined): boolean {
  return typeof mode === "string" && !NEVER_ASKS.has(mode) && attended !== "1";
}
