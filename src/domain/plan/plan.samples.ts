import type { JsonObject } from "../../core/event.ts";
import { claudeEvent, PROJECT, toolBefore } from "../../testing/events.ts";
import type { FakeFile } from "../../testing/fake-ports.ts";

/** A project with a plan, for the cases of several policies. */
export const PLAN_PATH = "docs/plans/2026-02-16-login-design.md";
export const TITLE = "Login for everybody";
export const PLAN_STARTED = "2026-01-02T03:00:00Z";

/** One row per status. */
export function planText(statuses: readonly string[], more = ""): string {
  const rows = statuses.map((status, index) => `| ${index + 1} | Build part ${index + 1} | — | ${status} |`);
  return [
    `# ${TITLE}`,
    "",
    "**Status:** implementing",
    "",
    "## Implementation Tasks",
    "",
    "| # | Task | Depends On | Status |",
    "|---|------|------------|--------|",
    ...rows,
    "",
    more,
  ].join("\n");
}

export const stateOf = (more: JsonObject = {}): JsonObject => ({
  active_plan: PLAN_PATH,
  slug: "login",
  team: "implement-login",
  started: PLAN_STARTED,
  worktrees: {},
  ...more,
});

export interface PlanWorld {
  /** The text of the `hooks` section. */
  readonly hooks?: string;
  readonly statuses?: readonly string[];
  readonly text?: string;
  readonly state?: JsonObject | string;
  readonly files?: Readonly<Record<string, FakeFile>>;
}

/** A project with an active plan, unless its parts say otherwise. */
export function project({ hooks, statuses, text, state = stateOf(), files = {} }: PlanWorld = {}) {
  return {
    files: {
      ...(hooks === undefined ? {} : { [`${PROJECT}/.claude/project.yml`]: `hooks:\n  ${hooks}\n` }),
      [`${PROJECT}/.claude/orchestrator-state.json`]: typeof state === "string" ? state : JSON.stringify(state),
      [`${PROJECT}/${PLAN_PATH}`]: text ?? planText(statuses ?? ["complete", "in-progress", "pending"]),
      ...files,
    },
  };
}

export const sessionStarts = (source: string, more: JsonObject = {}) =>
  claudeEvent({ hook_event_name: "SessionStart", source, ...more });
export const compactionStarts = (trigger = "auto") =>
  claudeEvent({ hook_event_name: "PreCompact", trigger, custom_instructions: null });
export const completes = (id: string, subject: string, more: JsonObject = {}) =>
  claudeEvent({ hook_event_name: "TaskCompleted", task_id: id, task_subject: subject, ...more });
export const reports = (id: string, metadata: JsonObject) =>
  toolBefore("TaskUpdate", { taskId: id, status: "completed", metadata });
