// Started by trace-event.mjs in a process of its own: one event to prepare the home, then the traced one.
const fs = require("node:fs");
const path = require("node:path");

const { bundle, functions, frames, output } = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
const fileAtLine = [];
let current = "";
for (const line of fs.readFileSync(bundle, "utf8").split("\n")) {
  current = /^ *\/\/ (src\/\S+\.ts|node_modules\/\S+|<stdin>)$/.exec(line)?.[1] ?? current;
  fileAtLine.push(current);
}

let isOn = false;
const order = [];
const calls = new Map();
const edges = new Map();
/** esbuild names the function that initialises a module after its file. */
const MODULE_START = /(^|\.)(src|node_modules)\/\S+$/;

Error.stackTraceLimit = Number.POSITIVE_INFINITY;
const formatted = Error.prepareStackTrace;
const places = (_, sites) => sites.filter((site) => site.getFileName() === bundle);

function stack() {
  const holder = {};
  Error.prepareStackTrace = places;
  Error.captureStackTrace(holder, globalThis.__entered);
  const sites = holder.stack;
  Error.prepareStackTrace = formatted;
  return sites;
}

/** esbuild puts a number behind a name that stands in several files. */
const nameOf = (site) => site.getFunctionName()?.replace(/\d+$/, "") ?? "(callback)";

globalThis.__entered = (number) => {
  if (!isOn) return;
  const [, ...callers] = stack();
  if (callers.some((site) => MODULE_START.test(site.getFunctionName() ?? ""))) return;
  if (!calls.has(number)) order.push(number);
  calls.set(number, (calls.get(number) ?? 0) + 1);
  // Nobody called a function that the event loop started; those that wait for it are marked as asynchronous.
  const [caller] = callers;
  if (!caller || caller.isAsync()) return;
  const from = fileAtLine[caller.getLineNumber() - 1];
  const key = `${from}\0${nameOf(caller)}\0${number}`;
  edges.set(key, (edges.get(key) ?? 0) + 1);
};

async function main() {
  for (const [at, frame] of frames.entries()) {
    delete require.cache[bundle];
    isOn = false;
    const engine = require(bundle);
    const bytes = engine.encodeFrame({ ...frame, body: Buffer.from(frame.body), deadline: Date.now() + 60_000 });
    isOn = at === frames.length - 1;
    const reply = await engine.decideFrame(bytes);
    isOn = false;
    if (at < frames.length - 1) continue;
    const text = JSON.stringify({
      reply,
      functions: order.map((number) => ({ ...functions[number], calls: calls.get(number) })),
      edges: [...edges].map(([key, count]) => {
        const [from, caller, number] = key.split("\0");
        return { from, caller, ...functions[number], count };
      }),
    });
    fs.writeFileSync(path.resolve(output), text);
  }
  process.exit(0);
}

main();
