import { defineStore } from "../../core/store.ts";
import type { TerminalKind } from "./terminal-uses.ts";

/** Of which kinds of programs a session was told that they need a terminal. */
export const toldOfTerminal = defineStore({
  name: "terminal",
  scope: "session",
  open: (table) => ({
    has: (kind: TerminalKind): boolean => !table.isEmpty() && table.get(kind) === true,
    add: (kind: TerminalKind): void => table.set(kind, true),
  }),
});
