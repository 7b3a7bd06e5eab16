/**
 * Measures the hook paths and compares them with their budgets. JSON goes to stdout, tables to stderr.
 *
 *   npm run bench [-- options]
 *   --node PATH          measure with this Node instead of the one that runs the bench
 *   --rounds N           starts of each program (default 60)
 *   --quick              fewer rounds of the starts and the engine, to see that everything works
 *   --all                every section but peers and overload; this is the default without --quick
 *   --peers              other hooks too, fetched from npm into the scratch folder
 *   --only A,B           just these sections; overload runs only when it is named here
 *   --full               a million events for the daemon's memory (some minutes, some gigabytes of disk)
 *   --memory-events N    that many events for the daemon's memory (default 100000)
 *   --out FILE           write the JSON there too
 *   --save               keep the sections measured in bench/results/, beside those of the same build
 *   --publish            --full, --peers and --save, with fewer rounds of the longest sections, and then the page
 *                        docs/performance.md; about eight minutes on a quiet machine
 *
 * Exit code 1 when an enforced budget is broken. Everything happens in a folder of its own that is removed at the end.
 */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { SESSION_OF_AGENT, sampleEvents } from "./events.mjs";
import { budgetTable, describeMachine, describeNode, sectionTables } from "./report.mjs";
import { saveResult } from "./results.mjs";
import { compile, install, loadProduct, makeScratch, ROOT, removeScratch } from "./scratch.mjs";
import { measureAgents } from "./sections/agents.mjs";
import { measureDaemonStart } from "./sections/daemon-start.mjs";
import { measureEngine } from "./sections/engine.mjs";
import { measureFleet } from "./sections/fleet.mjs";
import { measureGrowth } from "./sections/growth.mjs";
import { measureMemory } from "./sections/memory.mjs";
import { measureOverload } from "./sections/overload.mjs";
import { measurePaced } from "./sections/paced.mjs";
import { measurePeers } from "./sections/peers.mjs";
import { measureSnapshot } from "./sections/snapshot.mjs";
import { measureStart } from "./sections/start.mjs";

const SECTIONS = {
  start: measureStart,
  "daemon-start": measureDaemonStart,
  agents: measureAgents,
  engine: measureEngine,
  paced: measurePaced,
  growth: measureGrowth,
  fleet: measureFleet,
  overload: measureOverload,
  snapshot: measureSnapshot,
  memory: measureMemory,
  peers: measurePeers,
};

/** Sections that need the network, or that make the machine useless for everybody else meanwhile. */
const ON_DEMAND = new Set(["peers", "overload"]);

const { values: options } = parseArgs({
  options: {
    node: { type: "string", default: process.execPath },
    rounds: { type: "string" },
    quick: { type: "boolean", default: false },
    all: { type: "boolean", default: false },
    peers: { type: "boolean", default: false },
    only: { type: "string" },
    full: { type: "boolean", default: false },
    "memory-events": { type: "string" },
    out: { type: "string" },
    save: { type: "boolean", default: false },
    publish: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});
if (options.help) {
  const [, text = ""] = /^\/\*\*\n([\s\S]*?)\n \*\//.exec(fs.readFileSync(import.meta.filename, "utf8")) ?? [];
  process.stdout.write(`${text.replaceAll(/^ \* ?/gm, "")}\n`);
  process.exit(0);
}
if (options.publish) options.full = options.peers = options.save = true;
const isQuick = options.quick;
const rounds = wholeNumber("rounds", options.rounds ?? (isQuick ? "10" : options.publish ? "40" : "60"));
const memoryEvents = wholeNumber(
  "memory-events",
  options["memory-events"] ?? (options.full ? "1000000" : isQuick ? "10000" : "100000"),
);
const names = chosenSections();
const say = (text) => process.stderr.write(`${text}\n`);
const scratch = makeScratch(fs.realpathSync(options.node));
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => removeScratch(scratch).then(() => process.exit(130)));
}
try {
  const result = await measure();
  const json = `${JSON.stringify(result, null, 2)}\n`;
  process.stdout.write(json);
  if (options.out !== undefined) fs.writeFileSync(options.out, json);
  if (options.save) say(`\nkept in ${saveResult(path.join(ROOT, "bench/results"), result)}`);
  if (options.publish)
    say(execFileSync(process.execPath, [path.join(ROOT, "bench/document.mjs")], { encoding: "utf8" }));
  say(`\n${sectionTables(result)}\n\n${budgetTable(result)}`);
  const checks = Object.values(result.sections).flatMap((section) => section.checks);
  process.exitCode = checks.some((one) => one.enforced && !one.ok) ? 1 : 0;
} finally {
  await removeScratch(scratch);
}

async function measure() {
  const { version: nodeVersion, major, hasSqlite } = describeNode(scratch.node);
  const head = describeMachine(ROOT, nodeVersion);
  say(`Node ${nodeVersion}, Hookwright ${head.hookwright.version} build ${head.hookwright.build}, ${rounds} rounds`);
  const product = await loadProduct(scratch);
  const profileArguments = ["--reply", "json", "--via", "user", "--profile", product.PROFILES.join(",")];
  const bench = {
    node: scratch.node,
    nodeVersion,
    major,
    head,
    scratch,
    product,
    build: head.hookwright.build,
    profiles: product.PROFILES,
    profileArguments,
    hookArguments: (event) => ["--event", event, ...profileArguments],
    events: sampleEvents(scratch),
    eventsOfAgents: sampleEvents(scratch, SESSION_OF_AGENT),
    install: (name) => install(scratch, product, hasSqlite, name),
    isQuick,
    rounds,
    warmUp: isQuick ? 3 : 10,
    memoryEvents,
    pacedSeconds: isQuick ? 3 : options.publish ? 40 : 60,
    say,
  };
  const sections = {};
  for (const name of names) {
    say(`${name} ...`);
    const before = stateOfMachine();
    const { checks, ...measured } = await SECTIONS[name](bench);
    const after = stateOfMachine();
    sections[name] = {
      at: before.at,
      load: [before.load, after.load],
      missNs: [before.missNs, after.missNs],
      ...measured,
      checks,
    };
  }
  return { ...head, sections };
}

function chosenSections() {
  if (options.only !== undefined) {
    const wrong = options.only.split(",").filter((name) => !Object.hasOwn(SECTIONS, name));
    if (wrong.length > 0) throw new Error(`--only takes some of ${Object.keys(SECTIONS).join(",")}`);
    return options.only.split(",");
  }
  const own =
    !isQuick || options.all ? Object.keys(SECTIONS).filter((name) => !ON_DEMAND.has(name)) : ["start", "engine"];
  return options.peers ? [...own, "peers"] : own;
}

function wholeNumber(name, text) {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} takes a whole number above 0`);
  return value;
}

/** How busy it is: with other programs, which the system knows about, and behind its back with those of other guests. */
function stateOfMachine() {
  const [missNs] = execFileSync(compile(scratch, "latency"), { encoding: "utf8" }).split(" ");
  return { at: new Date().toISOString(), load: Number(os.loadavg()[0].toFixed(2)), missNs: Math.round(Number(missNs)) };
}
