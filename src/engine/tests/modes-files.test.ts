/** What people do to the state files of modes, while several sessions of one project are at work. */
import fs from "node:fs";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ModeWorld } from "./modes.samples.ts";

let world: ModeWorld;
beforeEach(() => {
  world = new ModeWorld();
});
afterEach(() => world.close());

it("a removed file ends its mode, also where another session cancels the same mode before that is noticed", async () => {
  await world.prompt("one", "ultrawork: port the scripts");
  await world.prompt("two", "ultrawork: write the tests");
  fs.rmSync(world.stateFile("one", "ultrawork"));
  await world.prompt("two", "/cancel");
  expect(world.runs("two")).toEqual([]);
  expect((await world.stop("one")).isHeld).toBe(false);
  expect(world.runs("one")).toEqual([]);
});

it("when the newest session cancels a mode, the project's file shows the one that still has it", async () => {
  await world.prompt("one", "ultrawork: port the scripts");
  await world.prompt("two", "ultrawork: write the tests");
  await world.prompt("two", "/cancel");
  const shown = JSON.parse(fs.readFileSync(`${world.project}/.omc/state/ultrawork-state.json`, "utf8"));
  expect(shown).toMatchObject({ session_id: "one", active: true });
  expect((await world.stop("one")).isHeld).toBe(true);
});
