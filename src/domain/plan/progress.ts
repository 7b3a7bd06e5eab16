import type { ActivePlan, PlanFacts } from "./active-plan.ts";
import { ALL_SERVICES } from "./state.ts";
import { type StatusCounts, totalOf } from "./status.ts";

/** `1/3 tasks complete, 1 in-progress, 1 pending.`, and the tasks that wait for a person. */
export function progressText(counts: StatusCounts): string {
  const parts = [
    `${counts.complete}/${totalOf(counts)} tasks complete, ${counts["in-progress"]} in-progress, ${counts.pending} pending.`,
    ...(counts.blocked > 0 ? [`${counts.blocked} blocked.`] : []),
    ...(counts.escalated > 0 ? [`${counts.escalated} escalated (needs human).`] : []),
  ];
  return parts.join(" ");
}

/** Starts with a blank, because it is appended to a sentence; empty when the plan has no worktrees. */
export function worktreeText({ state }: ActivePlan, { hasWorktrees }: Pick<PlanFacts, "hasWorktrees">): string {
  const trees = Object.entries(state.worktrees);
  if (trees.length > 0) {
    const named = trees.map(([service, place]) => (service === ALL_SERVICES ? place : `${service}: ${place}`));
    return ` Worktrees: ${named.join(", ")}.`;
  }
  return hasWorktrees ? " Worktrees are configured; the plan has their paths." : "";
}
