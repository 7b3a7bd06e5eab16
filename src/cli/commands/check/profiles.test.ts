/** After `init --profile`, all commands and hooks use and show the same profiles. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Answer } from "../../../../test/support/processes.ts";
import { LAUNCHER, World } from "../../../../test/support/world.ts";

/** A command that only the profile `ntm` denies. */
const COMMAND = "ntm view demo";

let world: World;
beforeAll(() => {
  world = new World();
});
afterAll(() => world.dispose());

const run = (args: readonly string[], input = ""): Promise<Answer> =>
  world.start([process.execPath, LAUNCHER, ...args], { input }).ended;

async function shown(...args: string[]): Promise<string> {
  return (await run(args)).stdout;
}

const payload = (command: string): string =>
  JSON.stringify({
    session_id: "s",
    cwd: world.project,
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command },
    tool_use_id: `${Math.random()}`,
  });

/** Runs the hook from the agent's settings, as the agent does. */
function installedClient(command: string): string {
  const settings = JSON.parse(fs.readFileSync(path.join(world.userHome, ".claude", "settings.json"), "utf8"));
  const { command: program, args } = settings.hooks.PreToolUse[0].hooks[0];
  const options = { cwd: world.project, env: world.environment, input: payload(command), encoding: "utf8" } as const;
  return spawnSync(program, [...args, "--no-daemon"], options).stdout;
}

async function answers(): Promise<Record<string, unknown>> {
  const explained = JSON.parse((await run(["explain", "-", "--json"], payload(COMMAND))).stdout);
  return {
    policies: /^Profiles: ([^(]*) \(/.exec(await shown("policies"))?.[1],
    doctor: JSON.parse(await shown("doctor", "--json")).profiles.join(", "),
    check: JSON.parse(await shown("check", "--json", COMMAND)).policy,
    explain: explained.ruling.policy,
    statusline: (await run(["statusline"], "{}")).stdout.trim(),
    client: /ntm\/[a-z-]+/.exec(installedClient(COMMAND))?.[0] ?? "",
  };
}

describe("six readers of one configuration", () => {
  it("all know the profiles that init was given", async () => {
    expect((await run(["init", "--profile", "safety,ntm", "--yes"])).exit).toBe(0);
    const policy = "ntm/robot-mode";
    expect(await answers()).toEqual({
      policies: "safety, ntm",
      doctor: "safety, ntm",
      check: policy,
      explain: policy,
      statusline: "hookwright · safety, ntm",
      client: policy,
    });
  });

  it("all know the ones that it is given later", async () => {
    expect((await run(["init", "--profile", "safety,plan", "--yes"])).exit).toBe(0);
    expect(await answers()).toEqual({
      policies: "safety, plan",
      doctor: "safety, plan",
      check: "",
      explain: "",
      statusline: "hookwright · safety, plan",
      client: "",
    });
  });
});
