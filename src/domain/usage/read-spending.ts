import { isObject, type Json } from "../../core/event.ts";
import type { Spending } from "../../core/ports.ts";
import type { Table } from "../../core/store.ts";
import type { Database } from "../../state/database.ts";
import { dollarsFor, priceOf } from "./prices.ts";
import {
  ageOf,
  DAYS,
  dayOf,
  daysIn,
  keyOf,
  MOST_DAYS,
  NOTHING,
  type ReadSpendingArgs,
  spendingTable,
} from "./spent-so-far.ts";
import { type ReadSoFar, type Spent, TranscriptAnswers } from "./transcript-answers.ts";

type SessionRow = { readonly soFar?: ReadSoFar; readonly sum: Spending };

const CHUNK = 16 * 1024 * 1024;

/**
 * Reads what a session has spent since it was read last. May run twice at the same time: what another process has added
 * meanwhile is not added once more.
 */
export function readSpending(args: Json, db: Database, now: number): void {
  if (!isObject(args)) return;
  const { session, project, transcript } = args as ReadSpendingArgs;
  db.refresh();
  // Whoever reads the table keeps what it read as a fact, so no revision changes with it.
  const table = spendingTable(db, project, () => undefined);
  const { soFar: before } = rowOf(table, session);
  const answers = new TranscriptAnswers(transcript, before);
  const spent: Spent[] = [];
  while (answers.read(CHUNK, { spent: (one) => spent.push(one) }));
  if (answers.bytes === 0) return;
  db.transaction(() => {
    const { soFar, sum } = rowOf(table, session);
    if (JSON.stringify(soFar) !== JSON.stringify(before)) return;
    table.set(DAYS, daysWith(table, spent, now) as unknown as Json);
    const next: SessionRow = { soFar: answers.soFar, sum: spent.map(sumOf).reduce(added, sum) };
    table.set(keyOf(session), next as unknown as Json);
  });
}

function rowOf(table: Table, session: string): SessionRow {
  const row = table.get(keyOf(session));
  return isObject(row) ? (row as unknown as SessionRow) : { sum: NOTHING };
}

function daysWith(table: Table, spent: readonly Spent[], now: number): Record<string, Spending> {
  const days: Record<string, Spending> = { ...daysIn(table) };
  for (const one of spent) {
    const day = dayOf(one.at ?? now);
    days[day] = added(days[day] ?? NOTHING, sumOf(one));
  }
  return Object.fromEntries(Object.entries(days).filter(([day]) => ageOf(day, now) < MOST_DAYS));
}

function sumOf({ model, tokens }: Spent): Spending {
  const counted = tokens.input + tokens.output + tokens.cacheWrite;
  const price = priceOf(model);
  if (!price) return { dollars: 0, tokens: counted, unpriced: counted };
  return { dollars: dollarsFor(tokens, price), tokens: counted, unpriced: 0 };
}

function added(one: Spending, other: Spending): Spending {
  return {
    dollars: one.dollars + other.dollars,
    tokens: one.tokens + other.tokens,
    unpriced: one.unpriced + other.unpriced,
  };
}
