import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { homeAt } from "../../../system/home.ts";
import { readInstalls } from "../../installation/installs.ts";
import {
  contextOf,
  failing,
  filesBelow,
  makePackage,
  makeWorld,
  NO_TERMINAL,
  SETUP_EVENTS,
  type SetupWorld,
  typingTerminal,
} from "../../installation/setup.samples.ts";
import type { Terminal } from "../../terminal/confirm.ts";
import { runInit } from "../init/run.ts";
import { runUninstall } from "./run.ts";

let world: SetupWorld;
beforeEach(() => {
  world = makeWorld();
});
afterEach(() => rmSync(world.root, { recursive: true, force: true }));

type Options = Record<string, string | boolean>;

async function install(options: Options = {}): Promise<void> {
  const source = { hasSqlite: true, node: "/opt/node" };
  const parts = { events: () => SETUP_EVENTS, packageRoot: world.packageRoot, terminal: NO_TERMINAL, source };
  expect(await runInit(contextOf(world, { yes: true, ...options }), parts)).toBe(0);
}

async function remove(
  options: Options = {},
  terminal: Terminal = NO_TERMINAL,
): Promise<{ code: number; said: string }> {
  const context = contextOf(world, { yes: true, ...options });
  return { code: await runUninstall(context, terminal), said: context.said() };
}

function write(text: string | Buffer): void {
  mkdirSync(path.dirname(world.settings), { recursive: true });
  writeFileSync(world.settings, text);
}

const read = (): string => readFileSync(world.settings, "utf8");
const records = (): number => readInstalls(homeAt(world.home, "")).records.length;

describe("nothing else changed: byte for byte the old file", () => {
  const files: readonly (readonly [name: string, text: string])[] = [
    ["an object", "{}"],
    ["an empty file", ""],
    ["white space only", " \r\n\t"],
    ["odd formatting", '\uFEFF{ "hooks" :{"Stop":[ ]},\r\n\r\n"a":[1 ,2]\r\n ,"a":2}  \n\n'],
    ["no last newline", '{\n\t"hooks": {\n\t}\n}'],
  ];
  test.each(files)("%s", async (_name, text) => {
    write(text);
    await install();
    expect(read()).not.toBe(text);
    await install({ profile: "plan" });
    makePackage(world.packageRoot, { version: "2.0.0", build: "fff" });
    await install();
    const { code, said } = await remove();
    expect(code).toBe(0);
    expect(said).toContain("as it was before");
    expect(read()).toBe(text);
    expect(records()).toBe(0);
  });

  test("no file: neither file nor directory stays", async () => {
    await install();
    expect((await remove()).said).toContain("did not exist before");
    expect(existsSync(path.dirname(world.settings))).toBe(false);
    expect(existsSync(world.env.HOME ?? "")).toBe(true);
  });

  test("no file, but the directory was there or is used by now", async () => {
    mkdirSync(path.dirname(world.settings));
    await install();
    await remove();
    expect(existsSync(path.dirname(world.settings))).toBe(true);
    rmSync(path.dirname(world.settings), { recursive: true });
    await install();
    writeFileSync(path.join(path.dirname(world.settings), "history"), "");
    await remove();
    expect(filesBelow(path.dirname(world.settings))).toEqual({ history: "" });
  });

  test("a linked file is restored at its end", async () => {
    const real = path.join(world.root, "real.json");
    writeFileSync(real, "{ }");
    mkdirSync(path.dirname(world.settings));
    symlinkSync(real, world.settings);
    await install();
    await remove();
    expect(lstatSync(world.settings).isSymbolicLink()).toBe(true);
    expect(readFileSync(real, "utf8")).toBe("{ }");
  });

  test("a project's file", async () => {
    await install({ scope: "project" });
    await install();
    await remove({ scope: "project" });
    expect(existsSync(path.join(world.project, ".claude"))).toBe(false);
    expect(read()).toContain("PreToolUse");
    expect(records()).toBe(1);
  });
});

describe("something else changed: only our entries go", () => {
  test("edited after the install", async () => {
    write('{"a": 1, "hooks": {"Stop": []}}\n');
    await install();
    writeFileSync(world.settings, read().replace('"a": 1', '"a":  2'));
    expect((await remove()).said).toContain("keeps everything else");
    expect(read()).toBe('{"a":  2, "hooks": {"Stop": []}}\n');
  });

  test("edited between two installs", async () => {
    write('{"a": 1}\n');
    await install();
    writeFileSync(world.settings, read().replace('"a": 1', '"a":  2'));
    await install({ profile: "plan" });
    await remove();
    expect(read()).toBe('{"a":  2}\n');
  });

  test("edited before and after a second install", async () => {
    await install();
    writeFileSync(world.settings, read().replace("{", '{\n  "a": 1,'));
    await install({ profile: "plan" });
    writeFileSync(world.settings, read().replace('"a": 1', '"a": 3'));
    await remove();
    expect(JSON.parse(read())).toEqual({ a: 3 });
  });

  test("the old file was put back by hand, then installed anew", async () => {
    write('{"a": 1}');
    await install();
    write('{"b": 1}');
    await install();
    await remove();
    expect(read()).toBe('{"b": 1}');
  });

  test("turned into a link after the install: the link does not end up pointing to nothing", async () => {
    await install();
    const real = path.join(world.root, "real.json");
    writeFileSync(real, read());
    rmSync(world.settings);
    symlinkSync(real, world.settings);
    await remove();
    expect(JSON.parse(read())).toEqual({});
  });

  test.each(["the record", "the backup"])("%s is lost", async (lost) => {
    write('{"a": 1}\n');
    await install();
    rmSync(path.join(world.home, lost === "the record" ? "installs.json" : "backups"), { recursive: true });
    await remove();
    expect(read()).toBe('{"a": 1}\n');
  });

  test("a backup that was changed is not trusted", async () => {
    write('{"a": 1}\n');
    await install();
    const [record] = readInstalls(homeAt(world.home, "")).records;
    writeFileSync(record?.originalFile ?? "", '{"evil": true}');
    await remove();
    expect(read()).toBe('{"a": 1}\n');
  });
});

describe("nothing to do, or not possible", () => {
  test("never installed", async () => {
    const before = filesBelow(world.root);
    const { code, said } = await remove();
    expect(code).toBe(0);
    expect(said).toContain("Hookwright is not installed");
    write('{"hooks": {"Stop": 5}}');
    expect((await remove()).code).toBe(0);
    rmSync(path.dirname(world.settings), { recursive: true });
    expect(filesBelow(world.root)).toEqual(before);
  });

  test("our entries, or the file, are gone already: the record goes too", async () => {
    await install();
    write("{}");
    expect((await remove()).code).toBe(0);
    expect([read(), records()]).toEqual(["{}", 0]);
    await install();
    rmSync(world.settings);
    expect((await remove()).code).toBe(0);
    expect([existsSync(world.settings), records()]).toEqual([false, 0]);
  });

  test("a no, or no terminal, changes nothing", async () => {
    write("{}");
    await install();
    const before = filesBelow(world.root);
    expect((await remove({ yes: false }, typingTerminal("n\n"))).code).toBe(1);
    await failing("HW_NO_TERMINAL", () => remove({ yes: false }));
    expect(filesBelow(world.root)).toEqual(before);
    expect((await remove({ yes: false }, typingTerminal("y\n"))).code).toBe(0);
    expect(read()).toBe("{}");
  });

  test("malformed settings are named by place and stay", async () => {
    write("{}");
    await install();
    write(`${read()}x`);
    const before = filesBelow(world.root);
    const error = await failing("HW_SETTINGS_MALFORMED", () => remove());
    expect(error.message).toMatch(/settings\.json:\d+:\d+: /);
    expect(filesBelow(world.root)).toEqual(before);
  });

  test("a directory in place of the file", async () => {
    mkdirSync(world.settings, { recursive: true });
    await failing("HW_SETTINGS_NOT_A_FILE", () => remove());
  });
});
