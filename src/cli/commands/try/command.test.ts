import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { RecordedWorld } from "../../../replay/replay.samples.ts";
import type { CommandContext } from "../../command.ts";
import { runTry } from "./command.ts";

let world: RecordedWorld;
beforeEach(() => {
  world = new RecordedWorld();
  fs.writeFileSync(path.join(world.root, "build.json"), '{"version":"0","build":"test"}');
});
afterEach(() => world.close());

/** A session of `claude`, with one call of Bash for each command. */
function worked(...commands: string[]): void {
  const folder = path.join(world.userHome, ".claude", "projects", "app");
  fs.mkdirSync(folder, { recursive: true });
  const lines = commands.map((command, index) => ({
    ...{ type: "assistant", sessionId: "s1", cwd: world.project, timestamp: new Date().toISOString() },
    message: {
      role: "assistant",
      content: [{ type: "tool_use", id: `t${index}`, name: "Bash", input: { command } }],
    },
  }));
  fs.writeFileSync(path.join(folder, "s1.jsonl"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

async function tried(options: CommandContext["options"] = {}) {
  const said: string[] = [];
  const env = { HOOKWRIGHT_HOME: path.join(world.root, "nowhere"), HOME: world.userHome };
  const print = (text: string): void => void said.push(text);
  const code = await runTry({ args: [], options, cwd: world.root, env, out: print, err: print }, world.root);
  return { code, text: said.join("\n") };
}

it("says what would have been stopped and asked about, and makes nothing", async () => {
  worked("git push --force origin main", "ls", "git push origin main");
  const { code, text } = await tried();
  expect(text).toMatch(/^Replayed \d+ of \d+ events/);
  expect(text).toContain("newly denied: Bash: git push --force origin main");
  expect(text).not.toContain("Bash: ls");
  expect(text).toContain("Nothing was changed. `hookwright init`");
  expect(code).toBe(0);
  expect(fs.existsSync(path.join(world.root, "nowhere"))).toBe(false);
});

it("asks the profiles that are named, and prints the summary as JSON", async () => {
  worked("git push --force origin main");
  const { text } = await tried({ json: true, profile: "ntm" });
  expect(JSON.parse(text.split("\n").at(-1) ?? "")).toMatchObject({ newlyDenied: 0 });
});

it("says where it looked when there are no sessions", async () => {
  const { code, text } = await tried();
  expect(code).toBe(1);
  expect(text).toContain(`no sessions of Claude Code in ${path.join(world.userHome, ".claude/projects")}`);
});
