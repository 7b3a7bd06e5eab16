// One busy agent: an event every 50 ms, so that nothing stays hot between two of them.
import { stop } from "../scratch.mjs";
import { check, waits } from "../statistics.mjs";
import { sendWhenDue, startTraffic } from "../traffic.mjs";

const RATE = 20;
const P50_MS = 0.6;
const P99_MS = 2;
/** Every call of a tool is announced and reported; most run commands. */
export const MIX = ["pass", "after", "edit", "after", "pass", "after", "deny"];

export async function measurePaced(bench) {
  const seconds = bench.pacedSeconds;
  const { daemon, socket, frames } = await startTraffic(bench, "paced", 1, bench.eventsOfAgents);
  const plan = { gaps: "steady", seconds, agents: 1, rate: RATE };
  const mix = MIX.map((name) => frames[name]);
  const { sent, errors } = await sendWhenDue(bench, socket, plan, mix);
  await stop(bench.scratch, daemon);
  if (errors > 0) throw new Error(`${errors} of ${sent.length + errors} events got no or a wrong answer`);
  const of = (name) =>
    waits(sent.filter((one) => name === undefined || one.name === name).map((one) => one.fromConnect));
  const all = of();
  const rows = [{ name: "all", ...all }, ...["pass", "deny", "edit", "after"].map((name) => ({ name, ...of(name) }))];
  const row = `paced, ${RATE} events a second`;
  return {
    ...plan,
    rows,
    checks: [
      check({ row, measure: "p50", value: all.p50, limit: P50_MS, unit: "ms", enforced: !bench.isQuick }),
      check({ row, measure: "p99", value: all.p99, limit: P99_MS, unit: "ms", enforced: !bench.isQuick }),
    ],
  };
}
