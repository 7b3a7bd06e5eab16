import type { Database } from "../../state/database.ts";
import type { Row } from "../../state/driver.ts";
import { DOCTOR_SESSION } from "../../state/journal.ts";
import { Histogram } from "./histogram.ts";

const BATCH = 1_000;
/** At the start so many of the newest entries are counted. */
const MOST = 100_000;
export const INTERVAL_MS = 600_000;
export const DAY_MS = 86_400_000;
const KEPT_DAYS = 30;
const SLOWEST = 10;

export interface Interval {
  readonly times: Histogram;
  /** The slowest entries, by their time. */
  slowest: readonly { readonly id: number; readonly microseconds: number }[];
}

export interface PolicyDay {
  hits: number;
  denials: number;
  wouldHaveDenied: number;
  readonly times: Histogram;
}

/** What the pages count, kept up to date entry by entry: nothing is counted twice, and nothing at each request. */
export class Statistics {
  /** By number of the interval. */
  readonly intervals = new Map<number, Interval>();
  /** By policy, then by the number of the day. */
  readonly policies = new Map<string, Map<number, PolicyDay>>();
  #last = -1;
  #running: Promise<void> | undefined;

  /** Counts what was added since; in small steps, so that other requests get their turn. */
  advance(db: Database, now: number): Promise<void> {
    this.#running ??= this.#advance(db, now).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #advance(db: Database, now: number): Promise<void> {
    const highest = Number(db.get("SELECT COALESCE(MAX(id), 0) AS id FROM journal")?.id);
    if (this.#last < 0 || highest < this.#last) {
      this.intervals.clear();
      this.policies.clear();
      this.#last = Math.max(0, highest - MOST);
    }
    const query = `SELECT id, at, session, event, microseconds, verdicts FROM journal WHERE id > ? ORDER BY id LIMIT ${BATCH}`;
    while (this.#last < highest) {
      const rows = db.all(query, this.#last);
      for (const row of rows) if (row.event !== "command" && row.session !== DOCTOR_SESSION) this.#add(row);
      this.#last = Number(rows.at(-1)?.id ?? highest);
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#forget(now);
  }

  #add(row: Row): void {
    const [at, microseconds] = [Number(row.at), Number(row.microseconds)];
    const number = Math.floor(at / INTERVAL_MS);
    const interval = this.intervals.get(number) ?? { times: new Histogram(), slowest: [] };
    this.intervals.set(number, interval);
    interval.times.add(microseconds);
    const fastest = interval.slowest.at(-1);
    if (interval.slowest.length < SLOWEST || !fastest || microseconds > fastest.microseconds) {
      const all = [...interval.slowest, { id: Number(row.id), microseconds }];
      interval.slowest = all.sort((a, b) => b.microseconds - a.microseconds).slice(0, SLOWEST);
    }
    if (row.verdicts !== "[]") for (const one of verdictsIn(row)) this.#addPolicy(one, dayOf(at));
  }

  #addPolicy({ policy, mode, microseconds, verdicts }: RecordedPolicy, day: number): void {
    const days = this.policies.get(policy) ?? new Map<number, PolicyDay>();
    this.policies.set(policy, days);
    const of = days.get(day) ?? { hits: 0, denials: 0, wouldHaveDenied: 0, times: new Histogram() };
    days.set(day, of);
    of.times.add(microseconds);
    if (verdicts.length > 0) of.hits++;
    if (!verdicts.some(({ kind }) => kind === "deny")) return;
    if (mode === "observe") of.wouldHaveDenied++;
    else of.denials++;
  }

  #forget(now: number): void {
    const oldest = now - KEPT_DAYS * DAY_MS;
    for (const number of this.intervals.keys()) if (number * INTERVAL_MS < oldest) this.intervals.delete(number);
    for (const days of this.policies.values()) {
      for (const day of days.keys()) if (day < dayOf(oldest)) days.delete(day);
    }
  }
}

/** The number of a day, by the clock of this machine. */
export function dayOf(at: number): number {
  return Math.floor((at - new Date(at).getTimezoneOffset() * 60_000) / DAY_MS);
}

interface RecordedPolicy {
  readonly policy: string;
  readonly mode: string;
  readonly microseconds: number;
  readonly verdicts: readonly { readonly kind: string }[];
}

/** A damaged entry is passed over. */
function verdictsIn(row: Row): RecordedPolicy[] {
  try {
    const value: unknown = JSON.parse(String(row.verdicts));
    return Array.isArray(value) ? value.filter(isRecordedPolicy) : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

function isRecordedPolicy(value: unknown): value is RecordedPolicy {
  const { policy, verdicts, microseconds } = (value ?? {}) as Partial<Record<keyof RecordedPolicy, unknown>>;
  return typeof policy === "string" && Array.isArray(verdicts) && typeof microseconds === "number";
}
