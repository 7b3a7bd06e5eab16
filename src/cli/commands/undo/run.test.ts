/** Runs `hookwright undo` on snapshots that a real hook took before a command ran. */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { toolCall } from "../../../../test/support/events.ts";
import { World } from "../../../../test/support/world.ts";
import type { CommandContext } from "../../command.ts";
import { failing, NO_TERMINAL, typingTerminal } from "../../installation/setup.samples.ts";
import type { Terminal } from "../../terminal/confirm.ts";
import { runUndo } from "./run.ts";

const PATH = process.env.PATH ?? "";
let world: World;
beforeEach(() => {
  world = new World();
  fs.mkdirSync(world.home, { mode: 0o700 });
  fs.writeFileSync(path.join(world.home, "config.yml"), "safety: { onLoss: snapshot }\n");
  execFileSync("git", ["init", "-q"], { cwd: world.project });
  put("src/a", "changed");
  put("src/run.sh", "#!/bin/sh\n");
  fs.chmodSync(at("src/run.sh"), 0o755);
});
afterEach(() => world.dispose());

const at = (name: string): string => path.join(world.project, name);
const read = (name: string): string | undefined =>
  fs.existsSync(at(name)) ? fs.readFileSync(at(name), "utf8") : undefined;

function put(name: string, text: string): void {
  fs.mkdirSync(path.dirname(at(name)), { recursive: true });
  fs.writeFileSync(at(name), text);
}

/** Deletes the folder, after asking a hook. */
async function lose(): Promise<string> {
  const event = toolCall(world, "call-1", "Bash", { command: "rm -rf src" });
  const { stdout } = await world.send(event, { client: "node", daemon: false }, { env: { PATH } });
  const [, id = ""] = /hookwright undo (\w+)/.exec(stdout) ?? [];
  expect(id, stdout).not.toBe("");
  fs.rmSync(at("src"), { recursive: true });
  return id;
}

interface Asked {
  readonly args?: string[];
  readonly terminal?: Terminal;
}

async function undo(options: CommandContext["options"], asked: Asked = {}): Promise<{ code: number; said: string }> {
  let said = "";
  const say = (text: string): void => {
    said += `${text}\n`;
  };
  const env = { ...world.environment, PATH };
  const context = { args: asked.args ?? [], options, cwd: world.project, env, out: say, err: say };
  return { code: await runUndo(context, asked.terminal ?? NO_TERMINAL), said };
}

describe("what there is", () => {
  test("nothing yet, and how that changes", async () => {
    const { code, said } = await undo({});
    expect([code, said]).toEqual([0, expect.stringContaining("onLoss: snapshot")]);
    expect((await undo({ list: true, json: true })).said).toBe("[]\n");
    await failing("HW_NO_SNAPSHOT", () => undo({ last: true }));
  });

  test("a list, for people and for programs", async () => {
    const id = await lose();
    const { said } = await undo({});
    expect(said).toContain(id);
    expect(said).toContain("`rm` deletes src");
    expect(JSON.parse((await undo({ list: true, json: true })).said)).toMatchObject([{ id, files: 2, store: "git" }]);
  });
});

describe("taking it back", () => {
  test("a dry run changes nothing", async () => {
    await lose();
    expect((await undo({ last: true, "dry-run": true })).said).toContain("src/a is back");
    expect(JSON.parse((await undo({ last: true, "dry-run": true, json: true })).said)).toMatchObject({ done: false });
    expect(read("src/a")).toBeUndefined();
  });

  test("by its id or as the last one, with permissions, and once", async () => {
    const id = await lose();
    const { code, said } = await undo({}, { args: [id] });
    expect([code, said]).toEqual([0, expect.stringContaining("src/a is back")]);
    expect([read("src/a"), fs.statSync(at("src/run.sh")).mode & 0o777]).toEqual(["changed", 0o755]);
    expect((await undo({ last: true })).said).toMatch(/^Nothing to restore: .* is the same as in snapshot \w+\.\n$/);
  });

  test("only some of it", async () => {
    await lose();
    const { said } = await undo({ last: true, path: ["src/a"] });
    expect(said).toMatch(/^Snapshot \w+ is restored\. 1 change: src\/a /);
    expect([read("src/a"), read("src/run.sh")]).toEqual(["changed", undefined]);
    expect((await undo({ last: true, path: ["src/a"] })).said).toMatch(
      /^Nothing to restore: what --path names is the same as in snapshot \w+\.\n$/,
    );
  });

  test("newer work is overwritten only when somebody says so, and can be had back", async () => {
    await lose();
    put("src/a", "newer");
    const refused = await undo({ last: true });
    expect([refused.code, refused.said]).toEqual([
      1,
      expect.stringContaining("Restoring this snapshot would overwrite newer work"),
    ]);
    expect((await undo({ last: true }, { terminal: typingTerminal("n\n") })).code).toBe(1);
    expect(read("src/a")).toBe("newer");
    const { code, said } = await undo({ last: true }, { terminal: typingTerminal("y\n") });
    const [, backup = ""] = /hookwright undo (\w+)/.exec(said) ?? [];
    expect([code, read("src/a")]).toEqual([0, "changed"]);
    await undo({ yes: true }, { args: [backup] });
    expect(read("src/a")).toBe("newer");
  });
});

describe("wrong usage changes nothing", () => {
  const wrong: readonly (readonly [string, CommandContext["options"], string[], "HW_USAGE" | "HW_NO_SNAPSHOT"])[] = [
    ["two ways at once", { last: true, list: true }, [], "HW_USAGE"],
    ["two snapshots", {}, ["a", "b"], "HW_USAGE"],
    ["an id that nobody gave", {}, ["ffffffffff"], "HW_NO_SNAPSHOT"],
    ["a path outside", { last: true, path: ["../x"] }, [], "HW_USAGE"],
  ];
  test.each(wrong)("%s", async (_, options, args, code) => {
    await lose();
    await failing(code, () => undo(options, { args }));
    expect(read("src/a")).toBeUndefined();
  });
});
