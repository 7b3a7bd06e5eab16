// Bundled beside an installed client and run by the Node under test: decides events in a process that stays, as the
// daemon does, and prints how long each took. The request comes as JSON on standard input.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { decodeFrame, encodeFrame } from "../src/core/frame.ts";
import { warmUp } from "../src/daemon/warm-up.ts";
import { BESIDE } from "../src/engine/chunks.ts";
import { createEngine } from "../src/engine/engine.ts";
import { Database } from "../src/state/database.ts";
import { system } from "../src/system/system.ts";

const TASKS = { count, measure, pace, snapshot, fill };
const request = JSON.parse(fs.readFileSync(0, "utf8"));
Promise.resolve(TASKS[request.task]()).then((result) => process.stdout.write(JSON.stringify(result)));

function count() {
  const db = new Database(path.join(request.home, "state.db"), 1000);
  const rows = Number(db.get("SELECT count(*) AS rows FROM journal")?.rows);
  db.close();
  return { rows };
}

/** Milliseconds by engine and event. Several engines take turns event by event, so a busy moment hits all of them. */
async function measure() {
  const engines = request.engines.map(({ home, args }) => ({ home, args, engine: openEngine(home), times: {} }));
  for (const one of engines) await decide(one, "guard", request.guard, 0);
  for (const [name, text] of Object.entries(request.events)) {
    for (const one of engines) one.times[name] = [];
    for (let i = 0; i < request.warmUp + request.runs; i++) {
      const inTurn = i % 2 === 0 ? engines : engines.toReversed();
      for (const [turn, one] of inTurn.entries()) {
        // A number of its own: what one engine has just read the next would not have to read again.
        const took = await decide(one, name, text, i * engines.length + turn);
        if (i >= request.warmUp) one.times[name].push(took);
      }
    }
  }
  for (const { engine } of engines) engine.close();
  return engines.map(({ times }) => times);
}

/**
 * Milliseconds by event, one event of the mix every `gap` milliseconds: between two of them everything cools down. All
 * that is warm before is what the daemon warms up by itself.
 */
async function pace() {
  const { engines, mix, events, gap, seconds } = request;
  const [{ home, args }] = engines;
  const one = { home, args, engine: openEngine(home) };
  await decide(one, "guard", request.guard, 0);
  await warmUp(optionsFor(home), () => 0);
  const times = [];
  let announced = request.call;
  const started = process.hrtime.bigint();
  for (let i = 0; i < (seconds * 1000) / gap; i++) {
    const due = i * gap - Number(process.hrtime.bigint() - started) / 1e6;
    if (due > 0) await new Promise((resolve) => setTimeout(resolve, due));
    const name = mix[i % mix.length];
    // As an agent does it: what is reported is the call that was announced before.
    const text = events[name].replaceAll(request.call, announced);
    times.push({ name, took: await decide(one, name, text, i) });
    if (name !== "after") announced = JSON.parse(numbered(text, i)).tool_use_id;
  }
  one.engine.close();
  return times;
}

function openEngine(home) {
  return createEngine(optionsFor(home));
}

function optionsFor(home) {
  return {
    home,
    build: "bench",
    ports: system,
    busyMs: () => 50,
    isResident: true,
    onJobs: () => undefined,
    ...BESIDE,
    policyWorker: path.join(__dirname, "outside-worker.cjs"),
  };
}

async function decide({ engine, home, args }, name, text, number) {
  const frame = frameOf(
    home,
    [...args, "--event", name === "after" ? "PostToolUse" : "PreToolUse"],
    name,
    text,
    number,
  );
  const { reply, took } = await timed(engine, frame);
  // A note is no failure: the first edit of a session gets one.
  const isDeny = reply.stdout.includes('"deny"');
  if (isDeny !== (name === "deny") || reply.stdout.includes('"ask"') || reply.stderr !== "") {
    throw new Error(`${name} was answered with ${JSON.stringify(reply)}`);
  }
  return took;
}

function frameOf(home, args, name, text, number) {
  const frame = {
    nonce: `${name}${number}`,
    build: "bench",
    home,
    deadline: Date.now() + 4000,
    cwd: request.cwd,
    ppid: 1,
    cut: "",
    args,
    env: request.env,
    body: Buffer.from(numbered(text, number)),
  };
  return decodeFrame(encodeFrame(frame));
}

function numbered(text, number) {
  return text.replaceAll(request.number, String(number).padStart(request.number.length, "0"));
}

async function timed(engine, frame) {
  const before = process.hrtime.bigint();
  const reply = await engine.decide(frame);
  return { reply, took: Number(process.hrtime.bigint() - before) / 1e6 };
}

/** Milliseconds of each loss, and of git looking at the same files just before it. */
async function snapshot() {
  const engine = openEngine(request.home);
  const times = {};
  let number = 0;
  for (const [name, text] of Object.entries(request.events)) {
    times[name] = { status: [], whole: [] };
    // The first of each is not counted: its code is loaded then.
    for (let i = -1; i < request.runs; i++) {
      const before = process.hrtime.bigint();
      spawnSync("git", ["status", "--porcelain", "-uall"], { cwd: request.cwd, env: request.env });
      const status = Number(process.hrtime.bigint() - before) / 1e6;
      const frame = frameOf(request.home, [...request.args, "--event", "PreToolUse"], name, text, number++);
      const { reply, took } = await timed(engine, frame);
      if (!reply.stdout.includes("hookwright undo")) throw new Error(`${name} was answered with ${reply.stdout}`);
      if (i < 0) continue;
      times[name].status.push(status);
      times[name].whole.push(took);
    }
  }
  engine.close();
  return times;
}

/** Copies of rows that the engine has written itself, with calls and sessions of their own. */
function fill() {
  const file = path.join(request.home, "state.db");
  const db = new Database(file, 1000);
  const columns = db.all("SELECT name FROM pragma_table_info('journal') WHERE name <> 'id'").map((row) => row.name);
  const own = {
    at: `sample.at - (${request.rows} - n.i) * 1000`,
    session: "printf('%08x-8a53-4f1b-9f2c-2f6f0a7c1b11', n.i / 500)",
    tool_use_id: "'toolu_' || lower(hex(randomblob(12)))",
  };
  const values = columns.map((name) => own[name] ?? `sample.${name}`);
  // Without a log and a flush: only the filled table is wanted, not what filling it would cost.
  db.exec("PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF; PRAGMA cache_size = -500000; BEGIN");
  db.exec("CREATE TEMP TABLE sample AS SELECT row_number() OVER (ORDER BY id) - 1 AS number, * FROM journal");
  const samples = Number(db.get("SELECT count(*) AS samples FROM sample")?.samples);
  db.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${request.rows})
    INSERT INTO journal (${columns.join(", ")})
    SELECT ${values.join(", ")} FROM n JOIN sample ON sample.number = n.i % ${samples}`);
  db.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${request.rows} / 500)
    INSERT INTO sessions (agent, session, via, project, first_at, last_at, events, tool_calls)
    SELECT agent, printf('%08x-8a53-4f1b-9f2c-2f6f0a7c1b11', n.i), via, project, first_at, last_at, 500, 250
    FROM n JOIN (SELECT * FROM sessions LIMIT 1)`);
  db.exec("DROP TABLE sample; COMMIT; PRAGMA journal_mode = WAL");
  db.close();
  return { megabytes: Math.round(fs.statSync(file).size / 2 ** 20) };
}
