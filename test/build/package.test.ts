/** What is published: the files of the package, and an installation of it without a compiler, a network or a cache. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { isBuiltin } from "node:module";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { packageRelease, packedFiles } from "../../scripts/release/package.mjs";
import { CLIENTS } from "../../scripts/release/platforms.mjs";
import { readBuild } from "../../src/cli/installation/version-folder.ts";
import { type Finished, ROOT, scratchFolder } from "../authors/support.ts";

/** Every file of the package belongs to one of these. */
const ROOMS = [
  /^(?:package\.json|README\.md|LICENSE)$/,
  /^bin\/(?:hookwright|engine|not-built)\.mjs$/,
  /^client\/[a-z-]+\.[ch]$/,
  /^dist\/[a-z-]+\.(?:cjs|mjs)$/,
  /^dist\/(?:build\.json|env\.list|engine|third-party-licences\.txt)$/,
  /^dist\/types\/.+\.d\.ts$/,
  /^dist\/ui\/[\w.-]+$/,
  /^docs\/(?:[\w-]+|guides\/[\w-]+|policies\/[\w/-]+)\.(?:md|svg)$/,
  /^docs\/hookwright\.1$/,
  /^docs\/guides\/fleet\/[\w-]+\.(?:md|yml|json)$/,
  /^schema\/hookwright\.schema\.json$/,
];
const MOST_FILES = 220;
const MEGABYTE = 1_000_000;

describe("the package", () => {
  const files = packedFiles(ROOT);
  const names = files.map((file) => file.path);

  test("holds nothing but what belongs to it", () => {
    expect(names.filter((name) => !ROOMS.some((room) => room.test(name)))).toEqual([]);
    // Otherwise a room above is out of date.
    expect(ROOMS.filter((room) => !names.some((name) => room.test(name)))).toEqual([]);
  });

  test("holds nothing of the machine that built it", () => {
    const texts = files.filter(({ path: name }) => !/\.(?:svg|[ch])$/.test(name));
    const telling = texts.filter(({ path: name }) => fs.readFileSync(path.join(ROOT, name), "utf8").includes(ROOT));
    expect(telling.map((file) => file.path)).toEqual([]);
    expect(names).not.toContain("dist/node.path");
    expect(names).not.toContain("dist/hook");
  });

  test("holds the licence of everybody whose code is in its bundles", () => {
    const text = fs.readFileSync(path.join(ROOT, "dist/third-party-licences.txt"), "utf8");
    for (const name of ["@modelcontextprotocol/server", "preact", "re2js", "unbash", "yaml", "zod"])
      expect(text).toMatch(new RegExp(`^${name} \\d+\\.\\S+ \\([\\w.-]+\\)$`, "m"));
    expect(text).toContain("Permission is hereby granted");
  });

  test("stays small", () => {
    expect(files.length).toBeLessThanOrEqual(MOST_FILES);
    expect(files.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(20 * MEGABYTE);
  });
});

const ours = CLIENTS.find(({ os, cpu }) => os === process.platform && cpu === process.arch);
const canCompile = ours !== undefined && spawnSync(ours.compiler.program, ["--version"]).status === 0;
if (!canCompile) console.log("skipped: an installation with its compiled client (no compiler for this machine)");

describe.runIf(canCompile)("an installation from the package", () => {
  const folder = scratchFolder();
  const home = path.join(folder, "home");
  const prefix = path.join(folder, "prefix");
  const bin = path.join(folder, "bin");
  const out = path.join(folder, "out");
  /** Nothing of the environment but a PATH without a compiler. */
  const env = { PATH: bin, HOME: home, NO_COLOR: "1", XDG_RUNTIME_DIR: path.join(folder, "run") };

  const run = (program: string, args: readonly string[], more: { input?: string; env?: object } = {}): Finished => {
    const done = spawnSync(program, args, {
      cwd: home,
      env: { ...env, ...more.env },
      encoding: "utf8",
      ...(more.input === undefined ? {} : { input: more.input }),
      timeout: 120_000,
    });
    if (done.error) throw done.error;
    return { exit: done.status, output: `${done.stdout}${done.stderr}` };
  };
  const hookwright = (...args: string[]): Finished => run(path.join(prefix, "bin/hookwright"), args);
  const settings = path.join(home, ".claude/settings.json");
  const before = '{ "model": "opus" }\n';

  beforeAll(() => {
    const archives = packageRelease(ROOT, out, ours ? [ours] : []).filter((name) => name.endsWith(".tgz"));
    for (const name of [bin, path.dirname(settings), env.XDG_RUNTIME_DIR]) fs.mkdirSync(name, { recursive: true });
    fs.chmodSync(env.XDG_RUNTIME_DIR, 0o700);
    fs.writeFileSync(settings, before);
    fs.symlinkSync("/bin/sh", path.join(bin, "sh"));
    fs.symlinkSync(process.execPath, path.join(bin, "node"));
    const npm = path.join(path.dirname(process.execPath), "npm");
    const flags = ["--global", "--offline", "--prefix", prefix, "--cache", path.join(folder, "cache")];
    const installed = run(npm, ["install", ...flags, ...archives.map((name) => path.join(out, name))]);
    expect(installed, installed.output).toMatchObject({ exit: 0 });
    if (isBuiltin("node:sqlite")) return;
    // This Node needs libsql, which npm could not install without a network: it is taken from the checkout.
    for (const name of ["libsql", "@libsql", "@neon-rs", "detect-libc"]) {
      const target = path.join(prefix, "lib/node_modules/hookwright/node_modules", name);
      fs.mkdirSync(path.dirname(target), { recursive: true });
      fs.symlinkSync(path.join(ROOT, "node_modules", name), target);
    }
  }, 180_000);
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

  // Others than the one that runs the tests are named by OTHER_NODES.
  const nodes = [process.execPath, ...(process.env.OTHER_NODES ?? "").split(path.delimiter).filter(Boolean)];
  test.each(nodes)(
    "with %s: `init` takes the compiled client, it denies, `uninstall` restores the settings",
    (node) => {
      fs.rmSync(path.join(bin, "node"));
      fs.symlinkSync(node, path.join(bin, "node"));
      fs.rmSync(path.join(home, ".local"), { recursive: true, force: true });
      const init = hookwright("init", "--agent", "claude-code", "--profile", "safety", "--yes");
      expect(init, init.output).toMatchObject({ exit: 0 });
      const { hooks } = JSON.parse(fs.readFileSync(settings, "utf8")) as {
        hooks: Record<string, { hooks: { command: string; args: string[] }[] }[]>;
      };
      const { command, args } = hooks.PreToolUse?.[0]?.hooks[0] ?? expect.fail("nothing was installed");
      expect(path.basename(command), init.output).toBe("hook");
      const published = fs.readFileSync(path.join(out, `packages/client-${ours?.name}/hook`));
      expect(fs.readFileSync(command).equals(published)).toBe(true);
      const event = {
        hook_event_name: "PreToolUse",
        session_id: "s",
        cwd: home,
        tool_name: "Bash",
        tool_use_id: "1",
        tool_input: { command: "rm -rf ~/" },
      };
      const answer = run(command, [...args, "--no-daemon"], { input: JSON.stringify(event) });
      expect(JSON.parse(answer.output)).toMatchObject({ hookSpecificOutput: { permissionDecision: "deny" } });
      expect(hookwright("uninstall", "--agent", "claude-code", "--yes")).toMatchObject({ exit: 0 });
      expect(fs.readFileSync(settings, "utf8")).toBe(before);
    },
  );

  test("knows its build, and names every client that it was published with", () => {
    expect(hookwright("--version").output).toBe(`${readBuild(ROOT).version}\n`);
    const manifest = JSON.parse(fs.readFileSync(path.join(out, "packages/hookwright/package.json"), "utf8"));
    expect(manifest).not.toHaveProperty("dependencies");
    expect(manifest).not.toHaveProperty("scripts");
    expect(Object.keys(manifest.optionalDependencies)).toContain(ours?.packageName);
  });
});
