// A place to measure in: a person, a project, two homes with an installed client each, and a daemon for one of them.
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import net from "node:net";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const HERE = path.dirname(fileURLToPath(import.meta.url));
const PRODUCT = fileURLToPath(new URL("./product.mjs", import.meta.url));
const RESIDENT = fileURLToPath(new URL("./resident.mjs", import.meta.url));
const COMPILERS = ["cc", "gcc", "clang"];
export const ROOT = path.dirname(HERE);
const DAEMON_START_MS = 10_000;

export function makeScratch(node) {
  // Not os.tmpdir(), whose path may be too long for a socket.
  const root = fs.mkdtempSync("/tmp/hw-bench-");
  const at = (name) => path.join(root, name);
  for (const name of ["person", "person/.claude", "project", "project/.git", "run", "warm", "cold", "resident"]) {
    fs.mkdirSync(at(name), { mode: 0o700 });
  }
  fs.writeFileSync(at("person/.claude/settings.json"), "{}\n");
  const env = {
    PATH: process.env.PATH ?? "/usr/bin:/bin",
    HOME: at("person"),
    LANG: "C.UTF-8",
    XDG_RUNTIME_DIR: at("run"),
    HOOKWRIGHT_HOME: at("warm"),
  };
  return { root, at, env, node, project: at("project"), person: at("person") };
}

/** The installer's own function lays out both homes, so that what is measured is what people run. */
export async function installClients(scratch, hasSqlite) {
  const file = scratch.at("product.mjs");
  await bundle(PRODUCT, file, "esm");
  const { prepareVersionFolder, PROFILES } = await import(pathToFileURL(file).href);
  const install = (home) => {
    const versions = path.join(scratch.at(home), "versions");
    const source = { packageRoot: ROOT, versions, env: process.env, node: scratch.node, hasSqlite };
    const { directory, client, notes } = prepareVersionFolder(source);
    if (client.kind !== "c") throw new Error(`there is no compiled client to measure: ${notes.join(" ")}`);
    return directory;
  };
  return { warm: install("warm"), cold: install("cold"), profiles: PROFILES };
}

export async function startDaemon(scratch, directory) {
  const { socketPathFor, homeFor } = createRequire(import.meta.url)(path.join(directory, "hook.cjs"));
  const socket = socketPathFor(homeFor(directory), undefined, scratch.env);
  const options = { cwd: "/", env: scratch.env, stdio: ["ignore", "ignore", "inherit"] };
  const daemon = spawn(scratch.node, [path.join(directory, "daemon.cjs")], options);
  for (const end = Date.now() + DAEMON_START_MS; !(await listens(socket)); ) {
    if (Date.now() > end || daemon.exitCode !== null) {
      daemon.kill();
      throw new Error(`the daemon does not listen on ${socket}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return daemon;
}

function listens(socket) {
  return new Promise((resolve) => {
    const connection = net.connect(socket);
    connection.once("connect", () => connection.destroy());
    connection.once("error", () => resolve(false));
    connection.once("close", () => resolve(true));
  });
}

/** How many events the daemon has answered; a client that decided by itself is not among them. */
export function daemonEvents(scratch, directory) {
  const args = ["--control", "status"];
  const asked = spawnSync(path.join(directory, "hook"), args, { env: scratch.env, input: "", encoding: "utf8" });
  return JSON.parse(asked.stdout).events;
}

export async function stopDaemon(daemon) {
  if (daemon.exitCode !== null || daemon.signalCode !== null) return;
  const gone = new Promise((resolve) => daemon.once("exit", resolve));
  daemon.kill("SIGTERM");
  const force = setTimeout(() => daemon.kill("SIGKILL"), 5000);
  await gone;
  clearTimeout(force);
}

/** Runs the resident program with the Node under test, beside a client, so that it finds the same SQLite. */
export async function runResident(scratch, directory, request) {
  const file = path.join(directory, "resident.cjs");
  if (!fs.existsSync(file)) await bundle(RESIDENT, file, "cjs");
  const options = { env: scratch.env, input: JSON.stringify(request), encoding: "utf8", maxBuffer: 1 << 28 };
  const ran = spawnSync(scratch.node, [file], options);
  if (ran.status !== 0) throw new Error(`the resident engine failed: ${ran.stderr || ran.error?.message}`);
  return JSON.parse(ran.stdout);
}

export function compileSpawner(scratch) {
  const output = scratch.at("spawn");
  const flags = ["-O2", "-std=gnu11", "-o", output, path.join(HERE, "spawn.c")];
  const failures = [];
  for (const compiler of COMPILERS) {
    const made = spawnSync(compiler, flags, { encoding: "utf8" });
    if (made.status === 0) return output;
    failures.push(made.error?.message ?? made.stderr);
  }
  throw new Error(`spawn.c needs a C compiler: ${failures.join("; ")}`);
}

function bundle(entry, outfile, format) {
  return build({
    bundle: true,
    platform: "node",
    target: "node20",
    logLevel: "error",
    absWorkingDir: HERE,
    entryPoints: [entry],
    outfile,
    format,
    external: ["libsql"],
    define: format === "cjs" ? { "import.meta.url": "undefined" } : {},
    supported: format === "cjs" ? { "dynamic-import": false } : {},
  });
}
