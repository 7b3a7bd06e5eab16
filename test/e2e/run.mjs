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
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { cacheFolder, installInto } from "../support/clients/client-cache.mjs";
import { runAndWait, runInNamespace, SetupError } from "../support/clients/network-namespace.mjs";

// The newest, and the one npm picks on Node 20.
const DEFAULT_CLIENTS = "2.1.325,2.1.197";
const CLIENT_PACKAGE = "@anthropic-ai/claude-code";
const THIS_FILE = fileURLToPath(import.meta.url);
const REPOSITORY = resolve(import.meta.dirname, "../..");
const INSIDE = "HOOKWRIGHT_E2E_INSIDE_NAMESPACE";

function clientVersions() {
  const versions = (process.env.HOOKWRIGHT_E2E_CLIENTS ?? DEFAULT_CLIENTS).split(",").map((name) => name.trim());
  const wrong = versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version));
  if (wrong.length > 0) {
    throw new SetupError(`HOOKWRIGHT_E2E_CLIENTS: "${wrong.join('", "')}" is not an exact version such as 2.1.325`);
  }
  return versions;
}

function clientFolder(version) {
  return cacheFolder(`claude-code-${version}`);
}

function clientBinary(folder) {
  return join(folder, "node_modules", `${CLIENT_PACKAGE}-${process.platform}-${process.arch}`, "claude");
}

function installClient(version) {
  try {
    installInto(clientFolder(version), [`${CLIENT_PACKAGE}@${version}`], (folder) => existsSync(clientBinary(folder)));
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    throw new SetupError(
      `Claude Code ${version} is missing and could not be installed: ${error.message}. ` +
        `Install it into ${clientFolder(version)} or choose other versions with HOOKWRIGHT_E2E_CLIENTS.`,
    );
  }
}

async function enterNamespace() {
  for (const version of clientVersions()) installClient(version);
  return runInNamespace([THIS_FILE, ...process.argv.slice(2)], { [INSIDE]: "1" });
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
