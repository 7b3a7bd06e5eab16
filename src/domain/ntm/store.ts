import { defineStore } from "../../core/store.ts";

/** What is remembered of the orchestration that one agent session drives. */
export const ntm = defineStore({
  name: "ntm",
  scope: "session",
  open: (table) => ({
    /** Was the stop already held once for this tmux session although tmux could not be asked? */
    wasHeldUnseen: (session: string): boolean => table.get(`held-unseen:${session}`) === true,
    markHeldUnseen: (session: string): void => table.set(`held-unseen:${session}`, true),
    /** The report that a subagent handed over by tool, if it did. */
    handback: (agentId: string): string => String(table.get(`handback:${agentId}`) ?? ""),
    keepHandback: (agentId: string, report: string): void => table.set(`handback:${agentId}`, report.slice(0, 20_000)),
  }),
});
