/**
 * Runs the scenarios with the real clients of other agents, each in an exact version, without a network.
 *
 *   npm run conformance [-- --agent NAME,…] [--scenario NAME,…] [--quick] [--record]
 *   --quick     only the scenarios that every landing has to pass
 *   --record    keep the results for docs/agents.md (then run `npm run generate`)
 *   HOOKWRIGHT_E2E_KEEP=1   keep each scenario's scratch folder and print its path
 *
 * Clients are installed first, into a cache outside the tree. One that cannot be is skipped and counted as such.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { cacheFolder, installInto } from "../support/clients/client-cache.mjs";
import { runAndWait, runInNamespace, SetupError } from "../support/clients/network-namespace.mjs";

const THIS_FILE = fileURLToPath(import.meta.url);
const REPOSITORY = resolve(import.meta.dirname, "../..");
const AGENTS = join(import.meta.dirname, "agents");
const RESULTS = join(import.meta.dirname, "results");
/** Set in the namespace: the file with what is to be run, and the one for its results. */
const PLAN = "HOOKWRIGHT_CONFORMANCE_PLAN";

function chosenOptions() {
  const { values } = parseArgs({
    options: {
      agent: { type: "string", multiple: true, default: [] },
      scenario: { type: "string", multiple: true, default: [] },
      quick: { type: "boolean", default: false },
      record: { type: "boolean", default: false },
    },
  });
  const names = (given) => given.flatMap((one) => one.split(","));
  return { ...values, agents: names(values.agent), scenarios: names(values.scenario) };
}

/** Drivers and scenarios are TypeScript, which a temporary bundle makes readable for every supported Node. */
async function loadSuite() {
  const names = readdirSync(AGENTS).map((file) => basename(file, ".ts"));
  const lines = names.map((name, at) => `export { default as d${at} } from "./agents/${name}.ts";`);
  const scratch = mkdtempSync(join(REPOSITORY, "node_modules/.hookwright-conformance-"));
  try {
    const outfile = join(scratch, "suite.mjs");
    const contents = [...lines, 'export { SCENARIOS } from "./scenarios.ts";'].join("\n");
    await build({
      stdin: { contents, resolveDir: import.meta.dirname, loader: "ts" },
      bundle: true,
      format: "esm",
      platform: "node",
      outfile,
      logLevel: "error",
    });
    const { SCENARIOS, ...drivers } = await import(pathToFileURL(outfile).href);
    return { drivers: Object.values(drivers), scenarios: SCENARIOS };
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

function checkNames(what, given, known) {
  const wrong = given.filter((name) => !known.includes(name));
  if (wrong.length > 0) throw new SetupError(`no ${what} is called ${wrong.join(", ")}: there is ${known.join(", ")}`);
}

/** Where the client is, or why there is none. */
function installClient({ declaration, packages }) {
  const folder = cacheFolder(`${declaration.id}-${declaration.version}`);
  const names = packages.map((one) => one.slice(0, one.lastIndexOf("@")));
  try {
    installInto(folder, packages, (at) => names.every((name) => existsSync(join(at, "node_modules", name))));
    return { folder };
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    return { missing: error.message };
  }
}

async function enterNamespace() {
  const { drivers, scenarios } = await loadSuite();
  const options = chosenOptions();
  const ids = drivers.map(({ declaration }) => declaration.id);
  const names = scenarios.map(({ name }) => name);
  checkNames("agent with a driver", options.agents, ids);
  checkNames("scenario", options.scenarios, names);
  const chosen = drivers.filter(
    ({ declaration: { id } }) => options.agents.length === 0 || options.agents.includes(id),
  );
  const clients = {};
  for (const driver of chosen) {
    const client = installClient(driver);
    clients[driver.declaration.id] = client;
    const { title, version } = driver.declaration;
    process.stdout.write(`${title} ${version}${client.missing ? `: skipped, ${client.missing}` : ""}\n`);
  }
  const wanted = scenarios
    .filter(
      ({ name, isQuick }) =>
        (options.scenarios.length === 0 || options.scenarios.includes(name)) && (isQuick || !options.quick),
    )
    .map(({ name }) => name);
  const scratch = mkdtempSync(join(tmpdir(), "hookwright-conformance-"));
  try {
    const plan = join(scratch, "plan.json");
    const results = join(scratch, "results.jsonl");
    writeFileSync(plan, JSON.stringify({ clients, scenarios: wanted, results }));
    writeFileSync(results, "");
    const code = await runInNamespace([THIS_FILE], { [PLAN]: plan });
    const found = readFileSync(results, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
    report(chosen, found);
    if (options.record) record(chosen, found);
    return code;
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

function report(drivers, found) {
  const count = (id, state) => found.filter((one) => one.agent === id && one.state === state).length;
  for (const { declaration } of drivers) {
    const states = ["passed", "failed", "skipped", "undeclared"];
    const counts = states.map((state) => `${count(declaration.id, state)} ${state}`).join(", ");
    process.stdout.write(`${declaration.title} ${declaration.version}: ${counts}\n`);
  }
}

/** One file for each agent, in which the results of scenarios that were not run stay. */
function record(drivers, found) {
  mkdirSync(RESULTS, { recursive: true });
  for (const { declaration } of drivers) {
    const { id, version } = declaration;
    const file = join(RESULTS, `${id}.json`);
    const before = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
    const scenarios = before?.version === version ? before.scenarios : {};
    for (const { agent, scenario, state, why } of found) {
      if (agent === id) scenarios[scenario] = { state, ...(why ? { why } : {}) };
    }
    const at = new Date().toISOString().slice(0, 10);
    writeFileSync(file, `${JSON.stringify({ version, at, node: process.version, scenarios }, null, 2)}\n`);
  }
}

async function runTests() {
  const vitest = join(REPOSITORY, "node_modules", "vitest", "vitest.mjs");
  const colours = process.stdout.isTTY ? [] : ["--no-color"];
  const args = [vitest, "run", "--config", "test/conformance/vitest.config.ts", ...colours];
  return (await runAndWait(process.execPath, args, process.env)).code;
}

try {
  process.exitCode = await (process.env[PLAN] === undefined ? enterNamespace() : runTests());
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  process.stderr.write(`conformance: ${error.message}\n`);
  process.exitCode = 1;
}
