// Bundled beside an installed client and run by the Node under test: decides events in a process that stays, as the
// daemon does, and prints how long each took. The request comes as JSON on standard input.
import fs from "node:fs";
import { createEngine } from "../src/engine/engine.ts";
import { system } from "../src/engine/system.ts";
import { Database } from "../src/state/database.ts";

const request = JSON.parse(fs.readFileSync(0, "utf8"));
if (request.task === "count") write({ rows: journalRows() });
else measure().then(write);

function journalRows() {
  const db = new Database(request.database, 1000);
  const rows = Number(db.get("SELECT count(*) AS rows FROM journal")?.rows);
  db.close();
  return rows;
}

async function measure() {
  const engine = createEngine({
    home: request.home,
    build: "bench",
    ports: system,
    busyMs: () => 50,
    compileConfig() {
      throw new Error("the bench has no configuration to compile");
    },
  });
  const times = {};
  for (const [name, text] of Object.entries(request.events)) times[name] = await loop(engine, name, text);
  engine.close();
  return times;
}

async function loop(engine, name, text) {
  const times = [];
  for (let i = 0; i < request.warmUp + request.runs; i++) {
    const frame = frameOf(text.replace(request.number, String(i).padStart(request.number.length, "0")), `${name}${i}`);
    const before = process.hrtime.bigint();
    const reply = await engine.decide(frame);
    const took = Number(process.hrtime.bigint() - before) / 1e6;
    if (reply.stdout.includes('"deny"') !== (name === "deny") || reply.stderr !== "") {
      throw new Error(`${name} was answered with ${JSON.stringify(reply)}`);
    }
    if (i >= request.warmUp) times.push(took);
  }
  return times;
}

function frameOf(text, nonce) {
  const deadline = Date.now() + 4000;
  const { args, cwd, env, home } = request;
  return { nonce, build: "bench", home, deadline, cwd, ppid: 1, cut: "", args, env, body: Buffer.from(text) };
}

function write(result) {
  process.stdout.write(JSON.stringify(result));
}
