import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkout, type Finished, ROOT, scratchFolder } from "../authors/support.ts";
import { IS_LONG } from "../support/long.ts";

let folder: string;
let prefix: string;
beforeEach(() => {
  prefix = scratchFolder();
});
afterEach(() => {
  for (const one of [folder, prefix]) fs.rmSync(one, { recursive: true, force: true });
});

const MINUTES = 60_000;

/** As a person's shell starts it; npm's own settings come from the person's real home, with its cache of packages. */
function run(program: string, args: readonly string[], env: Record<string, string> = {}): Finished {
  const { PATH = "", HOME = "" } = process.env;
  const done = spawnSync(program, args, {
    cwd: folder,
    env: { PATH, HOME, NO_COLOR: "1", npm_config_update_notifier: "false", ...env },
    encoding: "utf8",
    timeout: 4 * MINUTES,
  });
  if (done.error) throw done.error;
  return { exit: done.status, output: `${done.stdout}${done.stderr}` };
}

function installGlobally(env: Record<string, string> = {}, flags: readonly string[] = []): Finished {
  return run("npm", ["install", "--global", "--prefix", prefix, ...flags, "."], env);
}

const installed = (program: string, ...args: string[]): Finished => run(path.join(prefix, "bin", program), args);
const { version } = JSON.parse(fs.readFileSync(path.join(ROOT, "package.json"), "utf8")) as { version: string };

describe("npm install --global . in a checkout", () => {
  test.runIf(IS_LONG)(
    "without `npm ci` before: the packages that the build needs are installed, then it is built",
    () => {
      folder = checkout();
      fs.unlinkSync(path.join(folder, "node_modules"));
      expect(installGlobally({ npm_config_prefer_offline: "true" })).toMatchObject({ exit: 0 });
      expect(installed("hookwright", "--version")).toEqual({ exit: 0, output: `${version}\n` });
      expect(installed("engine", "--help").output).toContain("Usage: hookwright session");
    },
    5 * MINUTES,
  );

  test(
    "after `npm ci`: it is built with the packages that are there",
    () => {
      folder = checkout();
      expect(installGlobally({ npm_config_offline: "true" })).toMatchObject({ exit: 0 });
      expect(fs.lstatSync(path.join(folder, "node_modules")).isSymbolicLink()).toBe(true);
      expect(installed("hookwright", "--version")).toEqual({ exit: 0, output: `${version}\n` });
    },
    5 * MINUTES,
  );

  test("where the packages cannot be installed, it fails and says what to run", () => {
    folder = checkout();
    fs.unlinkSync(path.join(folder, "node_modules"));
    const { exit, output } = installGlobally({ npm_config_offline: "true", npm_config_cache: path.join(prefix, "c") });
    expect(exit).toBe(1);
    expect(output).toContain(`cd '${folder}' && npm ci && npm install --global .`);
    expect(output).not.toContain("ERR_MODULE_NOT_FOUND");
  });

  test("with --ignore-scripts nothing is built, and every program says what to run", () => {
    folder = checkout();
    expect(installGlobally({}, ["--ignore-scripts"])).toMatchObject({ exit: 0 });
    for (const [program, ...args] of [
      ["hookwright", "--version"],
      ["hookwright", "journal", "--json"],
      ["hookwright", "hook"],
      ["hookwright", "statusline"],
      ["hookwright"],
      ["engine", "session", "start"],
      ["engine", "--help"],
    ] as const) {
      const { exit, output } = installed(program, ...args);
      expect([program, ...args, exit]).toEqual([program, ...args, 1]);
      expect(output).toBe(
        `hookwright: it is not built yet: ${folder}/dist/ is missing. Run this command, then try again:\n` +
          `  cd '${folder}' && npm ci\n`,
      );
    }
  });
});

test("a package without its dist/ that is no checkout is to be installed again", () => {
  folder = scratchFolder();
  fs.cpSync(path.join(ROOT, "bin"), path.join(folder, "bin"), { recursive: true });
  const { exit, output } = run(process.execPath, ["bin/hookwright.mjs", "--version"]);
  expect(exit).toBe(1);
  expect(output).toBe(
    `hookwright: this installation is damaged: ${folder}/dist/ is missing. Run this command, then try again:\n` +
      "  npm install --global hookwright\n",
  );
});
