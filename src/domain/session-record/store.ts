import { defineStore } from "../../core/store.ts";

/** When a session was first seen. It may be resumed and end several times. */
export const sessionRecord = defineStore({
  name: "session-record",
  scope: "session",
  open: (table) => ({
    startedAt(): number | undefined {
      const at = table.isEmpty() ? undefined : table.get("startedAt");
      return typeof at === "number" ? at : undefined;
    },
    setStartedAt: (at: number): void => table.set("startedAt", at),
  }),
});
