import type { PolicyRow } from "../../../src/daemon/dashboard/api.ts";

export const SORTS = [
  ["", "most hits"],
  ["denials", "most denials"],
  ["wouldHaveDenied", "most would-have-denied"],
  ["falseAlarms", "most false alarms"],
  ["p99", "slowest"],
  ["name", "name"],
] as const;
type Sort = Exclude<(typeof SORTS)[number][0], "name" | "">;

export function sortedBy(policies: readonly PolicyRow[], sort: string): PolicyRow[] {
  const byName = (a: PolicyRow, b: PolicyRow): number => (a.id < b.id ? -1 : 1);
  if (sort === "name") return [...policies].sort(byName);
  const key = isNumber(sort) ? sort : "hits";
  return [...policies].sort((a, b) => b[key] - a[key] || byName(a, b));
}

function isNumber(sort: string): sort is Sort {
  return sort !== "" && SORTS.some(([id]) => id === sort);
}
