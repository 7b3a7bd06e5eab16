/** The plugins for opencode and pi, as `init` installs them, with a daemon that answers, is gone, is stopped, or cannot be started. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect } from "vitest";
import type { Running } from "../support/processes.ts";
import { query, rulings } from "../support/records.ts";
import { daemonsOf, eventually, test } from "../support/surroundings.ts";
import { LAUNCHER, type World } from "../support/world.ts";

const HOST = path.resolve(import.meta.dirname, "../support/plugin-host.mjs");
const DENIED = "bash git push --force origin main";
const HARMLESS = "bash ls";

interface Agent {
  readonly id: string;
  readonly file: (world: World) => string;
}
const AGENTS: readonly Agent[] = [
  { id: "opencode", file: ({ userHome }) => path.join(userHome, ".config/opencode/plugins/hookwright.js") },
  { id: "pi", file: ({ userHome }) => path.join(userHome, ".pi/agent/extensions/hookwright.js") },
];

async function install(world: World, { id }: Agent): Promise<void> {
  const made = await world.start([process.execPath, LAUNCHER, "init", "--yes", "--agent", id]).ended;
  expect([made.exit, made.stderr]).toEqual([0, ""]);
}

/** Each call in a row, and what became of it. */
async function calls(world: World, agent: Agent, lines: readonly string[], env = {}): Promise<string[]> {
  const input = `${lines.join("\n")}\n`;
  const host = world.start([process.execPath, HOST, agent.id, agent.file(world)], { input, env });
  const { stdout, stderr } = await host.ended;
  expect(stdout.startsWith("loaded\n"), stderr).toBe(true);
  return stdout.trim().split("\n").slice(1);
}

const versionFolder = (world: World): string => {
  const [name = ""] = fs.readdirSync(path.join(world.home, "versions"));
  return path.join(world.home, "versions", name);
};

async function startInstalled(world: World): Promise<Running> {
  const daemon = world.start([process.execPath, path.join(versionFolder(world), "daemon.cjs")], {
    cwd: "/",
    env: { HOOKWRIGHT_DAEMON_LOG: "stderr", HOOKWRIGHT_CRASH_POINT: "none" },
    limitMs: 300_000,
  });
  await daemon.sees("stderr", /listening on/);
  return daemon;
}

describe.each(AGENTS)("the plugin for $id", (agent) => {
  test("without a daemon decides in a process of its own, and has a daemon started", async ({ makeWorld }) => {
    const world = makeWorld();
    await install(world, agent);
    const [denied, ran] = await calls(world, agent, [DENIED, HARMLESS]);
    expect(denied).toContain("safety/destructive-command");
    expect(ran).toBe("ran");
    await eventually("a daemon", () => daemonsOf(world).length > 0);
    expect([rulings(world, "call_1"), rulings(world, "call_2")]).toEqual([["deny"], ["pass"]]);
  });

  test("gets the same from a daemon, also while that is stopped, and each call is recorded once", async ({
    makeWorld,
  }) => {
    const world = makeWorld();
    await install(world, agent);
    const daemon = await startInstalled(world);
    expect(await calls(world, agent, [HARMLESS, DENIED])).toEqual(["ran", expect.stringContaining("destructive")]);
    daemon.kill("SIGSTOP");
    expect(await calls(world, agent, [DENIED, HARMLESS])).toEqual([expect.stringContaining("destructive"), "ran"]);
    daemon.kill("SIGCONT");
    expect(query(world, "SELECT count(*) AS n FROM journal WHERE tool_use_id <> ''")).toEqual([{ n: 4 }]);
  });

  test.for([
    ["its Node is gone", (folder: string) => fs.writeFileSync(path.join(folder, "node.path"), "/nonexistent/node\n")],
    ["its engine is gone", (folder: string) => fs.rmSync(path.join(folder, "engine.cjs"))],
    ["its folder is gone", (folder: string) => fs.renameSync(folder, `${folder}.away`)],
    [
      "its own program is broken",
      (folder: string) => fs.writeFileSync(path.join(folder, "shim.cjs"), "not JavaScript"),
    ],
  ] as const)("denies every call when %s", async ([, breakIt], { makeWorld }) => {
    const world = makeWorld();
    await install(world, agent);
    breakIt(versionFolder(world));
    const ended = await calls(world, agent, [HARMLESS]);
    expect(ended).toEqual([
      expect.stringMatching(/^denied Hookwright could not .*so this call was stopped for safety/),
    ]);
  });

  test("is gone after `uninstall`, with the folders that were made for it", async ({ makeWorld }) => {
    const world = makeWorld();
    await install(world, agent);
    const gone = await world.start([process.execPath, LAUNCHER, "uninstall", "--yes", "--agent", agent.id]).ended;
    expect([gone.exit, fs.readdirSync(world.userHome)]).toEqual([0, []]);
  });
});

test("the plugin file of a project guards with the `hookwright` on the PATH, and nobody is locked out without one", async ({
  makeWorld,
}) => {
  const world = makeWorld();
  const shared = {
    id: "opencode",
    file: ({ project }: World) => path.join(project, ".opencode/plugins/hookwright.js"),
  };
  const made = ["init", "--yes", "--agent", "opencode", "--scope", "project"];
  expect((await world.start([process.execPath, LAUNCHER, ...made]).ended).exit).toBe(0);
  expect(await calls(world, shared, [DENIED])).toEqual(["ran"]);
  const programs = world.folder("programs");
  fs.symlinkSync(LAUNCHER, path.join(programs, "hookwright"));
  expect(await calls(world, shared, [DENIED], { PATH: programs })).toEqual([expect.stringContaining("destructive")]);
});
