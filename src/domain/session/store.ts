import { defineStore } from "../../core/store.ts";
import { SESSION_STORE, Sessions } from "./sessions.ts";
import { syncSessions } from "./sync.ts";

/** The sessions of a project. The database is authoritative; each session's state file is an export of it. */
export const sessions = defineStore({
  name: SESSION_STORE,
  scope: "project",
  open: (table) => new Sessions(table),
  sync: (table, look) => syncSessions(new Sessions(table), look),
});
