"use strict";
// The Node client: the twin of hook.c, and where both decide without a daemon. What slows its start is required late.
const [fs, path] = [require("node:fs"), require("node:path")];

const BUILD = "__HW_BUILD__";
const [CAP, BUDGET_MS, COLD_RESERVE_MS, RECENT_MS, WAITING] = [64 * 1024 * 1024, 4000, 300, 10_000, 255];
const DAEMON_ENV = ["PATH", "HOME", "XDG_RUNTIME_DIR", "TMPDIR", "LANG"];
const CALLS = ["PreToolUse", "preToolUse", "BeforeTool", "tool.execute.before", "tool_call"]; // as event-name.h
const FAILURES = { ENOENT: "absent", ECONNREFUSED: "absent", EPIPE: "broken", ECONNRESET: "broken" };
const DIR = path.dirname(fs.realpathSync.native(__filename));

/** What `work` returns; where it throws, `otherwise`, or without that the error, for the caller to judge. */
function attempt(work, ...otherwise) {
  try {
    return work();
  } catch (error) {
    return otherwise.length > 0 ? otherwise[0] : error;
  }
}

const hasPair = (args, name, value) => args.some((arg, at) => arg === name && args[at + 1] === value);
const textBeside = (name) => attempt(() => fs.readFileSync(path.join(DIR, name), "utf8"), "");

/** An installed client uses the home that it is installed in, whatever the environment says. */
function homeFor(dir = DIR, env = process.env) {
  const owner = path.resolve(dir, "../..");
  if (path.basename(path.dirname(dir)) === "versions" && owner !== "/") return owner;
  const user = () => (env.HOME?.startsWith("/") ? env.HOME : require("node:os").userInfo().homedir);
  const named = env.HOOKWRIGHT_HOME?.startsWith("/") ? env.HOOKWRIGHT_HOME : `${user()}/.local/share/hookwright`;
  const home = named.replace(/(?<=.)\/+$/, "");
  return attempt(() => fs.realpathSync.native(home), home); // however it is spelt, a home has one name
}

/** Where the daemon of this build and home listens; undefined when the path does not fit a socket address. */
function socketPathFor(home, build = BUILD, env = process.env) {
  let hash = 0x9ce484222325n; // FNV-1a, whose low 48 bits need no more than the low 48 bits of each step
  for (const byte of Buffer.from(`${build}\n${home}`)) {
    hash = BigInt.asUintN(48, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  const base = env.XDG_RUNTIME_DIR?.startsWith("/") ? env.XDG_RUNTIME_DIR : "/tmp";
  const file = `${base}/hookwright-${process.getuid()}/${hash.toString(16).padStart(12, "0")}.sock`;
  // Node would cut a longer one without a word and talk to another socket.
  return Buffer.byteLength(file) <= (process.platform === "darwin" ? 103 : 107) ? file : undefined;
}

function isRecent(stamp) {
  const age = Date.now() - (fs.lstatSync(stamp, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  return age > -1000 && age < RECENT_MS; // one from the future is not
}

/** "ours": private. "absent": missing. "foreign": of another user, or open to others, so it is not used. */
function checkRunDir(dir) {
  const found = attempt(() => fs.lstatSync(dir));
  if (found instanceof Error) return found.code === "ENOENT" ? "absent" : "foreign";
  return found.isDirectory() && found.uid === process.getuid() && (found.mode & 0o77) === 0 ? "ours" : "foreign";
}

function nonce() {
  const bytes = Buffer.alloc(16);
  const got = attempt(() => fs.readSync(fs.openSync("/dev/urandom", "r"), bytes), 0); // much cheaper than node:crypto
  return (got === bytes.length ? bytes : require("node:crypto").randomBytes(16)).toString("hex");
}

/** The variables that env.list names by lines NAME, PREFIX*, !NAME; an exclusion wins. */
function listedNames(list, env) {
  const rules = list.split(/[\r\n]+/).filter((line) => line !== "" && !line.startsWith("#"));
  const fits = (name, rule) => name === rule || (rule.endsWith("*") && name.startsWith(rule.slice(0, -1)));
  const barred = (name) => rules.some((rule) => rule.startsWith("!") && fits(name, rule.slice(1)));
  return Object.keys(env).filter((name) => rules.some((rule) => fits(name, rule)) && !barred(name));
}

function makeFrame(args, home, deadline, { body, cut }, { id = nonce(), agentPid = process.ppid } = {}) {
  const fields = [`nonce=${id}`, `build=${BUILD}`, `home=${home}`, `deadline=${deadline}`];
  fields.push(`cwd=${attempt(process.cwd, "")}`, `ppid=${agentPid}`); // empty when the directory is gone
  fields.push("waits=1", ...(cut ? [`cut=${cut}`] : []), ...args.map((arg) => `arg=${arg}`));
  for (const name of listedNames(textBeside("env.list"), process.env)) fields.push(`env.${name}=${process.env[name]}`);
  const header = Buffer.from(`HW01....${fields.join("\0")}\0....`);
  header.writeUInt32LE(header.length - 12, 4);
  header.writeUInt32LE(body.length, header.length - 4);
  return Buffer.concat([header, body]);
}

function readToEnd(fd) {
  const chunks = [];
  for (let length = 0; length <= 2 * CAP; length += chunks.at(-1).length) {
    const chunk = Buffer.allocUnsafe(Math.max(65536, length));
    const got = attempt(() => fs.readSync(fd, chunk, 0, chunk.length, null), 0);
    if (got === 0) break; // unreadable counts as ended: judging what is missing is the engine's work
    chunks.push(chunk.subarray(0, got));
  }
  return Buffer.concat(chunks);
}

/** Standard input as { body, cut }, read no longer than `until`: a pipe may never close. */
function readInput(until) {
  const capped = (body, cut) => (body.length > CAP ? { body: Buffer.alloc(0), cut: "too-large" } : { body, cut });
  const kind = attempt(() => fs.fstatSync(0)); // an error, which has none of these methods, when it is closed
  const pipe = kind.isFIFO?.() || kind.isSocket?.();
  if (!pipe && !(kind.isCharacterDevice?.() && process.stdin.isTTY)) return capped(readToEnd(0));
  return new Promise((resolve) => {
    // Not fs.read, whose thread, blocked on the pipe, would keep the process from leaving.
    const stream = pipe ? new (require("node:net").Socket)({ fd: 0, readable: true, writable: false }) : process.stdin;
    const chunks = [];
    let length = 0;
    const done = (cut) => {
      clearTimeout(timer);
      stream.pause();
      resolve(capped(Buffer.concat(chunks), cut));
    };
    const timer = setTimeout(done, Math.max(0, until - Date.now()), "timeout");
    stream.on("data", (chunk) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length > CAP) done();
    });
    for (const event of ["end", "error"]) stream.on(event, () => done());
  });
}

/** The answer, or how many bytes are missing, as far as can be told yet; 0 for nonsense. */
function parseReply(bytes) {
  const out = 5 + (bytes.length < 5 ? 0 : bytes.readUInt32LE(1));
  const err = out + 4 + (bytes.length < out + 4 ? 0 : bytes.readUInt32LE(out));
  if (out - 5 > CAP || err - out - 4 > CAP) return 0;
  if (bytes.length < err) return err - bytes.length;
  return { exit: bytes[0], stdout: bytes.subarray(5, out), stderr: bytes.subarray(out + 4, err) };
}

/** One connection: the answer, or "broken" (worth a second try), "absent" (nobody listens), "silent" or "late". */
function exchange(file, frame, until) {
  return new Promise((resolve) => {
    const socket = require("node:net").connect({ path: file });
    let [chunks, want, mute] = [[], 9]; // `mute`: the answer when a person who is waited for gives none
    const done = (result) => {
      resolve(mute && typeof result !== "object" ? mute : result);
      if (typeof result === "object") return; // the process ends now, faster than a socket can be closed
      clearTimeout(timer);
      socket.destroy();
    };
    const timer = setTimeout(() => mute || done("silent"), Math.max(0, until - Date.now()));
    socket.on("data", (chunk) => {
      chunks.push(chunk);
      want -= chunk.length;
      if (want > 0) return;
      chunks = [Buffer.concat(chunks)];
      want = parseReply(chunks[0]);
      if (want.exit === WAITING) {
        setTimeout(done, Number(want.stdout), "silent");
        [mute, want, chunks] = [{ exit: 0, stdout: "", stderr: "" }, 9, [chunks[0].subarray(9 + want.stdout.length)]];
        socket.emit("data", chunks.pop());
      } else if (want === 0 || typeof want === "object") done(want || "broken");
    });
    socket.on("end", () => done("broken"));
    socket.on("error", ({ code }) => done(FAILURES[code] ?? "late"));
    socket.write(frame);
  });
}

async function askDaemon(file, frame, until) {
  const place = Date.now() < until ? checkRunDir(path.dirname(file)) : "late";
  const slow = `${file.slice(0, -5)}.slow`;
  if (place !== "ours" || isRecent(slow)) return place === "ours" ? "late" : place;
  let said = await exchange(file, frame, until);
  if (said === "broken") said = await exchange(file, frame, until);
  if (said === "silent") attempt(() => fs.writeFileSync(slow, "", { mode: 0o600 })); // lest everybody waits as long
  return said;
}

/** Detached, with nothing of the agent's. The marker file `starting` keeps many clients from starting many daemons. */
function startDaemon(file, home) {
  const [runDir, stamp] = [path.dirname(file), `${file.slice(0, -5)}.starting`];
  if (checkRunDir(runDir) === "absent") fs.mkdirSync(runDir, 0o700);
  if (checkRunDir(runDir) !== "ours") return;
  const mark = () => fs.closeSync(fs.openSync(stamp, "wx", 0o600));
  const taken = attempt(mark);
  if (taken && isRecent(stamp)) return;
  if (taken) mark(fs.unlinkSync(stamp));
  const env = { HOOKWRIGHT_HOME: home };
  for (const name of DAEMON_ENV) if (name in process.env) env[name] = process.env[name];
  const node = textBeside("node.path").split(/[\r\n]/)[0] || process.execPath;
  const words = ["--max-semi-space-size=4", path.join(DIR, "daemon.cjs")]; // holds 20 MB less, and is no slower
  const child = require("node:child_process").spawn(node, words, { cwd: "/", detached: true, env, stdio: "ignore" });
  child.once("error", () => attempt(() => fs.unlinkSync(stamp))).unref(); // without a listener an agent's process would end
}

/** Loads the engine, by V8's code cache if there is a valid one; `saveCache` is set if not and one can be written. */
function loadEngine(dir = DIR) {
  const filename = path.join(dir, "engine.cjs");
  const cache = path.join(dir, `engine-${process.version}-${process.arch}.cache`);
  // V8 compares no more than the length of the source, so it is not shown a cache older than the bundle.
  const isUsable = () => fs.statSync(cache).mtimeMs >= fs.statSync(filename).mtimeMs;
  const cachedData = attempt(() => (isUsable() ? fs.readFileSync(cache) : undefined), undefined);
  const source = fs.readFileSync(filename, "latin1"); // it is all ASCII, and read in half the time as that
  const [module, { Script }] = [{ exports: {} }, require("node:vm")];
  const script = new Script(source, { filename, cachedData }); // one function, with the parameters of a module
  script.runInThisContext().call(module.exports, module.exports, require, module, filename, dir);
  const valid = cachedData !== undefined && !script.cachedDataRejected;
  if (valid || attempt(() => fs.accessSync(dir, fs.constants.W_OK))) return { engine: module.exports };
  const saveCache = async (frame) => {
    // The cache holds what has run: usual events, not one and not everything.
    await Promise.allSettled([module.exports.rehearseFor?.(frame)]);
    const draft = `${cache}.${process.pid}`;
    const failed = attempt(() => fs.writeFileSync(draft, script.createCachedData(), { mode: 0o600 }));
    failed ? fs.rmSync(draft, { force: true }) : fs.renameSync(draft, cache);
  };
  return { engine: module.exports, saveCache };
}

/** Decides in this process. What can wait until the agent has its answer is put into `after`. */
function decideHere(frame, deadline, after) {
  return new Promise((resolve, reject) => {
    process.once("uncaughtException", reject);
    const { engine, saveCache } = loadEngine();
    for (const work of [engine.afterReply, saveCache]) after.push(() => work?.(frame));
    // An engine that never settled would end this process in silence, and agents take silence for a yes.
    setTimeout(() => reject(new Error("no answer in time")), Math.max(500, deadline - Date.now()));
    const check = (answer) => (Number.isInteger(answer?.exit) ? resolve(answer) : reject(new Error("no exit code")));
    engine.decideFrame(frame).then(check, reject);
  });
}

/** As event-name.h: an event that cannot be recognised counts as a tool call. A cut body is searched for its words. */
function isToolCall(args, frame) {
  const isNamed = args.includes("--event");
  if (!frame || frame.includes("\0cut=too-large\0")) return !isNamed && args[0] !== "--cold-frame";
  const text = frame.toString("utf8", 12 + frame.readUInt32LE(4));
  const holds = (word) => text.includes(`"${word}"`);
  const event = attempt(() => JSON.parse(text), undefined);
  if (event === undefined) return CALLS.some(holds) || (!isNamed && holds("tool_name") && !holds("hook_event_name"));
  const { hook_event_name: name, tool_name: tool } = event ?? {};
  return CALLS.includes(name) || (!isNamed && typeof name !== "string" && tool !== undefined);
}

/** No process could decide: a tool call is denied, every other event passes with a message on stderr. */
function answerAlone(args, frame, error) {
  const deny = CALLS.some((name) => hasPair(args, "--event", name)) || isToolCall(args, frame);
  const so = deny ? "call was stopped for safety" : "event passed unchecked";
  const why = String(error?.message ?? error).replace(/[^ -~]|["\\]/g, "?");
  const text = `Hookwright could not run its engine (${why}), so this ${so}. Run: hookwright doctor`;
  const ruling = { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: text };
  const isJson = deny && !args.includes("--agent"); // Claude Code; others would read JSON and not the exit code
  const stdout = isJson ? `${JSON.stringify({ hookSpecificOutput: ruling })}\n` : "";
  return { exit: deny && !(isJson && hasPair(args, "--reply", "json")) ? 2 : 0, stdout, stderr: `${text}\n` };
}

/** What the compiled client left on standard input, with the home it could not find out. */
function passedFrame() {
  const frame = readToEnd(0);
  if (frame.toString("latin1", 0, 4) !== "HW01") throw new Error("the compiled client passed no frame");
  const end = 8 + frame.readUInt32LE(4);
  const fields = frame.toString("utf8", 8, end).split("\0");
  const args = fields.filter((field) => field.startsWith("arg=")).map((field) => field.slice(4));
  const deadline = Number(fields.find((field) => field.startsWith("deadline="))?.slice(9));
  if (!fields.includes("home=")) return { frame, args, deadline };
  const at = frame.indexOf("home=\0") + 5;
  const whole = Buffer.concat([frame.subarray(0, at), Buffer.from(homeFor()), frame.subarray(at)]);
  whole.writeUInt32LE(end - 8 + whole.length - frame.length, 4);
  return { frame: whole, args, deadline };
}

function writeAll(fd, data) {
  const bytes = Buffer.from(data);
  for (let at = 0; at < bytes.length; ) {
    const put = attempt(() => fs.writeSync(fd, bytes, at));
    if (typeof put === "number") at += put;
    else if (put.code === "EAGAIN") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    else return; // nobody reads: the exit code still counts
  }
}

/** Answers one event: writes the answer and ends the process with its exit code. */
async function main(args) {
  const [t0, after] = [Date.now(), []];
  let [known, answer, frame, deadline] = [args]; // `known` comes inside the frame when hook.c hands over
  try {
    if (args.length === 1 && args[0] === "--cold-frame") {
      ({ frame, args: known, deadline } = passedFrame());
      answer = await decideHere(frame, deadline, after);
    } else {
      const given = args.filter((arg, at) => args[at - 1] === "--deadline-ms" && /^\d+$/.test(arg)).map(Number);
      const budget = given.filter((ms) => ms >= 10 && ms <= 600_000).at(-1) ?? BUDGET_MS;
      const home = homeFor();
      const file = args.includes("--no-daemon") ? undefined : socketPathFor(home);
      frame = makeFrame(args, home, t0 + budget, await readInput(t0 + (budget * 3) / 4));
      const until = Math.min(Date.now() + budget / 4, t0 + budget - COLD_RESERVE_MS);
      const said = file ? await askDaemon(file, frame, until) : "late";
      if (said === "absent") after.push(() => startDaemon(file, home));
      answer = typeof said === "object" ? said : await decideHere(frame, t0 + budget, after);
    }
  } catch (error) {
    answer = answerAlone(known, frame, error);
  }
  writeAll(1, answer.stdout);
  writeAll(2, answer.stderr);
  for (const work of after) await Promise.allSettled([attempt(work)]); // the agent has its answer; doctor finds the rest
  process.exit(answer.exit);
}

module.exports = { main, socketPathFor, homeFor, loadEngine, makeFrame, askDaemon, startDaemon, textBeside, DIR };
if (require.main === module) main(process.argv.slice(2));
