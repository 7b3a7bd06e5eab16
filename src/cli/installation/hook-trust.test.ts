/** `init`, `doctor` and `uninstall` with a stand-in for Codex; `npm run conformance` does the same with the real one. */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CODEX } from "../../agents/codex/declaration.ts";
import { codexInstaller } from "../../agents/codex/install.ts";
import { ownHandlersUnder } from "../../agents/own-handlers.ts";
import { homeAt } from "../../system/home.ts";
import { runInit } from "../commands/init/run.ts";
import { runUninstall } from "../commands/uninstall/run.ts";
import type { Terminal } from "../terminal/confirm.ts";
import { trustProblem } from "./hook-trust.ts";
import { readInstalls } from "./installs.ts";
import {
  contextOf,
  makePackage,
  makeWorld,
  NO_TERMINAL,
  SETUP_EVENTS,
  type SetupWorld,
  typingTerminal,
} from "./setup.samples.ts";

/** Lists every hook of the person, trusted when the settings hold the hash of its command, and writes tables as Codex does. */
const STAND_IN = `#!${process.execPath}
const fs = require("node:fs");
const folder = process.env.HOME + "/.codex/";
const file = folder + "config.toml";
const hash = (text) => "sha256:" + require("node:crypto").createHash("sha256").update(text).digest("hex");
const settings = () => (fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "");
const table = (key, hash) => "[hooks.state." + JSON.stringify(key) + "]\\ntrusted_hash = \\"" + hash + "\\"\\n";
function list() {
  const { hooks } = JSON.parse(fs.readFileSync(folder + "hooks.json", "utf8"));
  return Object.entries(hooks).flatMap(([event, groups]) => groups.flatMap((group, g) => group.hooks.map((hook, h) => {
    const key = [folder + "hooks.json", event, g, h].join(":");
    const currentHash = hash(hook.command);
    const trustStatus = settings().includes(table(key, currentHash)) ? "trusted" : "untrusted";
    return { key, currentHash, trustStatus, eventName: event, sourcePath: folder + "hooks.json", command: hook.command };
  })));
}
function answer({ method, params }) {
  if (method === "hooks/list") return { data: [{ hooks: list() }] };
  if (method !== "config/batchWrite") return {};
  let text = settings();
  if (!text.includes("[hooks.state]")) text += "\\n[hooks.state]\\n";
  for (const [key, { trusted_hash }] of Object.entries(params.edits[0].value)) text += "\\n" + table(key, trusted_hash);
  fs.writeFileSync(file, text);
  return { status: "ok" };
}
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.id !== undefined) console.log(JSON.stringify({ id: message.id, result: answer(message) }));
});
`;
const CONFIG = 'model = "m"\n\n[projects."/p"]\ntrust_level = "trusted"\n';

let world: SetupWorld;
let env: NodeJS.ProcessEnv;
const codexFile = (name: string): string => path.join(world.root, "user", ".codex", name);
const config = (): string => readFileSync(codexFile("config.toml"), "utf8");

beforeEach(() => {
  world = makeWorld();
  const bin = path.join(world.root, "bin");
  mkdirSync(bin);
  writeFileSync(path.join(bin, "codex"), STAND_IN);
  chmodSync(path.join(bin, "codex"), 0o755);
  env = { ...world.env, PATH: `${bin}${path.delimiter}${world.env.PATH}` };
  mkdirSync(codexFile(""));
  writeFileSync(codexFile("config.toml"), CONFIG);
});
afterEach(() => rmSync(world.root, { recursive: true, force: true }));

async function init(terminal: Terminal = NO_TERMINAL, yes = true): Promise<string> {
  const context = { ...contextOf(world, { agent: "codex", ...(yes ? { yes } : { profile: "safety" }) }), env };
  const source = { hasSqlite: true };
  expect(await runInit(context, { events: () => SETUP_EVENTS, packageRoot: world.packageRoot, terminal, source })).toBe(
    0,
  );
  return context.said();
}

async function uninstall(): Promise<void> {
  const context = { ...contextOf(world, { agent: "codex", yes: true }), env };
  expect(await runUninstall(context, NO_TERMINAL)).toBe(0);
}

const problem = (): Promise<string> =>
  trustProblem({
    installer: codexInstaller,
    declaration: CODEX,
    place: { env, userHome: env.HOME ?? "", cwd: world.project, project: world.project },
    file: codexFile("hooks.json"),
    isOurs: ownHandlersUnder(path.join(world.home, "versions")),
  });

describe("trust in the hooks of Codex", () => {
  test("is recorded at init, and everything comes back at uninstall", async () => {
    expect(await init()).toContain("Codex CLI trusts them now.");
    expect(config().match(/trusted_hash/g)).toHaveLength(SETUP_EVENTS.length);
    expect(await problem()).toBe("");
    await uninstall();
    expect(config()).toBe(CONFIG);
    expect(existsSync(codexFile("hooks.json"))).toBe(false);
  });

  test("that a file of settings was made for is removed with the file", async () => {
    rmSync(codexFile("config.toml"));
    await init();
    expect(existsSync(codexFile("config.toml"))).toBe(true);
    await uninstall();
    expect(existsSync(codexFile("config.toml"))).toBe(false);
  });

  test("is asked for, and without a yes nothing is written", async () => {
    const said = await init(typingTerminal("y\nn\n"), false);
    expect(said).toContain("skips the hooks until you trust them");
    expect(config()).toBe(CONFIG);
    expect(await problem()).toContain("because nobody has trusted them as they are");
    expect(await init(typingTerminal("y\n"), false)).toContain("trusts them now");
  });

  test("ends when another version is installed, and is recorded again for it", async () => {
    await init();
    makePackage(world.packageRoot, { version: "2.0.0", build: "fff" });
    await init();
    expect(await problem()).toBe("");
    await uninstall();
    expect(config()).toBe(CONFIG);
  });

  test("leaves what a person wrote meanwhile", async () => {
    await init();
    writeFileSync(codexFile("config.toml"), `# mine\n${config()}\n[tui]\nx = 1\n`);
    await uninstall();
    expect(config()).toBe(`# mine\n${CONFIG}\n[tui]\nx = 1\n`);
  });

  test("is not given to the hooks of others", async () => {
    const foreign = { hooks: { Stop: [{ hooks: [{ type: "command", command: "lint" }] }] } };
    writeFileSync(codexFile("hooks.json"), JSON.stringify(foreign));
    await init();
    expect(config()).not.toContain(":Stop:0:0");
    expect(config()).toContain(":Stop:1:0");
  });

  test("that Codex cannot be asked about is said, and the hooks stay installed", async () => {
    rmSync(path.join(world.root, "bin", "codex"));
    expect(await init()).toContain("could not be asked about its trust in these hooks");
    expect(readInstalls(homeAt(world.home, "")).records).toMatchObject([{ agent: "codex" }]);
    expect(await problem()).toContain("could not be asked whether it trusts");
    await uninstall();
  });
});

test("without an agent that fails closed, `init` calls no event guarded", async () => {
  expect(await init()).not.toContain("guarded");
});
