/**
 * Compares the rulings of two builds: a change that should change no behaviour is shown to change none.
 *
 *   node scripts/compare-rulings.mjs --base DIR [--limit N]
 *
 * DIR is another checkout of this repository, after `npm ci`. Both judge every labelled command, every sample line of the
 * shell reader and the effects, and every golden event of a client, each with state of its own. Exit code 1 when
 * anything differs: verdict, policy, reason, notes, effects; output and exit code of an event.
 */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";

const root = path.resolve(import.meta.dirname, "..");
const PROFILES = "safety,ntm,plan,session,teams";

const { values } = parseArgs({ options: { base: { type: "string" }, limit: { type: "string", default: "20" } } });
if (values.base === undefined) {
  console.error("Usage: node scripts/compare-rulings.mjs --base DIR [--limit N]");
  process.exit(1);
}
const base = path.resolve(values.base);
const differences = [];

const { readCorpus } = await import(path.join(root, "test/corpus/safety/lines.mjs"));
const lines = [...new Set([...[...readCorpus()].map(({ command }) => command), ...sampleLines()])];
const [was, is] = [await judgeAll(base), await judgeAll(root)];
for (const [at, line] of lines.entries()) {
  if (was[at] !== is[at]) differences.push({ what: line, was: was[at], is: is[at] });
}
console.log(`${lines.length} command lines: ${differences.length} differ`);

const events = goldenEvents();
const before = differences.length;
for (const { name, payload } of events) {
  const [old, now] = [answer(base, payload), answer(root, payload)];
  if (old !== now) differences.push({ what: name, was: old, is: now });
}
console.log(`${events.length} golden events: ${differences.length - before} differ`);

for (const { what, was: old, is: now } of differences.slice(0, Number(values.limit))) {
  console.log(`\n${what}\n  was ${old}\n  is  ${now}`);
}
process.exitCode = differences.length > 0 ? 1 : 0;

function sampleLines() {
  const folders = ["src/shell/samples", "src/effects/samples"].flatMap((name) => [
    path.join(root, name),
    path.join(base, name),
  ]);
  return folders
    .filter((folder) => fs.existsSync(folder))
    .flatMap((folder) => fs.readdirSync(folder).map((name) => fs.readFileSync(path.join(folder, name), "utf8")))
    .flatMap((text) => text.split("\n"))
    .filter((line) => line.includes(" => ") && !line.startsWith("#"))
    .map((line) => line.slice(0, line.lastIndexOf(" => ")).replaceAll("⏎", "\n"));
}

async function judgeAll(tree) {
  const { openJudge } = await import(path.join(tree, "test/corpus/safety/judge.mjs"));
  const judge = await openJudge();
  try {
    const said = [];
    for (const line of lines)
      said.push(withoutPlaces(JSON.stringify(await judge.check(line)), [judge.cwd, path.dirname(judge.env.HOME)]));
    return said;
  } finally {
    judge.close();
  }
}

function goldenEvents() {
  const folder = path.join(root, "test/golden/claude-code");
  return fs.readdirSync(folder, { recursive: true, encoding: "utf8" }).flatMap((name) => {
    if (!name.endsWith(".json")) return [];
    const { payloads } = JSON.parse(fs.readFileSync(path.join(folder, name), "utf8"));
    return Object.entries(payloads ?? {}).map(([kind, { payload }]) => ({ name: `${name} ${kind}`, payload }));
  });
}

/** By the built program without a daemon, in an empty project and with all profiles. */
function answer(tree, payload) {
  const scratch = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "hookwright-compare-")));
  const project = path.join(scratch, "project");
  fs.mkdirSync(project);
  try {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [path.join(tree, "bin/hookwright.mjs"), "hook", "--no-daemon", "--profile", PROFILES],
      {
        cwd: project,
        env: { PATH: process.env.PATH, HOME: scratch, HOOKWRIGHT_HOME: path.join(scratch, "state") },
        input: JSON.stringify(payload).replaceAll("/home/dev/app", project),
        encoding: "utf8",
      },
    );
    return withoutPlaces(`${status} ${stdout} ${stderr}`, [scratch, tree]);
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}

function withoutPlaces(text, places) {
  return places.reduce((rest, place) => rest.replaceAll(place, "<place>"), text);
}
