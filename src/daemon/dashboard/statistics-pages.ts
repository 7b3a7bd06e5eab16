import type { Database } from "../../state/database.ts";
import { falseAlarmsSince } from "../../state/false-alarms.ts";
import type { DashboardActions } from "./actions.ts";
import type { PerformancePage, PolicyRow } from "./api.ts";
import { rowsWithIds } from "./decisions.ts";
import { Histogram } from "./histogram.ts";
import { DAY_MS, dayOf, INTERVAL_MS, type Interval, type PolicyDay, type Statistics } from "./statistics.ts";

const HOUR_MS = 3_600_000;
const MOST_POINTS = 72;
const SLOWEST = 20;

export async function policyRows(
  db: Database | undefined,
  statistics: Statistics,
  actions: DashboardActions,
  { days, cwd, now }: { readonly days: number; readonly cwd: string; readonly now: number },
): Promise<PolicyRow[]> {
  const listed = await actions.policies(cwd);
  if (db) await statistics.advance(db, now);
  const today = dayOf(now);
  const numbers = Array.from({ length: days }, (_, index) => today - days + 1 + index);
  const alarms = db ? falseAlarmsSince(db, now - days * DAY_MS) : new Map<string, number>();
  return listed.map((policy) => {
    const byDay = statistics.policies.get(policy.id);
    const of = numbers.flatMap((day) => byDay?.get(day) ?? []);
    const sum = (count: (day: PolicyDay) => number): number => of.reduce((all, day) => all + count(day), 0);
    const times = new Histogram();
    for (const day of of) times.addAll(day.times);
    return {
      ...policy,
      hits: sum(({ hits }) => hits),
      denials: sum(({ denials }) => denials),
      wouldHaveDenied: sum(({ wouldHaveDenied }) => wouldHaveDenied),
      falseAlarms: alarms.get(policy.id) ?? 0,
      p50: times.share(0.5),
      p99: times.share(0.99),
      days: numbers.map((day) => byDay?.get(day)?.hits ?? 0),
    };
  });
}

export async function performancePage(
  db: Database | undefined,
  statistics: Statistics,
  hours: number,
  now: number,
): Promise<PerformancePage> {
  if (!db) return { events: 0, p50: 0, p99: 0, points: [], slowest: [], byPolicy: [] };
  await statistics.advance(db, now);
  const to = Math.floor(now / INTERVAL_MS);
  const width = Math.max(1, Math.ceil((hours * HOUR_MS) / INTERVAL_MS / MOST_POINTS));
  const from = to - Math.ceil((hours * HOUR_MS) / INTERVAL_MS) + 1;
  const all = new Histogram();
  const points: PerformancePage["points"][number][] = [];
  const slow: Interval["slowest"][number][] = [];
  for (let at = from; at <= to; at += width) {
    const times = new Histogram();
    for (let number = at; number < at + width; number++) {
      const interval = statistics.intervals.get(number);
      if (interval) times.addAll(interval.times);
      slow.push(...(interval?.slowest ?? []));
    }
    all.addAll(times);
    points.push({ at: at * INTERVAL_MS, events: times.count, p50: times.share(0.5), p99: times.share(0.99) });
  }
  const slowest = slow.sort((a, b) => b.microseconds - a.microseconds).slice(0, SLOWEST);
  return {
    events: all.count,
    p50: all.share(0.5),
    p99: all.share(0.99),
    points,
    slowest: rowsWithIds(
      db,
      slowest.map(({ id }) => id),
    ),
    byPolicy: byPolicy(statistics, dayOf(now - hours * HOUR_MS)),
  };
}

/** Counted by day, so the day in which the time began counts as a whole. */
function byPolicy(statistics: Statistics, since: number): PerformancePage["byPolicy"] {
  const rows = [...statistics.policies].map(([policy, days]) => {
    const times = new Histogram();
    for (const [day, of] of days) if (day >= since) times.addAll(of.times);
    return { policy, calls: times.count, total: times.total, p99: times.share(0.99) };
  });
  return rows.filter(({ calls }) => calls > 0).sort((a, b) => b.total - a.total);
}
