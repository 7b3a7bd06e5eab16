/** A grant covers exactly one command or loss, in one project, for a limited number and time, is recorded, and comes from a person. */
import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { toolCall } from "../../../../test/support/events.ts";
import { LAUNCHER, World } from "../../../../test/support/world.ts";
import { NO_TERMINAL, typingTerminal } from "../../installation/setup.samples.ts";
import { recordCommand } from "../../state/record-command.ts";
import { allowCommand } from "./command.ts";
import { runAllow } from "./run.ts";

const ROUTE = { client: "node", daemon: false } as const;
const PATH = process.env.PATH ?? "";
let world: World;
let calls = 0;

beforeEach(() => {
  world = new World();
});
afterEach(() => world.dispose());

const answer = async (command: string): Promise<string> => {
  const { stdout } = await world.send(toolCall(world, `call-${++calls}`, "Bash", { command }), ROUTE, {
    env: { PATH },
  });
  const said = stdout === "" ? {} : JSON.parse(stdout).hookSpecificOutput;
  return said?.permissionDecision ?? said?.additionalContext ?? "pass";
};
const context = (args: string[], options = {}, env = {}) => {
  const lines: string[] = [];
  const say = (text: string): unknown => lines.push(text);
  const whole = { HOOKWRIGHT_HOME: world.home, HOME: world.userHome, ...env };
  return { args, options, cwd: world.project, env: whole, out: say, err: say, said: () => lines.join("\n") };
};
const grant = async (args: string[], options: object): Promise<void> => {
  const given = context(args, options);
  expect(await runAllow(given, typingTerminal("allow\n"))).toBe(0);
  recordCommand(["allow", ...args], "", given);
};

it("lets one command pass once", async () => {
  expect(await answer("git push --force")).toBe("deny");
  await grant(["git push --force"], { once: true, reason: "the release was wrong" });
  expect(await answer("git push --force origin main")).toBe("deny");
  expect(await answer("git push --force")).toContain("The person has allowed this once (the release was wrong)");
  expect(await answer("git push --force")).toBe("deny");
  const { stdout } = await world.start([process.execPath, LAUNCHER, "journal", "--json"], { env: { PATH } }).ended;
  expect(stdout).toContain("allow git push --force");
  expect(stdout).toContain("has allowed this once");
});

it("lets a kind pass for what a pattern means, until it is taken back", async () => {
  await grant([], { for: "10m", kind: "delete-tree", target: "data/**" });
  expect(await answer("rm -rf data/old")).toContain("has allowed this");
  expect(await answer("rm -rf data/new")).toContain("has allowed this");
  expect(await answer("rm -rf src")).toBe("ask");
  expect(await answer("rm -rf data/old src")).toBe("ask");
  expect(await answer("rm -rf data/old && git push --force")).toBe("deny");
  const listed = context([], { list: true, json: true });
  await runAllow(listed, NO_TERMINAL);
  const [{ id }] = JSON.parse(listed.said());
  expect(await runAllow(context([], { revoke: id }), typingTerminal(""))).toBe(0);
  expect(await answer("rm -rf data/old")).toBe("ask");
});

it("keeps no secret of a command", async () => {
  const secret = ["gh", "p_", "16C7e42F292c6912E7710c838347Ae178B4a"].join("");
  await grant([`git push --force https://x:${secret}@github.com/a/b`], { once: true });
  const bytes = fs.readdirSync(world.home).map((name) => path.join(world.home, name));
  const files = bytes.filter((file) => fs.statSync(file).isFile());
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) expect(fs.readFileSync(file).includes(secret), file).toBe(false);
  expect(await answer(`git push --force https://x:${secret}@github.com/a/b`)).toContain("has allowed this once");
});

it("lets two calls at once use it once", async () => {
  await grant(["git push --force"], { once: true });
  const answers = await Promise.all(["a", "b", "c", "d"].map(() => answer("git push --force")));
  expect(answers.filter((one) => one === "deny")).toHaveLength(3);
});

it("is over when its time is", async () => {
  await grant(["git push --force"], { for: "1s" });
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  expect(await answer("git push --force")).toBe("deny");
});

it("does not outweigh what protects the guard", async () => {
  await grant(["hookwright off"], { once: true });
  expect(await answer("hookwright off")).toBe("deny");
  expect(await answer("hookwright allow --once 'git push --force'")).toBe("deny");
  expect(await answer("npx hookwright allow --for 1h --kind delete-tree --target '**'")).toBe("deny");
});

it("is given by a person in a terminal, who types a word", async () => {
  const agent = context(["git push --force"], { once: true }, { CLAUDECODE: "1" });
  expect(await runAllow(agent, typingTerminal("allow\n"))).toBe(1);
  expect(agent.said()).toContain("an agent is running it");
  expect(await runAllow(context(["git push --force"], { once: true }), NO_TERMINAL)).toBe(1);
  expect(await runAllow(context(["git push --force"], { once: true }), typingTerminal("yes\n"))).toBe(1);
  const piped = await world.start([process.execPath, LAUNCHER, "allow", "--once", "git push --force"], {
    env: { PATH },
  }).ended;
  expect(piped.exit).toBe(1);
  expect(await answer("git push --force")).toBe("deny");
  expect(Object.keys(allowCommand.options ?? {})).not.toContain("yes");
});

it.each([
  [[], { once: true }, "Give either a command"],
  [["a", "b"], { once: true }, "in quotes"],
  [["ls"], {}, "--once"],
  [["ls"], { for: "10 minutes" }, "30s, 10m or 2h"],
  [["ls"], { for: "48h" }, "at most a day"],
  [[], { once: true, kind: "delete-everything", target: "x" }, "is not a kind"],
  [[], { once: true, kind: "delete-tree" }, "go together"],
  [["ls"], { once: true, list: true }, "cannot be combined"],
])("explains what is wrong with %j %j", async (args, options, why) => {
  await expect(runAllow(context(args, options), typingTerminal("allow\n"))).rejects.toThrow(why);
});
