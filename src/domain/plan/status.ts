/** The statuses that a task of a plan can have. */
export const STATUSES = ["pending", "in-progress", "complete", "blocked", "escalated"] as const;
export type PlanTaskStatus = (typeof STATUSES)[number];

/** A review sent the work back for the Nth time, so it is in progress again. */
const REVIEW_FIX = /^review-fix-\d+$/;

/** A status with emphasis marks fits into this; a longer cell is a sentence. */
const LONGEST = 40;

/** The status in a cell, ignoring emphasis and case; undefined when the cell holds no status. */
export function statusOf(cell: string): PlanTaskStatus | undefined {
  if (cell.length > LONGEST) return undefined;
  if ((STATUSES as readonly string[]).includes(cell)) return cell as PlanTaskStatus;
  const word = cell
    .replace(/[*_`~]/g, "")
    .trim()
    .toLowerCase();
  if (REVIEW_FIX.test(word)) return "in-progress";
  return STATUSES.find((status) => status === word);
}

/** May this word be written into a plan? `review-fix-N` is written unchanged, because N counts the rounds. */
export function isWritableStatus(word: string): boolean {
  return REVIEW_FIX.test(word) || (STATUSES as readonly string[]).includes(word);
}

export type StatusCounts = Readonly<Record<PlanTaskStatus, number>>;

export function countStatuses(statuses: Iterable<PlanTaskStatus | undefined>): StatusCounts {
  const counts = { pending: 0, "in-progress": 0, complete: 0, blocked: 0, escalated: 0 };
  for (const status of statuses) if (status) counts[status]++;
  return counts;
}

export function totalOf(counts: StatusCounts): number {
  return STATUSES.reduce((sum, status) => sum + counts[status], 0);
}

/** Does the task keep a turn from ending? Blocked and escalated tasks wait for a person, so more work would not help. */
export function isOpenStatus(status: PlanTaskStatus | undefined): boolean {
  return status === "pending" || status === "in-progress";
}

export function incompleteOf(counts: StatusCounts): number {
  return counts.pending + counts["in-progress"];
}
