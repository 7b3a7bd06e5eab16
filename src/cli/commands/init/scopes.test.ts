import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
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
} from "../../installation/setup.samples.ts";
import { type SystemPlaces, systemPlaces } from "../../installation/system-folders.ts";
import { runUninstall } from "../uninstall/run.ts";
import { runInit } from "./run.ts";

let world: SetupWorld;
let system: SystemPlaces;
const mask = process.umask();
beforeEach(() => {
  world = makeWorld();
  system = systemPlaces(path.join(world.root, "machine"), 0);
});
afterEach(() => {
  process.umask(mask);
  rmSync(world.root, { recursive: true, force: true });
});

async function run(scope: string, places = system, node = process.execPath): Promise<string> {
  const context = contextOf(world, { yes: true, scope });
  const source = { hasSqlite: true, node };
  const parts = {
    events: () => SETUP_EVENTS,
    packageRoot: world.packageRoot,
    terminal: NO_TERMINAL,
    source,
    system: places,
  };
  expect(await runInit(context, parts)).toBe(0);
  return context.said();
}

async function remove(scope: string): Promise<string> {
  const context = contextOf(world, { yes: true, scope });
  expect(await runUninstall(context, NO_TERMINAL, system)).toBe(0);
  return context.said();
}

const mode = (file: string): number => statSync(file).mode & 0o777;
const local = (): string => path.join(world.project, ".claude", "settings.local.json");

/** The files that uninstall must restore byte for byte; undefined means no file. */
const ORIGINALS: readonly (readonly [string, string | undefined])[] = [
  ["no file", undefined],
  ["an empty file", ""],
  ["odd formatting", '\uFEFF{ "hooks" :{"Stop":[ ]},\r\n\r\n"a":[1 ,2]\r\n ,"a":2}  \n\n'],
  ["no last newline", '{\n\t"permissions": {}\n}'],
];

describe("one person's settings for one project", () => {
  test("name the private client and stop a guarded call when it fails", async () => {
    const said = await run("local");
    const { hooks } = JSON.parse(readFileSync(local(), "utf8"));
    const client = path.join(world.home, "versions", "1.2.3-abc123", "hook");
    expect(hooks.PreToolUse[0].hooks[0]).toMatchObject({ command: client, onFailure: "block" });
    expect(hooks.PreToolUse[0].hooks[0].args.slice(-2)).toEqual(["--via", "local"]);
    expect(hooks.Stop[0].hooks[0]).not.toHaveProperty("onFailure");
    expect(existsSync(client)).toBe(true);
    expect(said).toContain("do not commit it");
    expect(said).toContain("hookwright uninstall --scope local");
    expect(readInstalls(homeAt(world.home, "")).records).toMatchObject([{ scope: "local", file: local() }]);
  });

  test.each(ORIGINALS)("%s comes back", async (_name, text) => {
    if (text !== undefined) {
      mkdirSync(path.dirname(local()));
      writeFileSync(local(), text);
    }
    const before = filesBelow(world.project);
    await run("local");
    makePackage(world.packageRoot, { version: "2.0.0", build: "fff" });
    await run("local");
    expect(readFileSync(local(), "utf8")).toContain("2.0.0-fff");
    await remove("local");
    expect(filesBelow(world.project)).toEqual(before);
  });

  test("lie beside the shared ones and the person's own, each with a record", async () => {
    for (const scope of ["user", "project", "local"]) await run(scope);
    const records = (): string[] => readInstalls(homeAt(world.home, "")).records.map((record) => record.scope);
    expect(records()).toEqual(["user", "project", "local"]);
    await remove("local");
    expect(records()).toEqual(["user", "project"]);
    expect(existsSync(path.join(world.project, ".claude", "settings.json"))).toBe(true);
    expect(existsSync(local())).toBe(false);
  });
});

describe("the machine's settings", () => {
  test("everybody can read and run what they name, whatever root's umask is", async () => {
    process.umask(0o077);
    const said = await run("managed");
    const folder = path.join(system.store.root, "1.2.3-abc123");
    const { hooks } = JSON.parse(readFileSync(system.settings, "utf8"));
    expect(hooks.PreToolUse[0].hooks[0]).toMatchObject({ command: path.join(folder, "hook"), onFailure: "block" });
    for (const open of [path.dirname(system.settings), system.store.root, folder, path.join(folder, "hook")]) {
      expect([open, mode(open)]).toEqual([open, 0o755]);
    }
    for (const open of [system.settings, path.join(folder, "engine.cjs"), path.join(folder, "node.path")]) {
      expect([open, mode(open)]).toEqual([open, 0o644]);
    }
    expect(said).toContain("only root can remove it");
  });

  test("nothing is put into the home of whoever runs it", async () => {
    await run("managed");
    expect(existsSync(world.home)).toBe(false);
    expect(readInstalls(system.store).records).toMatchObject([{ scope: "managed", version: "1.2.3-abc123" }]);
  });

  test("the client does not take the machine's place for a home", async () => {
    await run("managed");
    // client/hook.c and client/hook.cjs check the name of their parent folder.
    expect(path.basename(system.store.versions)).not.toBe("versions");
    expect(readdirSync(system.store.root)).toContain("1.2.3-abc123");
  });

  test("only root may, and is told so before anything happens", async () => {
    const before = filesBelow(world.root);
    const person = { ...system, uid: 1000 };
    const error = await failing("HW_NOT_ROOT", () => run("managed", person));
    expect(error.message).toContain(system.settings);
    const context = contextOf(world, { yes: true, scope: "managed" });
    await failing("HW_NOT_ROOT", () => runUninstall(context, NO_TERMINAL, person));
    expect(filesBelow(world.root)).toEqual(before);
  });

  test("a Node that only root can start is refused", async () => {
    const folder = path.join(world.root, "root only");
    mkdirSync(folder, { mode: 0o700 });
    const node = path.join(folder, "node");
    writeFileSync(node, "", { mode: 0o755 });
    const error = await failing("HW_PRIVATE_NODE", () => run("managed", system, node));
    expect(error.message).toContain(`no access to ${folder}`);
    expect(existsSync(system.settings)).toBe(false);
  });

  test.each(ORIGINALS)("%s comes back", async (_name, text) => {
    if (text !== undefined) {
      mkdirSync(path.dirname(system.settings), { recursive: true });
      writeFileSync(system.settings, text, { mode: 0o640 });
      chmodSync(system.settings, 0o640);
    }
    await run("managed");
    await run("managed");
    const said = await remove("managed");
    if (text === undefined) expect(existsSync(path.dirname(system.settings))).toBe(false);
    else expect([readFileSync(system.settings, "utf8"), mode(system.settings)]).toEqual([text, 0o640]);
    expect(readInstalls(system.store).records).toEqual([]);
    expect(said).toContain(`stay in ${system.store.root}`);
    expect(lstatSync(path.join(system.store.root, "1.2.3-abc123")).isDirectory()).toBe(true);
  });

  test("a person's entries in the machine's file are somebody else's", async () => {
    mkdirSync(path.dirname(system.settings), { recursive: true });
    const foreign = { hooks: { Stop: [{ hooks: [{ type: "command", command: `${world.home}/versions/x/hook` }] }] } };
    writeFileSync(system.settings, JSON.stringify(foreign));
    await run("managed");
    expect(JSON.parse(readFileSync(system.settings, "utf8")).hooks.Stop).toHaveLength(2);
    await remove("managed");
    expect(readFileSync(system.settings, "utf8")).toBe(JSON.stringify(foreign));
  });
});
