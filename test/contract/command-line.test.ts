/** What scripts rely on, whatever the command: help, exit codes, JSON where data is printed, no colour in a pipe. */
import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { commands } from "../../src/cli/commands/index.ts";
import { filesBelow } from "../../src/cli/installation/setup.samples.ts";
import { DIST, LAUNCHER, World } from "../support/world.ts";

const NAMES = commands.map(({ name }) => name);
const COMMANDS_IN_TURN = path.resolve(import.meta.dirname, "../support/commands-in-turn.mjs");
let world: World;
beforeEach(() => {
  world = new World();
});
afterEach(() => world.dispose());

interface Ended {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The built command line; how it ends as a process is looked at below, once for each exit code. */
async function inTurn(runs: readonly (readonly string[])[]): Promise<readonly Ended[]> {
  const command = [process.execPath, COMMANDS_IN_TURN, DIST];
  const { stdout, stderr } = await world.start(command, { input: JSON.stringify(runs) }).ended;
  expect(stderr).toBe("");
  return JSON.parse(stdout) as Ended[];
}

it("every command has help on standard output, and a wrong option is 1, never 2", async () => {
  const helps = await inTurn(NAMES.map((name) => [name, "--help"]));
  const wrongs = await inTurn(NAMES.map((name) => [name, "--no-such-option"]));
  for (const [at, name] of NAMES.entries()) {
    expect(helps[at], name).toMatchObject({ exit: 0, stderr: "" });
    expect(helps[at]?.stdout).toContain(`Usage: hookwright ${name}`);
    expect(wrongs[at], name).toMatchObject({ exit: 1, stdout: "" });
    expect(wrongs[at]?.stderr, name).toMatch(/--no-such-option/);
    expect(wrongs[at]?.stderr, name).toMatch(/--help/);
  }
  expect(helps).toHaveLength(NAMES.length);
  expect(fs.existsSync(world.home)).toBe(false);
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

it("commands that look end the same way for people and programs, and print one JSON value for those", async () => {
  const answers = await inTurn(LOOKS.flatMap(([args]) => [args, [...args, "--json"]]));
  for (const [at, [args, exit]] of LOOKS.entries()) {
    const [text, json] = [answers[2 * at], answers[2 * at + 1]];
    const name = args.join(" ");
    expect([text?.exit, json?.exit, text?.stderr, json?.stderr], name).toEqual([exit, exit, "", ""]);
    expect(text?.stdout, name).not.toBe("");
    expect(text?.stdout, name).not.toContain("\u001b");
    expect(typeof JSON.parse(json?.stdout ?? ""), name).toBe("object");
  }
});

describe("as a process", () => {
  it.each<[exit: number, args: readonly string[]]>([
    [0, ["check", "ls"]],
    [1, ["check", "--no-such-option"]],
    [2, ["check", "rm -rf /"]],
  ])("ends with %i", async (exit, args) => {
    const ended = await world.hookwright(...args);
    expect(ended.exit).toBe(exit);
    expect(ended.stdout === "").toBe(exit === 1);
    expect(ended.stdout).not.toContain("\u001b");
  });
});

describe("check", () => {
  it("says pass, ask and deny by its exit code, and reads the command from a pipe as well", async () => {
    const expected = [
      ["ls", "pass", 0],
      ["git reset --hard", "ask", 2],
      ["git push --force", "deny", 2],
      ["echo $(", "ask", 2],
    ] as const;
    const answers = await inTurn(expected.map(([command]) => ["check", "--json", command]));
    for (const [at, [command, verdict, exit]] of expected.entries()) {
      const answer = answers[at];
      expect([answer?.exit, JSON.parse(answer?.stdout ?? "")]).toEqual([exit, expect.objectContaining({ verdict })]);
      const piped = await world.start([process.execPath, LAUNCHER, "check", "-", "--json"], { input: command }).ended;
      expect([piped.exit, piped.stdout]).toEqual([exit, answer?.stdout]);
    }
  });

  it("names each effect with its kind, its target and the piece it comes from", async () => {
    const { stdout } = await world.hookwright("check", "--json", "ls && rm -rf src");
    expect(JSON.parse(stdout).effects).toMatchObject([{ kind: "delete-tree", target: "src", text: "rm -rf src" }]);
  });
});

describe("demo", () => {
  it("needs nothing installed and no terminal, and leaves nothing", { timeout: 180_000 }, async () => {
    const before = filesBelow(world.root);
    const running = world.start([process.execPath, LAUNCHER, "demo"], { limitMs: 30_000 });
    const { exit, stdout, stderr } = await running.ended;
    expect([exit, stderr]).toEqual([0, ""]);
    for (const outcome of ["pass", "deny", "hold", "notice"]) expect(stdout).toMatch(new RegExp(`^ +${outcome} `, "m"));
    const [, folder = ""] = /(\/\S*hookwright-demo-\w+)/.exec(stdout) ?? [];
    expect([path.basename(folder).startsWith("hookwright-demo-"), fs.existsSync(folder)]).toEqual([true, false]);
    expect(filesBelow(world.root)).toEqual(before);
  });
});
