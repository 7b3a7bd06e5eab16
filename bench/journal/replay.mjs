/**
 * Measures `hookwright replay`: its speed beside that of a cold hook, and whether its memory grows with the journal.
 *
 *   node bench/journal/replay.mjs [--events N]     N recorded events, 100000 if not given
 *
 * Prints one JSON object. Exit code 1 when a replayed event takes more than a twentieth of a cold decision, when one of
 * them has another answer, or when the memory at the end is more than a quarter above that of the first third.
 */
import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";

const ROOT = path.resolve(import.meta.dirname, "../..");
const HOOKWRIGHT = path.join(ROOT, "bin", "hookwright.mjs");
const LEAST_SPEED = 20;
const MOST_GROWTH = 1.25;
const SAMPLE_MS = 200;
const COLD_RUNS = 15;

const { values } = parseArgs({ options: { events: { type: "string", default: "100000" } } });
const wanted = Number(values.events);
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "hw-bench-replay-"));
const project = path.join(scratch, "project");
const env = { PATH: process.env.PATH, HOME: scratch, HOOKWRIGHT_HOME: path.join(scratch, "home") };
fs.mkdirSync(path.join(project, ".git"), { recursive: true });
try {
  const cold = record();
  const events = multiply(wanted);
  const { seconds, samples, summary } = await replay();
  const coldMs = median(cold);
  const eachMs = (seconds * 1000) / events;
  const third = Math.ceil(samples.length / 3);
  const [first, last] = [Math.max(...samples.slice(0, third)), Math.max(...samples.slice(-third))];
  const { replayed, newlyDenied, newlyAsked, newlyAllowed, changedContext } = summary;
  const isSame = replayed === events && newlyDenied + newlyAsked + newlyAllowed + changedContext === 0;
  const speed = coldMs / eachMs;
  const result = {
    events,
    coldMs: round(coldMs),
    eachMs: round(eachMs),
    timesAsFast: Math.round(speed),
    eventsPerSecond: Math.round(events / seconds),
    memoryMB: { firstThird: round(first), lastThird: round(last), highest: round(Math.max(...samples)) },
    same: isSame,
  };
  console.log(JSON.stringify(result));
  if (!isSame || speed < LEAST_SPEED || last > first * MOST_GROWTH) process.exitCode = 1;
} finally {
  fs.rmSync(scratch, { recursive: true, force: true });
}

/** A session of commands, each decided by a hook of its own. Returns how long those took. */
function record() {
  const lines = [
    "ls -la src",
    "npm test && git status",
    "grep -rn TODO . | wc -l",
    "rm -rf src",
    "git push --force origin main",
  ];
  const session = { session_id: "bench-session", cwd: project };
  const times = [hook({ ...session, hook_event_name: "SessionStart", source: "startup" })];
  for (let call = 0; call < COLD_RUNS; call++) {
    const about = {
      tool_name: "Bash",
      tool_use_id: `toolu_${call}`,
      tool_input: { command: lines[call % lines.length] },
    };
    times.push(hook({ ...session, hook_event_name: "PreToolUse", ...about }));
  }
  return times;
}

function hook(payload) {
  const began = performance.now();
  const args = [path.join(ROOT, "dist", "hook.cjs"), "--no-daemon", "--reply", "json"];
  execFileSync(process.execPath, args, { env, cwd: project, input: JSON.stringify(payload) });
  return performance.now() - began;
}

/** The same session again and again under other names, until the journal has so many events. */
function multiply(events) {
  const builtin = process.getBuiltinModule?.("node:sqlite");
  const Database = builtin?.DatabaseSync ?? createRequire(import.meta.url)("libsql");
  const db = new Database(path.join(env.HOOKWRIGHT_HOME, "state.db"));
  const columns = db.prepare("SELECT name FROM pragma_table_info('journal') WHERE name <> 'id'").all();
  const values = columns.map(({ name }) => {
    if (name === "session" || name === "key") return `${name} || '-' || ?1`;
    return name === "body" ? "replace(body, 'bench-session', 'bench-session-' || ?1)" : name;
  });
  const names = columns.map(({ name }) => name).join(", ");
  const copy = db.prepare(
    `INSERT INTO journal (${names}) SELECT ${values.join(", ")} FROM journal WHERE session = 'bench-session' ORDER BY id`,
  );
  const each = COLD_RUNS + 1;
  const copies = Math.max(0, Math.ceil(events / each) - 1);
  db.exec("BEGIN");
  for (let number = 1; number <= copies; number++) copy.run(String(number));
  db.exec("COMMIT");
  db.close();
  return each * (copies + 1);
}

async function replay() {
  const began = performance.now();
  const child = spawn(process.execPath, [HOOKWRIGHT, "replay", "--json"], { env, cwd: project });
  let printed = "";
  child.stdout.on("data", (text) => {
    printed += text;
  });
  const samples = [];
  const timer = setInterval(() => {
    const found = /VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${child.pid}/status`, "utf8"));
    if (found) samples.push(Number(found[1]) / 1024);
  }, SAMPLE_MS);
  const code = await new Promise((resolve) => child.on("exit", resolve));
  clearInterval(timer);
  if (code !== 0) throw new Error(`the replay ended with ${code}`);
  const summary = JSON.parse(printed.trim().split("\n").at(-1));
  return { seconds: (performance.now() - began) / 1000, samples, summary };
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

function round(number) {
  return Math.round(number * 100) / 100;
}
