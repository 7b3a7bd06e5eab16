import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ntmCommand } from "./command.ts";

let folder: string;
let runtime: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "hookwright-ntm-"));
  runtime = path.join(folder, "rt");
  fs.mkdirSync(path.join(runtime, "fleet"), { recursive: true, mode: 0o700 });
  fs.writeFileSync(path.join(runtime, "active-session.json"), '{"session":"fleet"}');
  fs.writeFileSync(
    path.join(runtime, "fleet/state.json"),
    '{"session":"fleet","spawned_at":"2026-01-02T03:04:05.000Z","pid":1}',
  );
  fs.writeFileSync(path.join(runtime, "fleet/notes.txt"), "of a person");
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

async function run(args: string[], options = {}): Promise<{ code: number; out: string }> {
  const lines: string[] = [];
  const env = { HOME: folder, HOOKWRIGHT_HOME: path.join(folder, "hw"), NTM_ORCH_RUNTIME_DIR: runtime };
  const code = await ntmCommand.run({
    args,
    options,
    env,
    cwd: folder,
    out: (text) => lines.push(text),
    err: (text) => lines.push(text),
  });
  return { code, out: lines.join("\n") };
}

describe("hookwright ntm", () => {
  it("shows what is marked", async () => {
    const { out } = await run(["status"], { json: true });
    expect(JSON.parse(out)).toEqual({
      directory: runtime,
      private: true,
      active: "fleet",
      sessions: [{ session: "fleet", active: true, spawned: "2026-01-02T03:04:05.000Z" }],
    });
    expect((await run(["status"])).out).toContain("Active: fleet");
  });

  it("clears exactly the marks of one session", async () => {
    expect((await run(["clear", "fleet"])).out).toBe("Cleared 2 records of fleet.");
    expect(fs.readdirSync(runtime)).toEqual(["fleet"]);
    expect(fs.readdirSync(path.join(runtime, "fleet"))).toEqual(["notes.txt"]);
    expect((await run(["clear", "fleet"])).out).toBe("Nothing is recorded about fleet.");
  });

  it("never leaves the runtime directory", async () => {
    fs.writeFileSync(path.join(folder, "state.json"), "mine");
    await run(["clear", "../"]);
    await run(["clear", "../.."]);
    expect(fs.readFileSync(path.join(folder, "state.json"), "utf8")).toBe("mine");
    await expect(async () => run(["clear", ".."])).rejects.toThrow("cannot be used as a file name");
  });

  it.each([[[]], [["clear"]], [["status", "x"]], [["what"]]])("refuses %j", async (args) => {
    await expect(async () => run(args)).rejects.toThrow("Give `status`");
  });
});
