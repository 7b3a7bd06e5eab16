// A daemon that has answered for weeks, in minutes: events as fast as it takes them, and how much memory it holds.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { SESSION_OF_AGENT, sampleEvents } from "../events.mjs";
import { stop } from "../scratch.mjs";
import { check, rounded } from "../statistics.mjs";
import { send, startTraffic } from "../traffic.mjs";

const LIMIT_MB = 150;
/** How much more it may hold at the end than after the first tenth, when everything that is kept has been made. */
const FLAT = 1.2;
const MARKS = [0.1, 0.25, 0.5, 0.75, 1];
const CONNECTIONS = 8;
const AGENTS = 200;
/** Short ones: the journal on disk grows with them, and memory should not. */
const EVENT_BYTES = 400;
const MIX = ["pass", "after", "edit", "after"];

export async function measureMemory(bench) {
  const { scratch, memoryEvents } = bench;
  const events = sampleEvents(scratch, SESSION_OF_AGENT, EVENT_BYTES);
  const { place, daemon, socket, frames } = await startTraffic(bench, "memory", AGENTS, events);
  const marks = MARKS.map((share) => Math.round((memoryEvents * share) / 1000) * 1000);
  const samples = [{ events: 0, megabytes: residentMegabytes(daemon.pid) }];
  let errors = 0;
  let peak = 0;
  const started = Date.now();
  const args = ["flood", memoryEvents, AGENTS, CONNECTIONS, ...MIX.map((name) => frames[name])];
  await send(bench, socket, args, (line) => {
    if (line.startsWith("failed ")) errors = Number(line.slice(7));
    const count = Number(line);
    if (count % 10_000 === 0) peak = Math.max(peak, residentMegabytes(daemon.pid));
    if (!marks.includes(count)) return;
    samples.push({ events: count, megabytes: residentMegabytes(daemon.pid) });
    bench.say(`  ${count} events, ${samples.at(-1).megabytes} MB`);
  });
  const seconds = (Date.now() - started) / 1000;
  const journal = fs.statSync(path.join(place.home, "state.db")).size;
  await stop(scratch, daemon);
  fs.rmSync(place.home, { recursive: true });
  const [, first] = samples;
  const last = samples.at(-1);
  const row = `daemon after ${memoryEvents.toLocaleString("en-US")} events`;
  // The first events of a short run still make what is kept for good.
  const isLong = memoryEvents >= 1_000_000;
  return {
    events: memoryEvents,
    agents: AGENTS,
    connections: CONNECTIONS,
    eventBytes: EVENT_BYTES,
    eventsPerSecond: Math.round(memoryEvents / seconds),
    journalMegabytes: Math.round(journal / 2 ** 20),
    errors,
    peakMegabytes: peak,
    samples,
    checks: [
      check({ row, measure: "resident", value: last.megabytes, limit: LIMIT_MB, unit: "MB" }),
      check({
        row,
        measure: `growth since ${first.events.toLocaleString("en-US")}`,
        value: rounded(last.megabytes / first.megabytes),
        limit: FLAT,
        unit: "x",
        enforced: isLong,
      }),
      check({ row, measure: "errors", value: errors, limit: 0, unit: "" }),
    ],
  };
}

function residentMegabytes(pid) {
  return Math.round(Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) / 1024);
}
