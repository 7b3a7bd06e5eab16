import { isObject, type Json } from "../../core/event.ts";
import { defineStore, type Table } from "../../core/store.ts";

const KEY = "reports";
const TOLD_TO = "told to";
const MOST = 6;

/** Maintenance is left to a job, because an event is settled in the database alone. */
export const MAINTAIN_JOB = "setup/maintain";

/** What was done, and what could not be done, in whole sentences. */
export type SetupReport = {
  readonly done: string;
  readonly problems: readonly string[];
};

/** Reports that no session of this project has told yet, because the agent discards what a hook of Setup prints. */
export class SetupReports {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  untold(): readonly SetupReport[] {
    if (this.#table.isEmpty()) return [];
    const value = this.#table.get(KEY);
    return Array.isArray(value) ? value.flatMap((row: Json) => readReport(row) ?? []) : [];
  }

  /** The same report twice is told once. */
  add(report: SetupReport): void {
    const others = this.untold().filter((one) => JSON.stringify(one) !== JSON.stringify(report));
    this.#table.set(KEY, [...others, report].slice(-MOST));
    if (this.#table.get(TOLD_TO) !== undefined) this.#table.delete(TOLD_TO);
  }

  /**
   * Remembers which session was told all of them. They are kept until somebody writes in it, because a session that
   * only sets a project up starts as well, and is over before anybody could read them.
   */
  told(session: string): void {
    this.#table.set(TOLD_TO, session);
  }

  /** Forgets the reports if this session was told them. */
  confirm(session: string): void {
    if (this.#table.isEmpty() || this.#table.get(TOLD_TO) !== session) return;
    this.#table.delete(KEY);
    this.#table.delete(TOLD_TO);
  }
}

function readReport(row: Json): SetupReport | undefined {
  if (!isObject(row) || typeof row.done !== "string" || !Array.isArray(row.problems)) return undefined;
  return { done: row.done, problems: row.problems.filter((one): one is string => typeof one === "string") };
}

export const setupReports = defineStore({
  name: "setup",
  scope: "project",
  open: (table) => new SetupReports(table),
});
