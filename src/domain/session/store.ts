import { defineStore } from "../../core/store.ts";
import { SESSION_STORE, Sessions } from "./records.ts";
import { syncSessions } from "./sync.ts";

/** The sessions of a project. The database is the truth; each session's state file is its export. */
export const sessions = defineStore({
  name: SESSION_STORE,
  scope: "project",
  open: (table) => new Sessions(table),
  sync: (table, look) => syncSessions(new Sessions(table), look),
});
