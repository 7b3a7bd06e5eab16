/**
 * Runs the end-to-end tests with real agent clients and without a network.
 *
 *   npm run e2e [-- vitest arguments]
 *   HOOKWRIGHT_E2E_CLIENTS=2.1.325,2.1.197   the client versions to test, at the same time
 *   HOOKWRIGHT_E2E_KEEP=1                    keep each test's scratch folder and print its path
 *
 * Clients are installed first, into a cache outside the tree. Only then does this program start itself again in a
 * network namespace that has nothing but loopback, so whatever a client tries, nothing leaves the machine.
 */
import { spawn, spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

// The newest, and the one npm picks on Node 20.
const DEFAULT_CLIENTS = "2.1.325,2.1.197";
const CLIENT_PACKAGE = "@anthropic-ai/claude-code";
const THIS_FILE = fileURLToPath(import.meta.url);
const REPOSITORY = resolve(dirname(THIS_FILE), "../..");
const INSTALL_TIMEOUT_MS = 10 * 60_000;
const INSIDE = "HOOKWRIGHT_E2E_INSIDE_NAMESPACE";

class SetupError extends Error {}

function clientVersions() {
  const versions = (process.env.HOOKWRIGHT_E2E_CLIENTS ?? DEFAULT_CLIENTS).split(",").map((name) => name.trim());
  const wrong = versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version));
  if (wrong.length > 0) {
    throw new SetupError(`HOOKWRIGHT_E2E_CLIENTS: "${wrong.join('", "')}" is not an exact version such as 2.1.325`);
  }
  return versions;
}

function clientFolder(version) {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  return join(cache, "hookwright-e2e", `claude-code-${version}`);
}

function clientBinary(folder) {
  return join(folder, "node_modules", `${CLIENT_PACKAGE}-${process.platform}-${process.arch}`, "claude");
}

function installClient(version) {
  const folder = clientFolder(version);
  if (existsSync(clientBinary(folder))) return;
  process.stderr.write(`installing ${CLIENT_PACKAGE}@${version} into ${folder}\n`);
  // Installed beside and renamed at the end: an interrupted or parallel install never looks like a finished one.
  const unfinished = `${folder}.unfinished-${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  try {
    runNpmInstall(version, unfinished);
    if (!existsSync(clientBinary(unfinished))) {
      throw new SetupError(
        `Claude Code ${version} was installed, but without its program for ${process.platform}-${process.arch} ` +
          `(optional dependency ${CLIENT_PACKAGE}-${process.platform}-${process.arch}).`,
      );
    }
    if (!existsSync(clientBinary(folder))) {
      rmSync(folder, { recursive: true, force: true });
      renameSync(unfinished, folder);
    }
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

function runNpmInstall(version, folder) {
  const args = ["install", "--prefix", folder, "--no-audit", "--no-fund", "--ignore-scripts"];
  const npm = spawnSync("npm", [...args, `${CLIENT_PACKAGE}@${version}`], {
    cwd: folder,
    encoding: "utf8",
    timeout: INSTALL_TIMEOUT_MS,
  });
  if (npm.error === undefined && npm.status === 0) return;
  // npm's own text names the machine's package source, which is nobody's business in a log; its code says enough.
  const code = /npm (?:error|ERR!) code (\S+)/.exec(npm.stderr ?? "")?.[1];
  const cause = npm.error === undefined ? (code ?? `exit ${npm.status}`) : npm.error.message;
  throw new SetupError(
    `Claude Code ${version} is missing and could not be installed: npm install ${CLIENT_PACKAGE}@${version} ` +
      `failed (${cause}). Install it into ${clientFolder(version)} or choose other versions with HOOKWRIGHT_E2E_CLIENTS.`,
  );
}

function isOnPath(program) {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/sbin"];
  return folders.some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch (error) {
      if (["ENOENT", "ENOTDIR", "EACCES"].includes(error.code)) return false;
      throw error;
    }
  });
}

const NEEDED_PROGRAMS = { unshare: "util-linux", ip: "iproute2", tmux: "tmux", git: "git" };

function requirePrograms() {
  if (process.platform !== "linux") {
    throw new SetupError("These tests isolate the client with Linux network namespaces and run on Linux only.");
  }
  const missing = Object.entries(NEEDED_PROGRAMS).filter(([program]) => !isOnPath(program));
  if (missing.length > 0) {
    const list = missing.map(([program, source]) => `${program} (package ${source})`).join(", ");
    throw new SetupError(`Missing programs: ${list}`);
  }
}

/** `ip` lives in sbin, which an ordinary user's PATH often lacks. */
const environmentWithSbin = { ...process.env, PATH: `${process.env.PATH}${delimiter}/usr/sbin${delimiter}/sbin` };
const LOOPBACK_UP = 'ip link set lo up && exec "$@"';

/** Root may make a network namespace directly; anyone else needs a user namespace around it. */
function namespaceFlags() {
  const attempts = [["-n"], ["-r", "-n"]].map((flags) => {
    const probe = ["--", "sh", "-c", LOOPBACK_UP, "sh", "true"];
    const { status, stderr } = spawnSync("unshare", [...flags, ...probe], {
      env: environmentWithSbin,
      encoding: "utf8",
    });
    return { flags, works: status === 0, complaint: stderr.trim() };
  });
  const working = attempts.find((attempt) => attempt.works);
  if (working !== undefined) return working.flags;
  const complaints = attempts.map(({ flags, complaint }) => `unshare ${flags.join(" ")}: ${complaint}`).join("; ");
  throw new SetupError(
    `A network namespace is needed and may not be created here (${complaints}). ` +
      "Run as root, or allow unprivileged user namespaces.",
  );
}

function runAndWait(command, args, env, stdio = "inherit") {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { cwd: REPOSITORY, stdio, env });
    const said = [];
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => said.push(chunk));
    // The terminal sends Ctrl-C to the child as well; staying alive lets it clean up and report.
    const stayAlive = () => undefined;
    const relay = (signal) => child.kill(signal);
    process.on("SIGINT", stayAlive).on("SIGTERM", relay);
    child.once("error", fail);
    child.once("close", (code) => {
      process.off("SIGINT", stayAlive).off("SIGTERM", relay);
      done({ code: code ?? 1, said: Buffer.concat(said) });
    });
  });
}

async function enterNamespace() {
  requirePrograms();
  for (const version of clientVersions()) installClient(version);
  const again = [process.execPath, THIS_FILE, ...process.argv.slice(2)];
  const args = [...namespaceFlags(), "--", "sh", "-c", LOOPBACK_UP, "sh", ...again];
  return (await runAndWait("unshare", args, { ...environmentWithSbin, [INSIDE]: "1" })).code;
}

/**
 * All versions at once, since a test mostly waits for its client. The first reports while it runs, the others when those
 * before them have ended. Where the cost of a call is to be written down, each has the machine to itself.
 */
async function runTests() {
  const [first, ...others] = clientVersions();
  const isMeasured = process.env.HOOKWRIGHT_E2E_COST_FILE !== undefined;
  let codes;
  if (isMeasured) {
    codes = [];
    for (const version of [first, ...others]) codes.push((await testVersion(version, "inherit")).code);
  } else {
    const later = others.map((version) => ({ version, ended: testVersion(version, ["ignore", "pipe", "pipe"]) }));
    codes = [(await testVersion(first, "inherit")).code];
    for (const { version, ended } of later) {
      const { code, said } = await ended;
      process.stderr.write(`\nClaude Code ${version}\n`);
      process.stdout.write(said);
      codes.push(code);
    }
  }
  return Math.max(...codes);
}

function testVersion(version, stdio) {
  if (stdio === "inherit") process.stderr.write(`\nClaude Code ${version}\n`);
  const vitest = join(REPOSITORY, "node_modules", "vitest", "vitest.mjs");
  const colours = process.stdout.isTTY && stdio === "inherit" ? [] : ["--no-color"];
  const args = [vitest, "run", "--config", "test/e2e/vitest.config.ts", ...colours, ...process.argv.slice(2)];
  const env = {
    ...process.env,
    HOOKWRIGHT_E2E_CLIENT_VERSION: version,
    HOOKWRIGHT_E2E_CLIENT_BINARY: clientBinary(clientFolder(version)),
  };
  return runAndWait(process.execPath, args, env, stdio);
}

try {
  process.exitCode = await (process.env[INSIDE] === "1" ? runTests() : enterNamespace());
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  process.stderr.write(`e2e: ${error.message}\n`);
  process.exitCode = 1;
}
