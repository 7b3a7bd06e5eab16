// One busy agent: an event every 50 ms, so that nothing stays hot between two of them. First the decision alone, as in a
// hot loop, then a daemon with everything around it.
import { GUARDED_CALL } from "../events.mjs";
import { BASE, measureBase, ratioCheck } from "../programs.mjs";
import { runResident, stop } from "../scratch.mjs";
import { rounded, waits } from "../statistics.mjs";
import { sendWhenDue, startTraffic } from "../traffic.mjs";
import { measureRequest, pick } from "./engine.mjs";

const RATE = 20;
const P50_LIMIT = 0.035;
const KINDS = ["pass", "deny", "edit", "after"];
/** Every call of a tool is announced and reported; most run commands. */
export const MIX = ["pass", "after", "edit", "after", "pass", "after", "deny"];

export async function measurePaced(bench) {
  const plan = { gaps: "steady", seconds: bench.pacedSeconds, agents: 1, rate: RATE };
  const baseMs = await measureBase(bench);
  const decisions = await decisionsOf(bench, plan);
  const waited = await waitsFor(bench, plan);
  const row = `engine, ${RATE} events a second`;
  const budget = { row, measure: `p50, x ${BASE}`, limit: P50_LIMIT, enforced: !bench.isQuick };
  const checks = [ratioCheck(budget, decisions[0].p50, baseMs)];
  return { ...plan, baseMs: rounded(baseMs), decisions, rows: waited, checks };
}

async function decisionsOf(bench, { seconds }) {
  const place = bench.install("paced-engine");
  const { guard, ...events } = pick(bench.events, [...KINDS, "guard"]);
  const engines = [{ home: place.home, args: bench.profileArguments }];
  const pace = { task: "pace", engines, guard, call: GUARDED_CALL, events, mix: MIX, gap: 1000 / RATE, seconds };
  const times = await runResident(bench.scratch, place, { ...measureRequest(bench), ...pace });
  return byKind(times, ({ took }) => took);
}

async function waitsFor(bench, plan) {
  const { daemon, socket, frames } = await startTraffic(bench, "paced", 1, bench.eventsOfAgents);
  const { sent, errors } = await sendWhenDue(
    bench,
    socket,
    plan,
    MIX.map((name) => frames[name]),
  );
  await stop(bench.scratch, daemon);
  if (errors > 0) throw new Error(`${errors} of ${sent.length + errors} events got no or a wrong answer`);
  return byKind(sent, ({ fromConnect }) => fromConnect);
}

function byKind(events, timeOf) {
  const of = (chosen) => waits(chosen.map(timeOf));
  const each = KINDS.map((kind) => ({ name: kind, ...of(events.filter(({ name }) => name === kind)) }));
  return [{ name: "all", ...of(events) }, ...each];
}
