// A place to measure in: a person, a project, and homes with an installed client and, where wanted, a daemon each.
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import net from "node:net";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const HERE = path.dirname(fileURLToPath(import.meta.url));
const COMPILERS = ["cc", "gcc", "clang"];
export const ROOT = path.dirname(HERE);
const DAEMON_START_MS = 10_000;
/** With which the client starts the daemon. */
const DAEMON_FLAGS = ["--max-semi-space-size=4"];

export function makeScratch(node) {
  // Not os.tmpdir(), whose path may be too long for a socket.
  const root = fs.mkdtempSync("/tmp/hw-bench-");
  const at = (name) => path.join(root, name);
  for (const name of ["person", "person/.claude", "project", "project/.git", "run"]) {
    fs.mkdirSync(at(name), { mode: 0o700 });
  }
  fs.writeFileSync(at("person/.claude/settings.json"), "{}\n");
  const env = {
    PATH: process.env.PATH ?? "/usr/bin:/bin",
    HOME: at("person"),
    LANG: "C.UTF-8",
    XDG_RUNTIME_DIR: at("run"),
  };
  return { root, at, env, node, project: at("project"), person: at("person"), processes: new Set() };
}

export async function removeScratch(scratch) {
  await Promise.all([...scratch.processes].map((one) => stop(scratch, one)));
  fs.rmSync(scratch.root, { recursive: true, force: true });
}

/** What the product exports for us. */
export async function loadProduct(scratch) {
  const file = scratch.at("product.mjs");
  await bundle("product.mjs", file, "esm");
  return import(pathToFileURL(file).href);
}

/**
 * The installer's own function lays out every home, so that what is measured is what people run.
 * @returns {{ home: string, directory: string }} `directory` is where the client lies
 */
export function install(scratch, { prepareVersionFolder }, hasSqlite, name) {
  const home = scratch.at(name);
  const source = { packageRoot: ROOT, versions: path.join(home, "versions"), env: process.env, node: scratch.node };
  const { directory, client, notes } = prepareVersionFolder({ ...source, hasSqlite });
  if (client.kind !== "c") throw new Error(`there is no compiled client to measure: ${notes.join(" ")}`);
  return { home, directory };
}

export async function startDaemon(scratch, { home, directory }) {
  const { socketPathFor, homeFor } = createRequire(import.meta.url)(path.join(directory, "hook.cjs"));
  const socket = socketPathFor(homeFor(directory), undefined, scratch.env);
  const env = { ...scratch.env, HOOKWRIGHT_HOME: home };
  const options = { cwd: "/", env, stdio: ["ignore", "ignore", "inherit"] };
  const daemon = startProcess(scratch, scratch.node, [...DAEMON_FLAGS, path.join(directory, "daemon.cjs")], options);
  for (const end = Date.now() + DAEMON_START_MS; !(await listens(socket)); await pause(20)) {
    if (Date.now() > end || daemon.exitCode !== null) throw new Error(`the daemon does not listen on ${socket}`);
  }
  return { daemon, socket };
}

function listens(socket) {
  return new Promise((resolve) => {
    const connection = net.connect(socket);
    connection.once("connect", () => connection.destroy());
    connection.once("error", () => resolve(false));
    connection.once("close", () => resolve(true));
  });
}

export function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Started now, and ended with the scratch place at the latest. */
export function startProcess(scratch, command, args, options) {
  const started = spawn(command, args, options);
  scratch.processes.add(started);
  return started;
}

export async function stop(scratch, started) {
  scratch.processes.delete(started);
  if (started.exitCode !== null || started.signalCode !== null) return;
  const gone = new Promise((resolve) => started.once("exit", resolve));
  started.kill("SIGTERM");
  const force = setTimeout(() => started.kill("SIGKILL"), 5000);
  await gone;
  clearTimeout(force);
}

/** How many events the daemon has answered; a client that decided by itself is not among them. */
export function daemonEvents(scratch, { directory }) {
  const args = ["--control", "status"];
  const asked = spawnSync(path.join(directory, "hook"), args, { env: scratch.env, input: "", encoding: "utf8" });
  return JSON.parse(asked.stdout).events;
}

/** Runs the resident program as a daemon is run, beside a client, so that it finds the same SQLite. */
export async function runResident(scratch, { directory }, request) {
  const file = path.join(directory, "resident.cjs");
  if (!fs.existsSync(file)) await bundle("resident.mjs", file, "cjs");
  const options = { env: scratch.env, input: JSON.stringify(request), encoding: "utf8", maxBuffer: 1 << 28 };
  const ran = spawnSync(scratch.node, [...DAEMON_FLAGS, file], options);
  if (ran.status !== 0) throw new Error(`the resident engine failed: ${ran.stderr || ran.error?.message}`);
  return JSON.parse(ran.stdout);
}

/** Compiles NAME.c beside this file, once. */
export function compile(scratch, name) {
  const output = scratch.at(`bin-${name}`);
  if (fs.existsSync(output)) return output;
  const flags = ["-O2", "-std=gnu11", "-o", output, path.join(HERE, `${name}.c`), "-lm"];
  const failures = [];
  for (const compiler of COMPILERS) {
    const made = spawnSync(compiler, flags, { encoding: "utf8" });
    if (made.status === 0) return output;
    failures.push(made.error?.message ?? made.stderr);
  }
  throw new Error(`${name}.c needs a C compiler: ${failures.join("; ")}`);
}

function bundle(entry, outfile, format) {
  return build({
    bundle: true,
    platform: "node",
    target: "node20",
    logLevel: "error",
    absWorkingDir: HERE,
    entryPoints: [path.join(HERE, entry)],
    outfile,
    format,
    external: ["libsql", "./config.cjs", "./patterns.cjs", "./toml.cjs"],
    define: format === "cjs" ? { "import.meta.url": "undefined" } : {},
    supported: format === "cjs" ? { "dynamic-import": false } : {},
  });
}
