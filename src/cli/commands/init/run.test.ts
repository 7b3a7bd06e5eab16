import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { homeAt } from "../../../system/home.ts";
import { type InstallRecord, readInstalls } from "../../installation/installs.ts";
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
import { initCommand } from "./command.ts";
import { runInit } from "./run.ts";

let world: SetupWorld;
beforeEach(() => {
  world = makeWorld();
});
afterEach(() => rmSync(world.root, { recursive: true, force: true }));

type Options = Record<string, string | boolean>;

async function run(options: Options = {}, terminal: Terminal = NO_TERMINAL): Promise<{ code: number; said: string }> {
  const context = contextOf(world, { yes: true, ...options });
  const source = { hasSqlite: true, node: "/opt/node" };
  const code = await runInit(context, { events: () => SETUP_EVENTS, packageRoot: world.packageRoot, terminal, source });
  return { code, said: context.said() };
}

function write(text: string): void {
  mkdirSync(path.dirname(world.settings), { recursive: true });
  writeFileSync(world.settings, text);
}

const read = (): string => readFileSync(world.settings, "utf8");
const records = (): readonly InstallRecord[] => readInstalls(homeAt(world.home, "")).records;
const original = (): string => readFileSync(records()[0]?.originalFile ?? "", "utf8");

describe("installing", () => {
  test("a person's file keeps what it has and points into the private folder", async () => {
    write('{\n\t"model": "opus"\n}');
    chmodSync(world.settings, 0o600);
    const { code, said } = await run({ profile: "safety, ntm,safety" });
    expect(code).toBe(0);
    expect(read().startsWith('{\n\t"model": "opus",\n\t"hooks": {\n\t\t"PreToolUse": [')).toBe(true);
    const client = path.join(world.home, "versions", "1.2.3-abc123", "hook");
    expect(JSON.parse(read()).hooks.PreToolUse[0].hooks[0]).toEqual({
      type: "command",
      command: client,
      args: ["--event", "PreToolUse", "--reply", "json", "--via", "user"],
      timeout: 5,
      onFailure: "block",
    });
    expect(existsSync(client)).toBe(true);
    expect(statSync(world.settings).mode & 0o777).toBe(0o600);
    for (const part of [world.settings, "PreToolUse (guarded), Stop, SessionEnd", client]) expect(said).toContain(part);
    expect(records()).toMatchObject([
      { agent: "claude-code", scope: "user", version: "1.2.3-abc123", existedBefore: true, profile: [] },
    ]);
    expect(original()).toBe('{\n\t"model": "opus"\n}');
    expect(statSync(records()[0]?.originalFile ?? "").mode & 0o777).toBe(0o600);
  });

  test("a project's file names only what others have too, and no private folder is made", async () => {
    mkdirSync(path.join(world.project, "deep"));
    const context = { ...contextOf(world, { yes: true, scope: "project" }), cwd: path.join(world.project, "deep") };
    const parts = { events: () => SETUP_EVENTS, packageRoot: world.packageRoot, terminal: NO_TERMINAL };
    expect(await runInit(context, parts)).toBe(0);
    const text = readFileSync(path.join(world.project, ".claude", "settings.json"), "utf8");
    expect(text).not.toContain(world.root.slice(0, 8));
    expect(text).not.toContain("onFailure");
    expect(JSON.parse(text).hooks.Stop[0].hooks[0]).toMatchObject({ command: "hookwright", timeout: 5 });
    expect(existsSync(path.join(world.home, "versions"))).toBe(false);
    expect(records()).toMatchObject([{ scope: "project", existedBefore: false, originalFile: null }]);
  });

  test("who installs sessions hears which program begins them", async () => {
    expect((await run({ profile: "safety" })).said).not.toContain("Sessions are begun");
    const bin = path.join(world.root, "bin");
    mkdirSync(bin);
    world.env.PATH = bin;
    const own = path.join(world.home, "versions", "1.2.3-abc123", "engine");
    const missing = `It is not on the PATH, so agents are told to run ${own}`;
    expect((await run({ profile: "safety,session" })).said).toContain(missing);
    writeFileSync(path.join(bin, "engine"), "#!/bin/sh\necho a search\n");
    expect((await run({ profile: "safety,session" })).said).toContain("is another program, so agents are told to run");
    writeFileSync(path.join(bin, "engine"), "#!/bin/sh\nexec node /x/bin/engine.mjs\n");
    expect((await run({ profile: "safety,session" })).said).toContain(`with \`engine\` (${path.join(bin, "engine")}).`);
  });

  test("CLAUDE_CONFIG_DIR moves the user settings", async () => {
    world = { ...world, env: { ...world.env, CLAUDE_CONFIG_DIR: path.join(world.root, "else where") } };
    await run();
    expect(existsSync(path.join(world.root, "else where", "settings.json"))).toBe(true);
    expect(existsSync(world.settings)).toBe(false);
  });

  test("a linked file is edited at its end and stays a link", async () => {
    write("{}");
    const real = path.join(world.root, "dotfiles.json");
    writeFileSync(real, '{"a": 1}');
    rmSync(world.settings);
    symlinkSync(real, world.settings);
    expect((await run()).said).toContain(`a link to ${real}`);
    expect(lstatSync(world.settings).isSymbolicLink()).toBe(true);
    expect(Object.keys(JSON.parse(readFileSync(real, "utf8")))).toEqual(["a", "hooks"]);
  });

  test("the status line is offered where there is none, and only when something was installed", async () => {
    const offer = '"statusLine": { "type": "command", "command": "hookwright statusline" }';
    expect((await run()).said).toContain(`add to ${world.settings}:\n  ${offer}`);
    expect((await run()).said).not.toContain("statusLine");
    write('{ "statusLine": { "type": "command", "command": "mine" } }');
    expect((await run()).said).not.toContain("hookwright statusline");
  });

  test("disableAllHooks is pointed out", async () => {
    write('{"disableAllHooks": true}');
    expect((await run()).said).toContain("disableAllHooks");
  });

  test("without a compiled client Node is registered, and that is said", async () => {
    rmSync(path.join(world.packageRoot, "dist", "hook"));
    expect((await run()).said).toContain("Hooks use the slower Node client");
    const { command, args } = JSON.parse(read()).hooks.Stop[0].hooks[0];
    expect([command, args[0]]).toEqual(["/opt/node", path.join(world.home, "versions", "1.2.3-abc123", "hook.cjs")]);
  });
});

describe("installing again", () => {
  test("changes nothing, asks nothing and keeps the original", async () => {
    write('{"a": 1}\n');
    await run();
    const [settings, first] = [read(), records()[0]];
    const { code, said } = await run({ yes: false });
    expect([code, read()]).toEqual([0, settings]);
    expect(said).toContain("Already installed");
    expect(records()).toEqual([{ ...first, at: expect.any(String) }]);
    expect(original()).toBe('{"a": 1}\n');
  });

  test("puts back an installed file that was changed", async () => {
    await run();
    const engine = path.join(world.home, "versions", "1.2.3-abc123", "engine.cjs");
    writeFileSync(engine, "changed");
    expect((await run()).said).toContain("Already installed");
    expect(readFileSync(engine, "utf8")).toBe("engine.cjs of abc123");
  });

  test("another version replaces the entries and keeps the original", async () => {
    write('{"a": 1}\n');
    await run();
    makePackage(world.packageRoot, { version: "2.0.0", build: "fff" });
    await run();
    expect(JSON.parse(read()).hooks.Stop).toHaveLength(1);
    expect(read()).toContain("2.0.0-fff");
    expect(read()).not.toContain("1.2.3-abc123");
    expect(records()).toMatchObject([{ version: "2.0.0-fff", existedBefore: true }]);
    expect(original()).toBe('{"a": 1}\n');
    expect(readdirSync(path.join(world.home, "versions")).sort()).toEqual(["1.2.3-abc123", "2.0.0-fff"]);
  });

  test("after an edit by hand the original is the edited file without us", async () => {
    write('{"a": 1}\n');
    await run();
    writeFileSync(world.settings, read().replace('"a": 1', '"a": 2, "b": 3'));
    await run();
    expect(original()).toBe('{"a": 2, "b": 3}\n');
    expect(readdirSync(path.join(world.home, "backups"))).toHaveLength(3);
  });

  test("a new file that was only laid out anew still counts as new", async () => {
    await run();
    writeFileSync(world.settings, JSON.stringify(JSON.parse(read())));
    await run();
    expect(records()).toMatchObject([{ existedBefore: false, createdDirectory: path.dirname(world.settings) }]);
  });

  test("a damaged record is moved aside, not lost", async () => {
    mkdirSync(world.home);
    writeFileSync(path.join(world.home, "installs.json"), "[{");
    expect((await run()).said).toContain("could not be read and was renamed");
    expect(records()).toHaveLength(1);
    expect(readdirSync(world.home).filter((name) => name.startsWith("installs.json.corrupt-"))).toHaveLength(1);
  });

  test("a second file has a record of its own", async () => {
    await run();
    await run({ scope: "project" });
    expect(records().map((record) => record.scope)).toEqual(["user", "project"]);
  });
});

describe("asking", () => {
  test("a yes installs, anything else changes nothing", async () => {
    write("{}");
    const before = filesBelow(world.root);
    expect((await run({ yes: false }, typingTerminal("\nno\n"))).code).toBe(1);
    expect((await run({ yes: false }, typingTerminal(""))).code).toBe(1);
    await failing("HW_NO_TERMINAL", () => run({ yes: false }));
    expect(filesBelow(world.root)).toEqual(before);
    expect((await run({ yes: false }, typingTerminal("\ny\n"))).code).toBe(0);
    expect(read()).toContain("PreToolUse");
  });
});

test("what is chosen is told before it is done", async () => {
  const said = async (options: Options): Promise<string> =>
    (await run({ yes: false, ...options }, typingTerminal(options.profile ? "n\n" : "\nn\n"))).said;
  expect(await said({ profile: "ntm" })).toContain("`safety` is not on");
  expect(await said({ profile: "safety,ntm" })).not.toContain("not among");
  expect(await said({})).toContain("PreToolUse (guarded)");
  expect(await said({ scope: "project" })).not.toContain("(guarded)");
});

describe("what is refused changes nothing", () => {
  const wrongOptions: readonly (readonly [Options, Parameters<typeof failing>[0], string])[] = [
    [{ agent: "cursor" }, "HW_UNKNOWN_AGENT", "`cursor`"],
    [{ scope: "everywhere" }, "HW_USAGE", "there is user, project, local, managed"],
    [{ profile: "ntm,saftey" }, "HW_UNKNOWN_PROFILE", "Did you mean `safety`?"],
    [{ profile: " ," }, "HW_USAGE", "`--profile` needs a name"],
  ];
  test.each(wrongOptions)("%j", async (options, code, says) => {
    const before = filesBelow(world.root);
    expect((await failing(code, () => run(options))).message).toContain(says);
    expect(filesBelow(world.root)).toEqual(before);
  });

  const built = (): string => path.join(world.packageRoot, "dist", "build.json");
  const wrongFiles: readonly (readonly [string, Parameters<typeof failing>[0], string, () => unknown])[] = [
    ["malformed settings", "HW_SETTINGS_MALFORMED", ":2:9: trailing comma", () => write('{\n  "a": 1,\n}')],
    ["settings of a wrong shape", "HW_SETTINGS_SHAPE", "`hooks.Stop`", () => write('{"hooks": {"Stop": 1}}')],
    [
      "a directory for a file",
      "HW_SETTINGS_NOT_A_FILE",
      "a directory",
      () => mkdirSync(world.settings, { recursive: true }),
    ],
    ["a package that was not built", "HW_NOT_BUILT", "build.json", () => rmSync(built())],
    ["a home below a regular file", "HW_READ_FAILED", "ENOTDIR", () => writeFileSync(world.home, "")],
  ];
  test.each(wrongFiles)("%s", async (_name, code, says, make) => {
    make();
    const before = filesBelow(world.root);
    expect((await failing(code, () => run())).message).toContain(says);
    expect(filesBelow(world.root)).toEqual(before);
  });

  test("project scope in the home directory, where both files are one", async () => {
    world = { ...world, project: path.dirname(path.dirname(world.settings)) };
    expect((await failing("HW_USAGE", () => run({ scope: "project" }))).message).toContain("--scope user");
  });

  test("a directory that takes no files", async () => {
    world = { ...world, env: { ...world.env, CLAUDE_CONFIG_DIR: "/proc/self/hookwright" } };
    await failing("HW_WRITE_FAILED", () => run());
    expect(records()).toEqual([]);
  });

  const asRoot = process.getuid?.() === 0;
  if (asRoot) console.log("skipped: read-only settings directory (root is not bound by file modes)");
  test.skipIf(asRoot)("a read-only settings directory", async () => {
    write("{}");
    chmodSync(path.dirname(world.settings), 0o555);
    const before = filesBelow(world.root);
    await failing("HW_WRITE_FAILED", () => run());
    expect(filesBelow(world.root)).toEqual(before);
    chmodSync(path.dirname(world.settings), 0o755);
  });

  test("a write that fails late takes the record back", async () => {
    write("{}");
    const context = contextOf(world, { yes: true });
    const editing = { ...context, out: () => write('{"edited": "meanwhile"}') };
    const parts = {
      events: () => SETUP_EVENTS,
      packageRoot: world.packageRoot,
      terminal: NO_TERMINAL,
      source: { hasSqlite: true },
    };
    await failing("HW_SETTINGS_CHANGED", () => runInit(editing, parts));
    expect(read()).toBe('{"edited": "meanwhile"}');
    expect(records()).toEqual([]);
  });
});

test("the help names every option", () => {
  expect(Object.keys(initCommand.options ?? {})).toEqual(["agent", "scope", "profile", "yes"]);
});
