import type { Problem, Subtask } from "./split.ts";

/** Groups of subtasks that can run at the same time, in the order in which they can start. */
export function startOrder(
  subtasks: readonly Pick<Subtask, "id" | "blockedBy">[],
): { readonly groups: readonly (readonly string[])[] } | Problem {
  const blockers = new Map(subtasks.map(({ id, blockedBy }) => [id, blockedBy]));
  for (const { id, blockedBy } of subtasks) {
    const unknown = blockedBy.find((one) => !blockers.has(one));
    if (unknown !== undefined) {
      return { problem: `Subtask ${id} is blocked by ${unknown || "an empty id"}, but there is no such subtask.` };
    }
  }
  const groups: string[][] = [];
  const done = new Set<string>();
  while (done.size < subtasks.length) {
    const ready = subtasks.filter(({ id, blockedBy }) => !done.has(id) && blockedBy.every((one) => done.has(one)));
    if (ready.length === 0) return { problem: cycleProblem(blockers, done) };
    groups.push(ready.map(({ id }) => id));
    for (const { id } of ready) done.add(id);
  }
  return { groups };
}

/** Each subtask that is not done is blocked by another one that is not, so following them comes back to one of them. */
function cycleProblem(blockers: ReadonlyMap<string, readonly string[]>, done: ReadonlySet<string>): string {
  const followed: string[] = [];
  let id = [...blockers.keys()].find((one) => !done.has(one));
  while (id !== undefined && !followed.includes(id)) {
    followed.push(id);
    id = blockers.get(id)?.find((one) => !done.has(one));
  }
  const cycle = followed.slice(followed.indexOf(id ?? ""));
  if (cycle.length === 1) return `Subtask ${cycle[0]} is blocked by itself, so it could never start.`;
  return `Subtasks ${cycle.join(", ")} block each other, so none of them could ever start.`;
}
