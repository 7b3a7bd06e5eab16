// One busy agent: an event every 50 ms, so that nothing stays hot between two of them. First the decision alone, as in a
// hot loop, then a daemon with everything around it.
import { GUARDED_CALL } from "../events.mjs";
import { runResident, stop } from "../scratch.mjs";
import { check, waits } from "../statistics.mjs";
import { sendWhenDue, startTraffic } from "../traffic.mjs";
import { measureRequest, pick } from "./engine.mjs";

const RATE = 20;
const P50_MS = 0.6;
const P99_MS = 2;
const KINDS = ["pass", "deny", "edit", "after"];
/** Every call of a tool is announced and reported; most run commands. */
export const MIX = ["pass", "after", "edit", "after", "pass", "after", "deny"];

export async function measurePaced(bench) {
  const plan = { gaps: "steady", seconds: bench.pacedSeconds, agents: 1, rate: RATE };
  const decisions = await decisionsOf(bench, plan);
  const waited = await waitsFor(bench, plan);
  const { p50, p99 } = decisions[0];
  const row = `engine, ${RATE} events a second`;
  const enforced = !bench.isQuick;
  return {
    ...plan,
    decisions,
    rows: waited,
    checks: [
      check({ row, measure: "p50", value: p50, limit: P50_MS, unit: "ms", enforced }),
      check({ row, measure: "p99", value: p99, limit: P99_MS, unit: "ms", enforced }),
    ],
  };
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
