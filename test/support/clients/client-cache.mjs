/** Agent clients from npm, in a cache outside the tree: each exact version is installed once. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { SetupError } from "./network-namespace.mjs";

const INSTALL_TIMEOUT_MS = 10 * 60_000;

/** Of one client in one version, such as `codex-0.169.0`. */
export function cacheFolder(name) {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  return join(cache, "hookwright-e2e", name);
}

/** Installs these packages unless they are; `isComplete` looks whether a folder has all that is needed. */
export function installInto(folder, packages, isComplete) {
  if (existsSync(folder) && isComplete(folder)) return;
  process.stderr.write(`installing ${packages.join(" ")} into ${folder}\n`);
  // Installed beside and renamed at the end: an interrupted or parallel install never looks like a finished one.
  const unfinished = `${folder}.unfinished-${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  try {
    writeFileSync(join(unfinished, "package.json"), '{ "private": true }\n');
    runNpmInstall(packages, unfinished);
    if (!isComplete(unfinished)) {
      const platform = `${process.platform}-${process.arch}`;
      throw new SetupError(`${packages.join(" ")} was installed, but without its program for ${platform}`);
    }
    if (!(existsSync(folder) && isComplete(folder))) {
      rmSync(folder, { recursive: true, force: true });
      renameSync(unfinished, folder);
    }
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

function runNpmInstall(packages, folder) {
  const args = ["install", "--no-audit", "--no-fund", "--ignore-scripts", ...packages];
  // With `--prefix` npm would look for its global settings below that folder, too.
  const npm = spawnSync("npm", args, { cwd: folder, encoding: "utf8", timeout: INSTALL_TIMEOUT_MS });
  if (npm.error === undefined && npm.status === 0) return;
  // npm's own text names the machine's package source, which is nobody's business in a log; its code says enough.
  const code = /npm (?:error|ERR!) code (\S+)/.exec(npm.stderr ?? "")?.[1];
  const cause = npm.error === undefined ? (code ?? `exit ${npm.status}`) : npm.error.message;
  throw new SetupError(`npm install ${packages.join(" ")} failed (${cause})`);
}
