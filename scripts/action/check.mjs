// What action.yml runs in the folder of a pull request. Everything it finds becomes an annotation of a file.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { addedCommands } from "./added-commands.mjs";

const { HOOKWRIGHT_PROGRAM, INPUT_BASE = "", INPUT_FIXTURES = "", INPUT_SARIF = "" } = process.env;
const FAIL_ON = { deny: ["deny"], ask: ["deny", "ask"], never: [] }[process.env.INPUT_FAIL_ON || "deny"];

if (!HOOKWRIGHT_PROGRAM || !fs.existsSync(HOOKWRIGHT_PROGRAM)) stop("HOOKWRIGHT_PROGRAM names no program");
if (FAIL_ON === undefined) stop(`fail-on is "${process.env.INPUT_FAIL_ON}": it has to be deny, ask or never`);
const failures = [checkConfiguration(), checkCommands(), checkFixtures()].filter(Boolean).length;
process.exitCode = failures > 0 ? 1 : 0;

function checkConfiguration() {
  const { findings, ok } = JSON.parse(hookwright(["policies", "--check", "--json"], [0, 1]).stdout);
  for (const { level, file, line, column, text } of findings) annotate(level, text, { file, line, col: column });
  if (INPUT_SARIF !== "") fs.writeFileSync(INPUT_SARIF, hookwright(["policies", "--check", "--sarif"], [0, 1]).stdout);
  console.log(`Configuration: ${findings.length} findings.`);
  return !ok;
}

function checkCommands() {
  if (INPUT_BASE === "") return console.log("Commands: there is no commit to compare with, so none was checked.");
  const commands = addedCommands(INPUT_BASE, git);
  const counts = { pass: 0, ask: 0, deny: 0 };
  for (const { command, file, line } of commands) {
    const { verdict, reason } = JSON.parse(hookwright(["check", "-", "--json"], [0, 2], command).stdout);
    counts[verdict]++;
    const level = FAIL_ON.includes(verdict) ? "error" : "warning";
    if (verdict !== "pass") annotate(level, `An agent that runs this gets "${verdict}": ${reason}`, { file, line });
  }
  console.log(`Commands: ${commands.length} checked; ${counts.ask} ask, ${counts.deny} deny.`);
  return FAIL_ON.some((verdict) => counts[verdict] > 0);
}

function checkFixtures() {
  if (INPUT_FIXTURES === "") return false;
  if (!fs.existsSync(INPUT_FIXTURES)) stop(`fixtures: there is no folder ${INPUT_FIXTURES}`);
  const kinds = "newly-denied,newly-asked,newly-allowed,newly-held";
  const { status, stdout } = hookwright(["replay", "--fixtures", INPUT_FIXTURES, "--fail-on", kinds], [0, 1]);
  console.log(stdout.trimEnd());
  if (status !== 0)
    annotate("error", "Recorded events get other answers now; the log has them.", { file: INPUT_FIXTURES });
  return status !== 0;
}

function hookwright(args, expected, input = "") {
  const done = spawnSync(process.execPath, [HOOKWRIGHT_PROGRAM, ...args], {
    input,
    encoding: "utf8",
    maxBuffer: 64 << 20,
  });
  if (expected.includes(done.status) && done.stdout !== "") return done;
  return stop(`hookwright ${args.join(" ")} ended with ${done.status}: ${done.error?.message ?? done.stderr}`);
}

function git(...args) {
  const done = spawnSync("git", args, { encoding: "utf8", maxBuffer: 64 << 20 });
  return done.status === 0 ? done.stdout : stop(`git ${args.join(" ")}: ${done.error?.message ?? done.stderr}`);
}

function annotate(level, text, { file, ...place }) {
  const name = file === undefined ? [] : [["file", path.relative(process.cwd(), path.resolve(file))]];
  const properties = [...name, ...Object.entries(place)].filter(([, value]) => value !== undefined);
  const list = properties.map(([key, value]) => `${key}=${escaped(String(value)).replace(/[:,]/g, percent)}`);
  console.log(`::${level} ${[...list, "title=Hookwright"].join(",")}::${escaped(text)}`);
}

/** A text of a pull request must not become a command of the runner. */
function escaped(text) {
  return text.replace(/[%\r\n]/g, percent);
}

function percent(character) {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}

function stop(message) {
  console.log(`::error title=Hookwright::${escaped(message)}`);
  process.exit(1);
}
