import type { Json } from "../../core/event.ts";
import { isObject } from "../../core/event.ts";
import { defineStore } from "../../core/store.ts";

/** How an agent has looked for things in one session. A type alias, because store rows need JSON. */
export type SearchCounts = {
  /** Since the last reminder. */
  readonly searches: number;
  readonly reminders: number;
  /** Has it used a subagent? */
  readonly hasDelegated: boolean;
};

const NONE: SearchCounts = { searches: 0, reminders: 0, hasDelegated: false };

export const sessionSearches = defineStore({
  name: "searches",
  scope: "session",
  open: (table) => ({
    counts(): SearchCounts {
      const row = table.isEmpty() ? undefined : table.get("counts");
      return isObject(row) ? (row as unknown as SearchCounts) : NONE;
    },
    save: (counts: SearchCounts): void => table.set("counts", counts as unknown as Json),
  }),
});
