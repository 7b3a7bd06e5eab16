import { defineStore, type Table } from "../../core/store.ts";

/** What one session made itself, and what it was already warned of. */
export const losses = defineStore({
  name: "losses",
  scope: "session",
  open: (table) => ({
    isOurs: madeBy(table),
    /** Once: most files that a session makes it writes again and again. */
    keepMade: (path: string, now: number): void => {
      if (table.get(`made:${path}`) === undefined) table.set(`made:${path}`, now);
    },
    /** A warning counts for the agent that got it, not for its subagents. */
    warnedAt: (agentId: string, kind: string): number | undefined => {
      const at = table.get(warningKey(agentId, kind));
      return typeof at === "number" ? at : undefined;
    },
    keepWarned: (agentId: string, kind: string, now: number): void => table.set(warningKey(agentId, kind), now),
  }),
});

function warningKey(agentId: string, kind: string): string {
  return agentId === "" ? `warned:${kind}` : `warned:${agentId}:${kind}`;
}

const FEW = 20;

/** A line may name thousands of files: after a few, all that were made are read at once. */
function madeBy(table: Table): (path: string) => boolean {
  let asked = 0;
  let all: ReadonlySet<string> | undefined;
  return (path) => {
    const key = `made:${path}`;
    if (++asked <= FEW) return table.get(key) !== undefined;
    all ??= new Set(table.keys());
    return all.has(key);
  };
}

/** Classes of commands that one session was warned of, and when. */
export const strikes = defineStore({
  name: "one-strike",
  scope: "session",
  open: (table) => ({
    at: (key: string): number | undefined => {
      const at = table.get(key);
      return typeof at === "number" ? at : undefined;
    },
    keep: (key: string, now: number): void => table.set(key, now),
  }),
});
