import { defineStore } from "../../core/store.ts";

/** What an agent is doing, as a person who looks at many of them wants to know it. */
export type Activity = "working";

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
  }),
});
