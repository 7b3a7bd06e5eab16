import fs from "node:fs";
import path from "node:path";
import { PassThrough } from "node:stream";
import { beforeEach, describe, expect, test } from "vitest";
import { isSwitchedOff, offFileAt } from "../../../engine/receive/kill-switch.ts";
import {
  contextOf,
  failing,
  filesBelow,
  makeWorld,
  NO_TERMINAL,
  type SetupWorld,
  typingTerminal,
} from "../../installation/setup.samples.ts";
import { onCommand, runOn } from "../on/command.ts";
import { offCommand, runOff } from "./command.ts";

let world: SetupWorld;
beforeEach(() => {
  world = makeWorld();
});

const asAgent = () => ({ ...world, env: { ...world.env, CLAUDECODE: "1" } });
const switchOff = (options = {}) => runOff(contextOf(world, options), typingTerminal("off\n"));

describe("off", () => {
  test("says what it does, asks for the word, and is seen", async () => {
    const output = Object.assign(new PassThrough(), { isTTY: true });
    const shown: string[] = [];
    output.on("data", (chunk) => shown.push(String(chunk)));
    const terminal = { ...typingTerminal("off\n"), output };
    const context = contextOf(world);
    expect(isSwitchedOff(world.home)).toBe(false);
    expect(await runOff(context, terminal)).toBe(0);
    expect(isSwitchedOff(world.home)).toBe(true);
    expect(context.said()).toContain("Hookwright is off");
    expect(shown.join("")).toContain("No policy will check anything, in any project");
    const state = JSON.parse(fs.readFileSync(offFileAt(world.home), "utf8"));
    expect(Object.keys(state)).toEqual(["at"]);
    expect(Math.abs(Date.parse(state.at) - Date.now())).toBeLessThan(60_000);
    expect(fs.statSync(offFileAt(world.home)).mode & 0o777).toBe(0o600);
    expect(fs.readdirSync(world.home)).toEqual(["off.json"]);
  });

  test("keeps the reason and tells it later", async () => {
    await switchOff({ reason: "demo at ten" });
    const context = contextOf(world);
    expect(await runOff(context, typingTerminal(""))).toBe(0);
    expect(context.said()).toMatch(/already off since 20\S+ [\d:]+ \(demo at ten\)/);
  });

  test.each(["on\n", "y\n", "yes\n", "\n", ""])("does nothing after %j", async (typed) => {
    const context = contextOf(world);
    expect(await runOff(context, typingTerminal(typed))).toBe(1);
    expect(context.said()).toContain("Nothing was changed");
    expect(filesBelow(world.home)).toEqual({});
  });

  test("is refused to an agent and without a terminal", async () => {
    const agent = contextOf(asAgent());
    expect(await runOff(agent, typingTerminal("off\n"))).toBe(1);
    expect(agent.said()).toContain("an agent is running it (CLAUDECODE is set)");
    const script = contextOf(world);
    expect(await runOff(script, NO_TERMINAL)).toBe(1);
    expect(script.said()).toContain("there is no terminal");
    expect(filesBelow(world.home)).toEqual({});
  });

  test("has no option that answers by itself", () => {
    for (const command of [offCommand, onCommand]) expect(Object.keys(command.options ?? {})).not.toContain("yes");
  });

  test("says so when it cannot be written", async () => {
    fs.writeFileSync(world.home, "in the way");
    await failing("HW_WRITE_FAILED", () => switchOff());
    expect(isSwitchedOff(world.home)).toBe(false);
  });

  test("holds whatever stands in the file", () => {
    fs.mkdirSync(world.home);
    fs.writeFileSync(offFileAt(world.home), "torn");
    expect(isSwitchedOff(world.home)).toBe(true);
    expect(isSwitchedOff(path.join(world.root, "elsewhere"))).toBe(false);
  });
});

describe("on", () => {
  test("switches it on again without a word, and says since when it was off", async () => {
    await switchOff({ reason: "demo" });
    const context = contextOf(world);
    expect(runOn(context, typingTerminal(""))).toBe(0);
    expect(isSwitchedOff(world.home)).toBe(false);
    expect(context.said()).toMatch(/on again. It was off since 20\S+ [\d:]+ \(demo\)\./);
    expect(filesBelow(world.home)).toEqual({});
  });

  test.each(["torn", "null", "[]", '{"at": 7}'])("also when the file holds %j", (text) => {
    fs.mkdirSync(world.home);
    fs.writeFileSync(offFileAt(world.home), text);
    const context = contextOf(world);
    expect(runOn(context, typingTerminal(""))).toBe(0);
    expect(context.said()).toBe("Hookwright is on again. It was off.\n");
    expect(isSwitchedOff(world.home)).toBe(false);
  });

  test("changes nothing when it is on", () => {
    const context = contextOf(world);
    expect(runOn(context, typingTerminal(""))).toBe(0);
    expect(context.said()).toContain("on already");
    expect(filesBelow(world.home)).toEqual({});
  });

  test("is refused to an agent and without a terminal", async () => {
    await switchOff();
    for (const [context, terminal] of [
      [contextOf(asAgent()), typingTerminal("")],
      [contextOf(world), NO_TERMINAL],
    ] as const) {
      expect(runOn(context, terminal)).toBe(1);
      expect(context.said()).toContain("hookwright on: only a person may do this");
      expect(isSwitchedOff(world.home)).toBe(true);
    }
  });

  test("does not promise what the shell takes away", () => {
    const context = contextOf({ ...world, env: { ...world.env, HOOKWRIGHT_DISABLE: "1" } });
    expect(runOn(context, typingTerminal(""))).toBe(0);
    expect(context.said()).toContain("HOOKWRIGHT_DISABLE=1 is set in this shell");
  });
});
