// Measures which functions of the source one event enters, with the cold engine in a scratch project where all profiles
// are on: `node scripts/trace-event.mjs [--event pre-tool-use|stop] [--json] [--root DIR]`.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { buildChunks, buildInstrumented } from "./trace-event/instrument.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
const SHOWN = 10;
const PROFILES = ["safety", "ntm", "plan", "session", "teams", "omc"];

const EVENTS = {
  "session-start": { hook_event_name: "SessionStart", source: "startup" },
  "pre-tool-use": {
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command: "ls -la src" },
    tool_use_id: "toolu_1",
  },
  stop: { hook_event_name: "Stop", stop_hook_active: false },
};

/**
 * Returns the `functions` that were entered and their `files`, both in the order of the first call, and `switches`: for
 * every two files how often a function of the one called a function of the other. `total` and `withoutCallbacks`
 * are their sums. What runs while a module is initialised is not counted, nor what a function does after its answer.
 */
export async function traceEvent({ event = "pre-tool-use", root = path.dirname(here) } = {}) {
  if (!(event in EVENTS)) throw new Error(`no event ${event}: choose one of ${Object.keys(EVENTS).join(", ")}`);
  const scratch = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "hw-trace-")));
  try {
    return await traceIn(scratch, event, path.resolve(root));
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}

async function traceIn(scratch, event, root) {
  const [project, home, user] = ["project", "home", "user"].map((name) => path.join(scratch, name));
  for (const folder of [path.join(project, "src"), path.join(project, ".git"), home, user]) {
    fs.mkdirSync(folder, { recursive: true });
  }
  fs.writeFileSync(path.join(home, "config.yml"), JSON.stringify({ profiles: PROFILES }));
  fs.symlinkSync(path.join(root, "node_modules"), path.join(scratch, "node_modules"));
  const bundle = path.join(scratch, "engine.cjs");
  await buildChunks(root, scratch);
  const functions = await buildInstrumented(root, bundle);
  const frame = (name) => ({
    nonce: `trace-${name}`,
    build: "trace",
    home,
    cwd: project,
    ppid: process.pid,
    cut: "",
    args: [],
    env: { PATH: process.env.PATH ?? "", HOME: user },
    body: JSON.stringify({
      session_id: "trace",
      cwd: project,
      transcript_path: path.join(user, "t.jsonl"),
      ...EVENTS[name],
    }),
  });
  const output = path.join(scratch, "trace.json");
  const task = path.join(scratch, "task.json");
  fs.writeFileSync(task, JSON.stringify({ bundle, functions, frames: [frame("session-start"), frame(event)], output }));
  const run = spawnSync(process.execPath, [path.join(here, "trace-event/run.cjs"), task], {
    cwd: project,
    env: { PATH: process.env.PATH, HOME: user, TMPDIR: scratch },
    encoding: "utf8",
  });
  if (!fs.existsSync(output)) throw new Error(`the engine did not answer: ${run.stdout}${run.stderr}`);
  return summarised(JSON.parse(fs.readFileSync(output, "utf8")));
}

function summarised({ reply, functions, edges }) {
  const crossing = edges.filter(({ from, file }) => from !== file);
  const sum = (list) => list.reduce((total, { count }) => total + count, 0);
  const pairs = new Map();
  for (const { from, file: to, caller, name, count } of crossing) {
    const pair = pairs.get(`${from} ${to}`) ?? { from, to, count: 0, calls: [] };
    pair.count += count;
    pair.calls.push({ caller, callee: name, count });
    pairs.set(`${from} ${to}`, pair);
  }
  return {
    reply,
    functions,
    files: [...new Set(functions.map(({ file }) => file))],
    switches: [...pairs.values()].sort((a, b) => b.count - a.count),
    total: sum(crossing),
    withoutCallbacks: sum(crossing.filter(({ isCallback }) => !isCallback)),
  };
}

function report({ reply, functions, files, switches, total, withoutCallbacks }) {
  const lines = [
    `answer: exit ${reply.exit}, ${reply.stdout.length} bytes on stdout`,
    `${functions.length} functions entered, in ${files.length} files`,
    `${total} switches between files, ${withoutCallbacks} without callbacks, ${switches.length} different`,
    "",
    "most frequent switches:",
  ];
  for (const { from, to, count, calls } of switches.slice(0, SHOWN)) {
    const most = calls.sort((a, b) => b.count - a.count).slice(0, 3);
    lines.push(`${String(count).padStart(5)}  ${from} -> ${to}`);
    lines.push(`       ${most.map(({ caller, callee, count: of }) => `${caller} -> ${callee} (${of})`).join(", ")}`);
  }
  return `${[...lines, "", "files in the order of their first call:", ...files.map((file) => `  ${file}`)].join("\n")}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: { event: { type: "string" }, json: { type: "boolean" }, root: { type: "string" } },
  });
  const { json, ...options } = values;
  const trace = await traceEvent(options);
  process.stdout.write(json ? `${JSON.stringify(trace, null, 2)}\n` : report(trace));
}
