import { defineStore } from "../../core/store.ts";
import { openSessions, SESSION_STORE } from "./records.ts";
import { syncSessions } from "./sync.ts";

/** The sessions of a project. The database is the truth; each session's state file is its export. */
export const sessions = defineStore({
  name: SESSION_STORE,
  scope: "project",
  open: openSessions,
  sync: (table, look) => syncSessions(openSessions(table), look),
});
