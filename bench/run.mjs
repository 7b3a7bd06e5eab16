/**
 * Measures the hook paths and compares them with their budgets. JSON goes to stdout, a table to stderr.
 *
 *   npm run bench [-- options]
 *   --node PATH   measure with this Node instead of the one that runs the bench
 *   --rounds N    starts of each program (default 60)
 *   --quick       fewer rounds, to see that everything works
 *   --out FILE    write the JSON there too
 *
 * Exit code 1 when an enforced budget is broken. Everything happens in a folder of its own that is removed at the end.
 */
import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import readline from "node:readline";
import { parseArgs } from "node:util";
import { NUMBER, sampleEvents } from "./events.mjs";
import { describeMachine, describeNode, table } from "./report.mjs";
import { BASE, processRows, RESIDENT_ROWS, summarise } from "./rows.mjs";
import * as place from "./scratch.mjs";

const { values: options } = parseArgs({
  options: {
    node: { type: "string", default: process.execPath },
    rounds: { type: "string" },
    quick: { type: "boolean", default: false },
    out: { type: "string" },
  },
});
const node = path.resolve(options.node);
const rounds = Number(options.rounds ?? (options.quick ? 10 : 60));
if (!Number.isInteger(rounds) || rounds < 1) throw new Error("--rounds takes a whole number above 0");
const warmUp = options.quick ? 3 : 10;
const engineRuns = options.quick ? 500 : 5000;

const say = (text) => process.stderr.write(`${text}\n`);
const scratch = place.makeScratch(node);
let daemon;
let spawner;
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => cleanUp().then(() => process.exit(130)));
try {
  const result = await measure();
  const json = `${JSON.stringify(result, null, 2)}\n`;
  process.stdout.write(json);
  if (options.out !== undefined) fs.writeFileSync(options.out, json);
  say(`\n${table(result.rows)}`);
  process.exitCode = result.rows.some((row) => row.enforced && !row.ok) ? 1 : 0;
} finally {
  await cleanUp();
}

async function cleanUp() {
  spawner?.kill();
  if (daemon) await place.stopDaemon(daemon);
  fs.rmSync(scratch.root, { recursive: true, force: true });
}

async function measure() {
  const { version, major, hasSqlite } = describeNode(node);
  const head = describeMachine(place.ROOT, version);
  say(`Node ${version}, Hookwright ${head.hookwright.version} build ${head.hookwright.build}, ${rounds} rounds`);
  const { warm, cold, profiles } = await place.installClients(scratch, hasSqlite);
  const events = sampleEvents(scratch);
  const rows = processRows({ node, major, warm, cold, profiles });
  daemon = await place.startDaemon(scratch, warm);
  const loadBefore = os.loadavg()[0];
  const times = await startPrograms(rows, events);
  const counted = await checkRecorded(rows, warm, cold);
  const resident = await measureResident(warm, events, profiles);
  const base = times[rows.findIndex((row) => row.name === BASE)];
  return {
    ...head,
    rounds,
    load: { before: loadBefore, after: os.loadavg()[0] },
    checked: counted,
    rows: [
      ...rows.map((row, index) => summarise(row, times[index], base)),
      ...RESIDENT_ROWS.map((row) => summarise(row, resident[row.event], base)),
    ],
  };
}

/** Milliseconds per row. A row that was not answered as expected would measure something else, so it is an error. */
async function startPrograms(rows, events) {
  for (const [name, text] of Object.entries(events)) fs.writeFileSync(scratch.at(`${name}.json`), text);
  const lines = rows.map((row) => [row.event ? scratch.at(`${row.event}.json`) : "-", ...row.argv].join("\t"));
  fs.writeFileSync(scratch.at("rows"), `${lines.join("\n")}\n`);
  const args = [scratch.at("rows"), warmUp, rounds, 1 + Math.floor(Math.random() * 1e6)].map(String);
  const env = { ...scratch.env };
  delete env.HOOKWRIGHT_HOME; // an installed client knows its home by where it lies
  const stdio = ["ignore", "pipe", "inherit"];
  spawner = spawn(place.compileSpawner(scratch), args, { cwd: scratch.project, env, stdio });
  const ended = new Promise((resolve) => spawner.once("close", resolve));
  const times = rows.map(() => []);
  let starts = 0;
  for await (const line of readline.createInterface({ input: spawner.stdout })) {
    const [index, nanoseconds, exit, isDeny] = line.split(" ").map(Number);
    if (exit !== 0 || isDeny !== (rows[index].event === "deny" ? 1 : 0)) {
      throw new Error(`${rows[index].name}: exit code ${exit}, ${isDeny ? "a deny" : "no deny"}`);
    }
    times[index].push(nanoseconds / 1e6);
    if (++starts % (rows.length * 10) === 0) say(`  ${starts / rows.length} of ${rounds} rounds`);
  }
  if ((await ended) !== 0) throw new Error("the spawner failed");
  return times;
}

/** Did the daemon answer every warm event, and did every cold one reach the journal? */
async function checkRecorded(rows, warm, cold) {
  const expected = (kind) => rows.filter((row) => row.name.startsWith(kind)).length * (warmUp + rounds);
  const byDaemon = place.daemonEvents(scratch, warm) - 1; // less the question itself
  const request = { task: "count", database: path.join(scratch.at("cold"), "state.db") };
  const { rows: byCold } = await place.runResident(scratch, cold, request);
  const wanted = { byDaemon: expected("warm"), byCold: expected("cold") };
  if (byDaemon !== wanted.byDaemon || byCold !== wanted.byCold) {
    throw new Error(`expected ${JSON.stringify(wanted)}, found ${JSON.stringify({ byDaemon, byCold })}`);
  }
  return wanted;
}

function measureResident(warm, events, profiles) {
  say(`  the resident engine, ${engineRuns} events of each kind`);
  return place.runResident(scratch, warm, {
    task: "measure",
    home: scratch.at("resident"),
    cwd: scratch.project,
    env: scratch.env,
    args: ["--event", "PreToolUse", "--reply", "json", "--via", "user", "--profile", profiles.join(",")],
    number: NUMBER,
    events,
    warmUp: Math.min(2000, engineRuns),
    runs: engineRuns,
  });
}
