import { defineStore } from "../../core/store.ts";

/** State of the orchestration that one agent session controls. */
export const ntm = defineStore({
  name: "ntm",
  scope: "session",
  open: (table) => ({
    /** Was a stop already held once for this tmux session while tmux did not answer? */
    wasHeldUnseen: (session: string): boolean => table.get(`held-unseen:${session}`) === true,
    markHeldUnseen: (session: string): void => table.set(`held-unseen:${session}`, true),
    /** The report that a subagent handed over with a tool call; empty without one. */
    handback: (agentId: string): string => String(table.get(`handback:${agentId}`) ?? ""),
    keepHandback: (agentId: string, report: string): void => table.set(`handback:${agentId}`, report.slice(0, 20_000)),
  }),
});
