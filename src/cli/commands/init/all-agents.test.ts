/** `--agent all`: the agents whose programs are on the PATH, and at `uninstall` also those that have lost theirs. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  contextOf,
  filesBelow,
  makeWorld,
  NO_TERMINAL,
  SETUP_EVENTS,
  type SetupWorld,
} from "../../installation/setup.samples.ts";
import { runUninstall } from "../uninstall/run.ts";
import { runInit } from "./run.ts";

const NOT_THERE = "/nonexistent";

let world: SetupWorld;
let programs: string;
beforeEach(() => {
  world = makeWorld();
  programs = path.join(world.root, "bin");
  mkdirSync(programs);
  for (const name of ["gemini", "pi", "qwen"]) writeFileSync(path.join(programs, name), "#!/bin/sh\n", { mode: 0o755 });
});
afterEach(() => rmSync(world.root, { recursive: true, force: true }));

async function run(command: "init" | "uninstall", scope: string, folder: string): Promise<string> {
  const context = contextOf({ ...world, env: { ...world.env, PATH: folder } }, { yes: true, agent: "all", scope });
  const source = { hasSqlite: true, node: "/opt/node" };
  const parts = { events: () => SETUP_EVENTS, packageRoot: world.packageRoot, terminal: NO_TERMINAL, source };
  const code = await (command === "init" ? runInit(context, parts) : runUninstall(context, NO_TERMINAL));
  expect(code).toBe(0);
  return context.said();
}

test("installs into every agent that is here, and removes all of that again", async () => {
  const before = filesBelow(world.env.HOME ?? "");
  expect(await run("init", "user", programs)).toContain("Agents: Gemini CLI, Qwen Code, pi\n");
  const installed = Object.keys(filesBelow(world.env.HOME ?? ""));
  expect(installed).toEqual(expect.arrayContaining([".qwen/settings.json", ".pi/agent/extensions/hookwright.js"]));
  // The agents are no longer on the PATH, as in another shell.
  await run("uninstall", "user", NOT_THERE);
  expect(filesBelow(world.env.HOME ?? "")).toEqual(before);
  expect(await run("uninstall", "user", NOT_THERE)).toContain("not installed in any agent");
});

test("passes over an agent that has no settings of a project", async () => {
  expect(await run("init", "project", programs)).toContain("Agents: Gemini CLI, Qwen Code\n");
  const left = Object.keys(filesBelow(world.project)).filter((name) => name.endsWith(".json"));
  expect(left).toEqual([".gemini/settings.json", ".qwen/settings.json"]);
});
