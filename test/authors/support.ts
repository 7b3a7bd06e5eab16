/** Scratch folders and programs for tests that do what an author of policies does. */
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

export const ROOT = path.resolve(import.meta.dirname, "../..");

export interface Finished {
  readonly exit: number | null;
  /** Standard output and standard error, without colours. */
  readonly output: string;
}

export function scratchFolder(): string {
  return fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "hw-authors-")));
}

/** Only what a shell needs: this test runs in vitest, and the programs it starts should not know. */
export function run(folder: string, program: string, args: readonly string[]): Finished {
  const { PATH = "" } = process.env;
  const env = {
    PATH,
    HOME: folder,
    TMPDIR: path.join(folder, ".tmp"),
    NO_COLOR: "1",
    npm_config_update_notifier: "false",
  };
  fs.mkdirSync(env.TMPDIR, { recursive: true });
  const done = spawnSync(program, args, { cwd: folder, env, encoding: "utf8", timeout: 180_000 });
  if (done.error) throw done.error;
  return { exit: done.status, output: `${done.stdout}${done.stderr}` };
}

export function runNode(folder: string, script: string, ...args: string[]): Finished {
  return run(folder, process.execPath, [script, ...args]);
}

/** A program of a development dependency. */
export const tool = {
  tsc: path.join(ROOT, "node_modules/typescript/bin/tsc"),
  vitest: path.join(ROOT, "node_modules/vitest/vitest.mjs"),
  biome: path.join(ROOT, "node_modules/@biomejs/biome/bin/biome"),
} as const;

export function writeFile(folder: string, file: string, text: string): void {
  const full = path.join(folder, file);
  fs.mkdirSync(path.dirname(full), { recursive: true });
  fs.writeFileSync(full, text);
}

/** The repository as somebody who has just cloned it and run `npm ci` has it, apart from what was built. */
export function checkout(): string {
  const folder = scratchFolder();
  const list = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: ROOT });
  for (const file of list.toString().split("\0")) {
    const from = path.join(ROOT, file);
    if (file === "" || !fs.existsSync(from)) continue;
    fs.cpSync(from, path.join(folder, file), { recursive: true });
  }
  fs.symlinkSync(path.join(ROOT, "node_modules"), path.join(folder, "node_modules"));
  return folder;
}
