/** The switches of oh-my-claudecode, in the environment of the agent, through the real engine. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ModeWorld } from "./modes.samples.ts";

let world: ModeWorld;
beforeEach(() => {
  world = new ModeWorld();
});
afterEach(() => world.close());

describe("a mode that is on", () => {
  beforeEach(async () => {
    await world.send("one", { hook_event_name: "SessionStart", source: "startup" });
    expect(await world.mode("start ultrawork port the scripts")).toBe(true);
  });

  it("is held, and is named to the model that starts another one", async () => {
    expect((await world.stop("one")).model).toContain("port the scripts");
    expect(await world.call("one", "hookwright mode start swarm")).toBe(false);
  });

  it.each<[Record<string, string>, boolean, boolean]>([
    [{ DISABLE_OMC: "1" }, false, true],
    [{ OMC_SKIP_HOOKS: "ultrawork" }, false, false],
    [{ OMC_SKIP_HOOKS: "persistent-mode" }, false, false],
    [{ OMC_SKIP_HOOKS: "mode-registry" }, true, true],
    [{ OMC_SKIP_HOOKS: "ralph,autopilot" }, true, false],
    [{ DISABLE_OMC: "0" }, true, false],
  ])("with %j: held %s, a start by the model passes %s", async (env, isHeld, passes) => {
    world.env = env;
    expect(await world.call("one", "hookwright mode start swarm")).toBe(passes);
    expect((await world.stop("one")).isHeld).toBe(isHeld);
    world.env = {};
    expect((await world.stop("one")).isHeld).toBe(true);
  });

  it("guards of other profiles stay on", async () => {
    world.env = { DISABLE_OMC: "1", OMC_SKIP_HOOKS: "destructive-command" };
    expect(await world.call("one", "rm -rf /")).toBe(false);
  });
});

it.each<[Record<string, string>, string[]]>([
  [{}, ["ultrawork"]],
  [{ OMC_SKIP_HOOKS: "keyword-detector" }, []],
  [{ DISABLE_OMC: "true" }, []],
])("a prompt with %j starts %j", async (env, started) => {
  world.env = env;
  await world.prompt("one", "ultrawork: port the scripts");
  expect(world.runs("one").map(({ mode }) => mode)).toEqual(started);
});
