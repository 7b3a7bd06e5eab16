import { defineStore } from "../../core/store.ts";

/** What an agent is doing, as a person who looks at many of them wants to know it. */
export const ACTIVITIES = ["attention", "idle", "working", "done", "error"] as const;
export type Activity = (typeof ACTIVITIES)[number];

/** The last known activity of an agent's session. */
export const lifecycle = defineStore({
  name: "lifecycle",
  scope: "session",
  open: (table) => ({
    activity: (): string => String(table.get("activity") ?? ""),
    set(activity: Activity, at: number): void {
      table.set("activity", activity);
      table.set("since", at);
    },
    /** What was last handed to those who show it. */
    shown: (): string => String(table.get("shown") ?? ""),
    setShown: (activity: Activity): void => table.set("shown", activity),
  }),
});
