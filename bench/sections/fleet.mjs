// Many agents at once, which do not wait for each other and come in bursts.
import { BASE, measureBase, ratioCheck } from "../programs.mjs";
import { stop } from "../scratch.mjs";
import { check, rounded, waits } from "../statistics.mjs";
import { sendWhenDue, startTraffic } from "../traffic.mjs";
import { MIX } from "./paced.mjs";

const AGENTS = 50;
const RATE = 2;
const P99_LIMIT = 0.5;
const LATE_MS = 1;

export async function measureFleet(bench) {
  const seconds = bench.isQuick ? 3 : 20;
  const baseMs = await measureBase(bench);
  const { daemon, socket, frames } = await startTraffic(bench, "fleet", AGENTS, bench.eventsOfAgents);
  const plan = { gaps: "random", seconds, agents: AGENTS, rate: RATE };
  const mix = MIX.map((name) => frames[name]);
  const { sent, errors } = await sendWhenDue(bench, socket, plan, mix);
  await stop(bench.scratch, daemon);
  const fromDue = waits(sent.map((one) => one.fromDue));
  const late = sent.map((one) => one.late);
  const row = `${AGENTS} agents, ${RATE} events a second each`;
  const enforced = !bench.isQuick;
  return {
    ...plan,
    baseMs: rounded(baseMs),
    fromDue,
    fromConnect: waits(sent.map((one) => one.fromConnect)),
    errors,
    late: { overMs: LATE_MS, count: late.filter((ms) => ms > LATE_MS).length, max: rounded(Math.max(...late)) },
    checks: [
      ratioCheck({ row, measure: `p99, x ${BASE}`, limit: P99_LIMIT, enforced }, fromDue.p99, baseMs),
      check({ row, measure: "errors", value: errors, limit: 0, unit: "" }),
    ],
  };
}
