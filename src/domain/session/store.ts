import { defineStore } from "../../core/store.ts";
import { openSessions } from "./records.ts";
import { syncSessions } from "./sync.ts";

/** The sessions of a project. The database is the truth; each session's state file is its export. */
export const sessions = defineStore({
  name: "session",
  scope: "project",
  open: openSessions,
  sync: (table, look) => syncSessions(openSessions(table), look),
});
