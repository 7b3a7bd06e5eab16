import { defineStore, type Table } from "../../core/store.ts";

/** The paths that one session created, and the kinds of loss that it was already warned about. */
export const losses = defineStore({
  name: "losses",
  scope: "session",
  open: (table) => ({
    isCreatedBySession: madeBy(table),
    /** Written once for each path: a session writes most of its files many times. */
    recordCreated: (path: string, now: number): void => {
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

/** A line may name thousands of files: after a few single reads, all recorded paths are loaded at once. */
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

/** The classes of commands that one session was warned about, with the time of the warning. */
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
