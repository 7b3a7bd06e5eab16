import { defineStore } from "../../core/store.ts";

/** What an agent is doing, as an overview of many agents shows it. */
export const ACTIVITIES = ["attention", "idle", "working", "done", "error"] as const;
export type Activity = (typeof ACTIVITIES)[number];

/** The kinds of notifications with which an agent says that it needs a person. */
export const ATTENTION: readonly string[] = [
  "permission_prompt",
  "elicitation_dialog",
  "elicitation_url_dialog",
  "agent_needs_input",
];

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
    /** The activity for which the last display job was started. */
    shown: (): string => String(table.get("shown") ?? ""),
    setShown: (activity: Activity): void => table.set("shown", activity),
  }),
});
