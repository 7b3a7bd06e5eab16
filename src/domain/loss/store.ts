import { defineStore } from "../../core/store.ts";

/** What one session made itself, and what it was already warned of. */
export const losses = defineStore({
  name: "losses",
  scope: "session",
  open: (table) => ({
    isOurs: (path: string): boolean => table.get(`made:${path}`) !== undefined,
    keepMade: (path: string, now: number): void => table.set(`made:${path}`, now),
    warnedAt: (what: string): number | undefined => {
      const at = table.get(`warned:${what}`);
      return typeof at === "number" ? at : undefined;
    },
    keepWarned: (what: string, now: number): void => table.set(`warned:${what}`, now),
  }),
});

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
