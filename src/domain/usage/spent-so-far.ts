import { isObject } from "../../core/event.ts";
import type { Spending, SpentSoFar } from "../../core/ports.ts";
import type { Table } from "../../core/store.ts";
import type { Database } from "../../state/database.ts";
import { openTable, projectScope } from "../../state/stores.ts";

/** The name of the job that reads what a session has spent since it was read last. */
export const READ_SPENDING_JOB = "usage/read-spending";

/** A type alias, because arguments of jobs need JSON. */
export type ReadSpendingArgs = {
  readonly session: string;
  readonly project: string;
  readonly transcript: string;
};

const STORE = "spending";
/** The key of what was spent on each day. */
export const DAYS = "days";
export const keyOf = (session: string): string => `session:${session}`;

export const NOTHING: Spending = { dollars: 0, tokens: 0, unpriced: 0 };
const DAY_MS = 86_400_000;
/** For so many days the spending of a project is kept. */
export const MOST_DAYS = 90;

/** What jobs have read of the transcripts of a project's sessions. */
export function spendingTable(db: Database, project: string, onWrite?: () => void): Table {
  return openTable(db, projectScope({ agent: "", session: "", agentId: "", project }), STORE, onWrite);
}

/** Undefined until a transcript of the session or of another one in the project was read. */
export function spentSoFar(table: Table, session: string, now: number): SpentSoFar | undefined {
  if (table.isEmpty()) return undefined;
  const own = table.get(keyOf(session));
  const sum = isObject(own) && isObject(own.sum) ? (own.sum as unknown as Spending) : NOTHING;
  const days = Object.entries(daysIn(table)).map(([day, spent]) => ({ age: ageOf(day, now), ...spent }));
  return { session: sum, days: days.filter(({ age }) => age < MOST_DAYS) };
}

export function daysIn(table: Table): Readonly<Record<string, Spending>> {
  const row = table.get(DAYS);
  return isObject(row) ? (row as unknown as Record<string, Spending>) : {};
}

/** Days begin at midnight UTC, so that they do not depend on where a process runs. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** In days; 0 is today. A day that is still to come counts as today: the clock was wrong. */
export function ageOf(day: string, now: number): number {
  return Math.max(0, Math.round((Date.parse(dayOf(now)) - Date.parse(day)) / DAY_MS));
}
