// The decision alone, without a process or a socket: one event after the other in a process that stays.
import { NUMBER } from "../events.mjs";
import { BASE, measureBase, ratioCheck } from "../programs.mjs";
import { runResident } from "../scratch.mjs";
import { rounded, spread } from "../statistics.mjs";

const HOT_LIMIT = 0.008;
const KINDS = ["pass", "deny", "edit", "after"];

export async function measureEngine(bench) {
  const place = bench.install("engine");
  const { guard, ...events } = pick(bench.events, [...KINDS, "guard"]);
  const engines = [{ home: place.home, args: bench.profileArguments }];
  const request = { ...measureRequest(bench), engines, guard, events };
  const baseMs = await measureBase(bench);
  const [times] = await runResident(bench.scratch, place, request);
  const rows = KINDS.map((name) => ({ name, ...spread(times[name]) }));
  const budget = { row: "engine, hot loop, pass", measure: `x ${BASE}`, limit: HOT_LIMIT, enforced: !bench.isQuick };
  return { baseMs: rounded(baseMs), rows, checks: [ratioCheck(budget, rows[0].median, baseMs)] };
}

/** Until V8 has compiled everything, and again where it guessed wrong. */
const WARM_UP = 10_000;

/** What every request to measure has in common. */
export function measureRequest({ scratch, isQuick }) {
  const { project, env } = scratch;
  const amount = isQuick ? { warmUp: 500, runs: 500 } : { warmUp: WARM_UP, runs: 5000 };
  return { task: "measure", cwd: project, env, number: NUMBER, ...amount };
}

export function pick(events, names) {
  return Object.fromEntries(names.map((name) => [name, events[name]]));
}
