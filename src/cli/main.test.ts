import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { forbiddenWrite, prompt } from "../../test/support/events.ts";
import { DIST, type Route, World } from "../../test/support/world.ts";
import { commands } from "./commands/index.ts";
import { help } from "./main.ts";

const LAUNCHER = path.join(path.dirname(DIST), "bin", "hookwright.mjs");
const COLD: Route = { client: "node", daemon: false };

describe("help", () => {
  test.each(commands.map((command) => [command.name, command] as const))("%s", (name, command) => {
    const text = help(command);
    expect(text.startsWith(`Usage: hookwright ${name}`)).toBe(true);
    expect(text).toContain(command.summary);
    for (const [option, { description }] of Object.entries(command.options ?? {})) {
      expect(text).toContain(`--${option}`);
      expect(description.length, option).toBeGreaterThan(5);
    }
    for (const line of text.split("\n")) expect(line.length, line).toBeLessThanOrEqual(130);
    const rows = text.split("\nOptions:\n")[1]?.split("\n") ?? [];
    const columns = rows.map((row) => /^ {2}--\S.*? {2,}(?=\S)/.exec(row)?.[0].length);
    expect(new Set(columns).size, text).toBeLessThanOrEqual(1);
  });

  test("names are given once", () => {
    const names = commands.map((command) => command.name);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe("as a process", () => {
  let world: World;
  beforeEach(() => {
    world = new World();
  });
  afterEach(() => world.dispose());

  /** The bare name, as Copilot CLI starts a hook whose arguments it leaves out, and as a person types it. */
  const startBare = (env: Record<string, string>, command: string) => {
    const payload = {
      hook_event_name: "PreToolUse",
      session_id: "s1",
      timestamp: "2026-11-18T04:46:11.050Z",
      cwd: world.project,
      tool_name: "Bash",
      tool_input: { command },
    };
    const input = JSON.stringify(payload);
    return spawnSync(process.execPath, [LAUNCHER], { env: { ...world.environment, ...env }, input, encoding: "utf8" });
  };

  test("the bare name decides what Copilot CLI sends", () => {
    const denied = startBare({ COPILOT_CLI: "1" }, "git push --force origin main");
    const { hookSpecificOutput: answer } = JSON.parse(denied.stdout);
    expect([denied.status, answer.permissionDecision]).toEqual([0, "deny"]);
    expect(answer.permissionDecisionReason).toContain("safety/destructive-command");
    const { status, stdout } = startBare({ COPILOT_CLI: "1" }, "ls");
    expect([status, stdout]).toEqual([0, ""]);
  });

  test("the bare name is the help for everybody else", () => {
    expect(startBare({}, "ls").stdout).toContain("`hookwright COMMAND --help` explains one command");
    const env = { ...world.environment, COPILOT_CLI: "1" };
    const typed = spawnSync(process.execPath, [LAUNCHER], { env, stdio: ["ignore", "pipe", "pipe"], encoding: "utf8" });
    expect(typed.stdout).toContain("`hookwright COMMAND --help` explains one command");
  });

  test("whoever has read enough may leave", async () => {
    for (let i = 0; i < 3; i++) await world.send(prompt(world, `${i} ${"x".repeat(1_500)}`), COLD);
    const child = spawn(process.execPath, [LAUNCHER, "journal", "--follow", "--json", "--limit", "1"], {
      env: world.environment,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let complaint = "";
    child.stderr.on("data", (chunk) => {
      complaint += chunk;
    });
    await once(child.stdout, "data");
    child.stdout.destroy();
    await world.send(prompt(world, "nobody reads this"), COLD);
    const [code] = await once(child, "exit");
    expect([code, complaint]).toEqual([0, ""]);
  });

  test("following shows what hooks record, and Ctrl-C ends it well", async () => {
    const following = world.start([process.execPath, LAUNCHER, "journal", "--follow", "--json"]);
    let isFollowing = false;
    const first = following.sees("stdout", /"prompt":"first"/).then(() => {
      isFollowing = true;
    });
    // It shows what comes after its start, and nothing announces that.
    while (!isFollowing) await world.send(prompt(world, "first"), COLD);
    await first;
    await world.send(prompt(world, "second"), COLD);
    await following.sees("stdout", /"prompt":"second"/);
    following.kill("SIGINT");
    const { exit, stderr } = await following.ended;
    expect([exit, stderr]).toEqual([0, ""]);
  });

  test("help for one command, and what is wrong with an option", async () => {
    const [byWord, byFlag] = [await world.hookwright("help", "check"), await world.hookwright("check", "--help")];
    expect([byWord.exit, byWord.stdout]).toEqual([0, byFlag.stdout]);
    expect((await world.hookwright("init", "--scop", "user")).stderr).toContain("Did you mean `--scope`?");
    expect((await world.hookwright("check", "rm", "-rf", "src")).stderr).toContain("Put the whole command in quotes.");
  });

  test("where the system refuses, the file and what to do are named", async () => {
    fs.writeFileSync(world.home, "");
    const { exit, stderr } = await world.hookwright("session", "find");
    expect([exit, stderr]).toEqual([
      1,
      expect.stringMatching(/Could not .*\n {2}Check .*\[HW_(?:WRITE|READ)_FAILED\]/),
    ]);
    expect(stderr).toContain(world.home);
    // The PATH of this test has no programs.
    fs.mkdirSync(path.join(world.project, ".git"), { recursive: true });
    expect((await world.hookwright("undo")).stderr).toContain("`git` could not be started: there is no such program.");
  });

  test("a folder that is gone is said, and not by a trace", () => {
    const script = 'mkdir "$1/gone" && cd "$1/gone" && rmdir "$1/gone" && shift && exec "$@"';
    const words = [world.root, process.execPath, LAUNCHER, "journal"];
    const { status, stderr } = spawnSync("/bin/sh", ["-c", script, "sh", ...words], {
      env: { ...world.environment, PATH: process.env.PATH },
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/^hookwright: The current folder no longer exists\.\n.*\[HW_NO_FOLDER\]\n$/),
    ]);
  });

  test.runIf(fs.existsSync("/proc/self"))(
    "a home that cannot be made ends nothing, and nothing goes on for ever",
    async () => {
      const env = { HOOKWRIGHT_HOME: "/proc/hookwright/home" };
      const hook = [process.execPath, LAUNCHER, "hook", "--no-daemon"];
      const input = JSON.stringify(forbiddenWrite(world, "call-1"));
      const answer = await world.start(hook, { env, input, limitMs: 20_000 }).ended;
      expect([answer.exit, answer.stderr]).toEqual([2, expect.stringContaining("could not record it")]);
      const found = await world.start([process.execPath, LAUNCHER, "session", "find"], { env, limitMs: 20_000 }).ended;
      expect([found.exit, found.stderr]).toEqual([1, expect.stringContaining("HW_WRITE_FAILED")]);
    },
  );

  test("looking makes no home", async () => {
    for (const args of [["allow"], ["ntm", "status"], ["journal"], ["trust", "--list"], ["policies"]]) {
      expect((await world.hookwright(...args)).exit, args.join(" ")).toBe(0);
    }
    expect(fs.existsSync(world.home)).toBe(false);
  });

  test("the commands that only look end with 0, and a mistake with 1 and a sentence", async () => {
    await world.send(prompt(world, "hello"), COLD);
    const looks = [
      ["explain", "--json"],
      ["policies", "--json"],
      ["journal", "export"],
      ["maintain", "--json"],
    ];
    for (const args of looks) {
      const { exit, stdout, stderr } = await world.hookwright(...args);
      expect([args, exit, stderr]).toEqual([args, 0, ""]);
      expect(typeof JSON.parse(stdout)).toBe("object");
    }
    const line = await world.hookwright("statusline");
    expect([line.exit, line.stdout, line.stderr]).toEqual([0, "hookwright · safety\n", ""]);
    for (const args of [
      ["explain", "--id", "99"],
      ["policies", "x/y"],
      ["journal", "--since", "soon"],
      ["explain", "--nope"],
      ["help", "nope"],
    ]) {
      const { exit, stdout, stderr } = await world.hookwright(...args);
      expect([args, exit, stdout]).toEqual([args, 1, ""]);
      expect(stderr).toMatch(/^hookwright: .*\[HW_[A-Z_]+\]\n$/s);
    }
  });
});
