/** An agent whose hooks lie in a folder of our own with a manifest beside them: Gemini CLI. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
  type SetupWorld,
} from "../../installation/setup.samples.ts";
import { oldVersions, settingsNaming } from "../maintain/old-versions.ts";
import { runUninstall } from "../uninstall/run.ts";
import { runInit } from "./run.ts";

const EVENTS = [
  { event: "BeforeTool", guarded: true },
  { event: "AfterAgent", guarded: false },
];

let world: SetupWorld;
let gemini: string;
let manifest: string;
let hooks: string;
beforeEach(() => {
  world = makeWorld();
  gemini = path.join(world.env.HOME ?? "", ".gemini");
  manifest = path.join(gemini, "extensions", "hookwright", "gemini-extension.json");
  hooks = path.join(gemini, "extensions", "hookwright", "hooks", "hooks.json");
});
afterEach(() => rmSync(world.root, { recursive: true, force: true }));

const options = { yes: true, agent: "gemini-cli" };
async function init(): Promise<string> {
  const context = contextOf(world, options);
  const source = { hasSqlite: true, node: "/opt/node" };
  const parts = { events: () => EVENTS, packageRoot: world.packageRoot, terminal: NO_TERMINAL, source };
  expect(await runInit(context, parts)).toBe(0);
  return context.said();
}
async function uninstall(): Promise<string> {
  const context = contextOf(world, options);
  expect(await runUninstall(context, NO_TERMINAL)).toBe(0);
  return context.said();
}
function put(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}
const records = () => readInstalls(homeAt(world.home, "")).records;

describe("installing", () => {
  test("writes the manifest beside the hooks, and says so", async () => {
    const said = await init();
    expect(said).toContain(`writes ${manifest} beside it`);
    expect(JSON.parse(readFileSync(manifest, "utf8"))).toMatchObject({ name: "hookwright" });
    expect(Object.keys(JSON.parse(readFileSync(hooks, "utf8")).hooks)).toEqual(["BeforeTool", "AfterAgent"]);
    expect(records()).toMatchObject([{ agent: "gemini-cli", guarded: ["BeforeTool"], file: hooks }]);
  });

  test("again changes nothing, and puts back a manifest that is gone", async () => {
    await init();
    const before = filesBelow(gemini);
    expect(await init()).toContain("Already installed");
    rmSync(manifest);
    expect(await init()).toContain(`Installed in ${hooks}`);
    expect(filesBelow(gemini)).toEqual(before);
  });

  test.each([["{}"], ["no JSON"], [""]])("leaves somebody else's extension of this name alone: %j", async (text) => {
    put(manifest, text);
    const before = filesBelow(gemini);
    const { message, fix } = await failing("HW_NOT_OURS", init);
    expect(message).toContain(manifest);
    expect(fix).toContain("Move it away");
    expect(filesBelow(gemini)).toEqual(before);
    expect(records()).toEqual([]);
  });

  test("leaves hooks that are no JSON alone, with the place of the mistake", async () => {
    put(hooks, '{\n  "hooks": {},\n}');
    const before = filesBelow(gemini);
    expect((await failing("HW_SETTINGS_MALFORMED", init)).message).toContain(`${hooks}:2:`);
    expect(filesBelow(gemini)).toEqual(before);
  });
});

describe("uninstalling", () => {
  test.each([
    ["nothing", {}],
    ["settings", { "settings.json": '{"a": 1}' }],
    ["other extensions", { "extensions/other/gemini-extension.json": "{}" }],
    ["an empty extension of this name", { "extensions/hookwright/README": "x" }],
  ])("leaves what there was: %s", async (_name, files) => {
    for (const [name, text] of Object.entries(files)) put(path.join(gemini, name), text);
    const before = filesBelow(world.env.HOME ?? "");
    await init();
    makePackage(world.packageRoot, { version: "2.0.0", build: "fff" });
    await init();
    await uninstall();
    expect(filesBelow(world.env.HOME ?? "")).toEqual(before);
    expect(records()).toEqual([]);
  });

  test("takes the hooks away before anything else", async () => {
    await init();
    // With a folder in its place the manifest cannot be removed.
    rmSync(manifest);
    mkdirSync(manifest);
    await failing("HW_SETTINGS_NOT_A_FILE", uninstall);
    expect(existsSync(hooks)).toBe(false);
    expect(existsSync(manifest)).toBe(true);
  });

  test("that was interrupted is finished by the next", async () => {
    await init();
    rmSync(path.dirname(hooks), { recursive: true });
    expect(await uninstall()).toContain("not installed");
    expect(existsSync(gemini)).toBe(false);
  });

  test("leaves nothing of ours also when the record is lost", async () => {
    await init();
    rmSync(path.join(world.home, "installs.json"));
    await uninstall();
    expect(existsSync(path.join(gemini, "extensions", "hookwright"))).toBe(false);
  });

  test("keeps a manifest that somebody has changed, and says so", async () => {
    await init();
    writeFileSync(manifest, '{"name": "hookwright", "version": "9"}');
    expect(await uninstall()).toContain(`${manifest} was changed by somebody and stays`);
    expect(Object.keys(filesBelow(path.dirname(manifest)))).toEqual(["gemini-extension.json"]);
  });

  test("keeps hooks that others have added there", async () => {
    await init();
    const text = JSON.parse(readFileSync(hooks, "utf8")) as { hooks: Record<string, unknown[]> };
    text.hooks.AfterAgent?.push({ hooks: [{ type: "command", command: "notify" }] });
    writeFileSync(hooks, JSON.stringify(text));
    await uninstall();
    expect(JSON.parse(readFileSync(hooks, "utf8"))).toEqual({
      hooks: { AfterAgent: [{ hooks: [{ type: "command", command: "notify" }] }] },
    });
  });
});

test("a version that the extension names is kept, although no record does", async () => {
  await init();
  const store = homeAt(world.home, "");
  rmSync(path.join(world.home, "installs.json"));
  const later = Date.now() + 2 * 3_600_000;
  const [kept] = oldVersions(store, settingsNaming(world.env, world.project), later);
  expect(kept?.why).toBe(`${hooks} still names it`);
  await uninstall();
  expect(oldVersions(store, settingsNaming(world.env, world.project), later)[0]?.why).not.toContain("names it");
});
