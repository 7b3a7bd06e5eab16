/** What scripts rely on, whatever the command: help, exit codes, JSON where data is printed, no colour in a pipe. */
import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { commands } from "../../src/cli/commands/index.ts";
import { snapshot } from "../../src/cli/installation/setup.samples.ts";
import { LAUNCHER, World } from "../support/world.ts";

const NAMES = commands.map(({ name }) => name);
let world: World;
beforeEach(() => {
  world = new World();
});
afterEach(() => world.dispose());

describe.each(NAMES)("%s", (name) => {
  it("has help on standard output, and a wrong option is 1, never 2", async () => {
    const help = await world.hookwright(name, "--help");
    expect([help.exit, help.stderr]).toEqual([0, ""]);
    expect(help.stdout).toContain(`Usage: hookwright ${name}`);
    const wrong = await world.hookwright(name, "--no-such-option");
    expect([wrong.exit, wrong.stdout]).toEqual([1, ""]);
    expect(wrong.stderr).toMatch(/--no-such-option/);
    expect(wrong.stderr).toMatch(/--help/);
    expect(fs.existsSync(world.home)).toBe(false);
  });
});

const LOOKS: readonly (readonly [args: readonly string[], exit: number])[] = [
  [["doctor"], 1],
  [["policies"], 0],
  [["policies", "safety/protected-paths"], 0],
  [["check", "rm -rf /"], 2],
  [["check", "ls"], 0],
  [["allow"], 0],
  [["trust", "--list"], 0],
  [["ntm", "status"], 0],
  [["plan", "status"], 0],
  [["teams", "status"], 0],
  [["daemon", "status"], 0],
  [["maintain"], 0],
];

describe.each(LOOKS)("%j", (args, exit) => {
  it("ends the same way for people and programs, and is one JSON value for those", async () => {
    const [text, json] = [await world.hookwright(...args), await world.hookwright(...args, "--json")];
    expect([text.exit, json.exit, text.stderr, json.stderr]).toEqual([exit, exit, "", ""]);
    expect(text.stdout).not.toBe("");
    expect(text.stdout).not.toContain("\u001b");
    expect(typeof JSON.parse(json.stdout)).toBe("object");
  });
});

describe("check", () => {
  it.each([
    ["ls", "pass", 0],
    ["git reset --hard", "ask", 2],
    ["git push --force", "deny", 2],
    ["echo $(", "ask", 2],
  ])("%s: %s", async (command, verdict, exit) => {
    const run = await world.hookwright("check", "--json", command);
    expect([run.exit, JSON.parse(run.stdout)]).toEqual([exit, expect.objectContaining({ verdict })]);
    const piped = await world.start([process.execPath, LAUNCHER, "check", "-", "--json"], { input: command }).ended;
    expect([piped.exit, piped.stdout]).toEqual([run.exit, run.stdout]);
  });

  it("names each effect with its kind, its target and the piece it comes from", async () => {
    const { stdout } = await world.hookwright("check", "--json", "ls && rm -rf src");
    expect(JSON.parse(stdout).effects).toMatchObject([{ kind: "delete-tree", target: "src", text: "rm -rf src" }]);
  });
});

describe("demo", () => {
  it("needs nothing installed and no terminal, and leaves nothing", { timeout: 40_000 }, async () => {
    const before = snapshot(world.root);
    const running = world.start([process.execPath, LAUNCHER, "demo"], { limitMs: 30_000 });
    const { exit, stdout, stderr } = await running.ended;
    expect([exit, stderr]).toEqual([0, ""]);
    for (const outcome of ["pass", "deny", "hold", "notice"]) expect(stdout).toMatch(new RegExp(`^ +${outcome} `, "m"));
    const [, folder = ""] = /(\/\S*hookwright-demo-\w+)/.exec(stdout) ?? [];
    expect([path.basename(folder).startsWith("hookwright-demo-"), fs.existsSync(folder)]).toEqual([true, false]);
    expect(snapshot(world.root)).toEqual(before);
  });
});
