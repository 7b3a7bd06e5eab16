// Does a decision get slower with more policies, or with a longer past?
import fs from "node:fs";
import path from "node:path";
import { runResident } from "../scratch.mjs";
import { check, rounded, spread } from "../statistics.mjs";
import { measureRequest, pick } from "./engine.mjs";

const POLICIES = 1.4;
const JOURNAL = 1.1;
/** The one that stays on is the guard whose business the event is; a report is nobody's, so any will do. */
const ONE = {
  pass: "safety/destructive-command",
  edit: "safety/protected-paths",
  after: "safety/destructive-command",
};

export async function measureGrowth(bench) {
  const policies = await growthInPolicies(bench);
  const journal = await growthInRows(bench);
  return {
    policies,
    journal,
    checks: [
      ...policies.rows.map((row) => budgetOf(bench, `policies, 1 to ${policies.count}`, row, POLICIES)),
      ...journal.rows.map((row) => budgetOf(bench, `journal rows, 0 to ${thousands(journal.count)}`, row, JOURNAL)),
    ],
  };
}

function budgetOf({ isQuick }, name, { event, ratio }, limit) {
  return check({ row: `${name}, ${event}`, measure: "growth", value: ratio, limit, unit: "x", enforced: !isQuick });
}

function thousands(count) {
  return count.toLocaleString("en-US");
}

async function growthInPolicies(bench) {
  const { registry } = bench.product;
  const rows = [];
  for (const [event, policy] of Object.entries(ONE)) {
    const others = registry.map(({ id }) => id).filter((id) => id !== policy);
    if (others.length === registry.length) throw new Error(`there is no policy ${policy}`);
    const [few, all] = [`one-${event}`, `all-${event}`].map((home) => bench.install(home));
    writeConfig(bench, few.home, others);
    writeConfig(bench, all.home, []);
    rows.push({ policy, ...(await compare(bench, few, all, [event]))[0] });
  }
  return { count: registry.length, rows };
}

/** Both homes have a file, so that reading one is no part of the difference. */
function writeConfig({ profiles }, home, off) {
  const policies = off.length === 0 ? "" : `policies:\n${off.map((id) => `  ${id}: off\n`).join("")}`;
  fs.writeFileSync(path.join(home, "config.yml"), `profiles: [${profiles.join(", ")}]\n${policies}`, { mode: 0o600 });
}

async function growthInRows(bench) {
  const count = bench.isQuick ? 20_000 : 1_000_000;
  const [empty, full] = [bench.install("empty"), bench.install("full")];
  for (const place of [empty, full]) writeConfig(bench, place.home, []);
  const events = Object.keys(ONE);
  // The rows to copy are real ones.
  const seed = { ...measureRequest(bench), warmUp: 0, runs: 5 };
  await runResident(bench.scratch, full, { ...seed, ...sampled(bench, events), engines: [engineOf(full)] });
  const { megabytes } = await runResident(bench.scratch, full, { task: "fill", home: full.home, rows: count });
  const rows = await compare(bench, empty, full, events);
  fs.rmSync(full.home, { recursive: true });
  return { count, megabytes, rows };
}

/** The two take turns event by event in one process. */
async function compare(bench, from, to, names) {
  const engines = [from, to].map(engineOf);
  const request = { ...measureRequest(bench), ...sampled(bench, names), engines };
  const [before, after] = await runResident(bench.scratch, from, request);
  return names.map((event) => {
    const [a, b] = [spread(before[event]), spread(after[event])];
    return { event, runs: a.runs, from: a.median, to: b.median, ratio: rounded(b.median / a.median) };
  });
}

function engineOf({ home }) {
  return { home, args: [] };
}

function sampled({ events }, names) {
  return { guard: events.guard, events: pick(events, names) };
}
