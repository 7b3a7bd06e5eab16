import { describe, expect, it } from "vitest";
import type { Frame } from "../../core/frame.ts";
import { fakePorts } from "../../testing/fake-ports.ts";
import { ignoredVariables, trustedFrame } from "./trusted-frame.ts";

const frame = (env: Record<string, string>, args: readonly string[] = []): Frame => ({
  nonce: "n",
  build: "b",
  home: env.HOOKWRIGHT_HOME ?? "/home/dev/.local/share/hookwright",
  deadline: 0,
  cwd: "/p/src",
  ppid: 1,
  cut: "",
  args,
  env,
  body: Buffer.alloc(0),
});
const sets = (env: Record<string, string>): string => JSON.stringify({ env });
const trusted = (env: Record<string, string>, files: Record<string, string>, args?: readonly string[]) =>
  trustedFrame(frame(env, args), fakePorts({ files: { "/p/.git": { dir: 0o755 }, ...files } }), "/home/dev");

describe("what a project's settings put into the environment", () => {
  it.each(["/p/.claude/settings.json", "/p/.claude/settings.local.json", "/p/src/.claude/settings.json"])(
    "does not count when it comes from %s",
    (file) => {
      const { frame: cleaned, notice } = trusted(
        { HOOKWRIGHT_DISABLE: "1", PATH: "/bin" },
        { [file]: sets({ HOOKWRIGHT_DISABLE: "1" }) },
      );
      expect(cleaned.env).toEqual({ PATH: "/bin" });
      expect(notice).toContain(file);
      expect(notice).toContain("HOOKWRIGHT_DISABLE");
    },
  );

  it("cannot move the guard's home", () => {
    const { frame: cleaned } = trusted(
      { HOOKWRIGHT_HOME: "/evil" },
      { "/p/.claude/settings.json": sets({ HOOKWRIGHT_HOME: "/evil" }) },
    );
    expect(cleaned.home).toBe("/home/dev/.local/share/hookwright");
  });

  it("is left alone when the person set it", () => {
    const env = { HOOKWRIGHT_DISABLE: "1" };
    for (const files of [
      {},
      { "/home/dev/.claude/settings.json": sets(env) },
      { "/p/.claude/settings.json": sets({ OTHER: "1" }) },
    ]) {
      expect(trusted(env, files)).toMatchObject({ frame: { env }, notice: "" });
    }
  });
});

describe("what each agent takes from a project", () => {
  const off = { HOOKWRIGHT_DISABLE: "1" };
  const line = "HOOKWRIGHT_DISABLE=1\n";
  const isTaken = (agent: string, file: string, text: string): boolean => {
    const { frame: cleaned } = trusted({ ...off, HOME: "/home/dev" }, { [file]: text }, ["--agent", agent]);
    return cleaned.env.HOOKWRIGHT_DISABLE === undefined;
  };

  it.each([
    ["gemini-cli", "/p/.env", line],
    ["gemini-cli", "/p/src/.env", line],
    ["gemini-cli", "/p/.gemini/.env", line],
    ["gemini-cli", "/.env", line],
    ["qwen-code", "/p/.env", line],
    ["qwen-code", "/p/src/.qwen/.env", `export ${line}`],
    ["qwen-code", "/p/.qwen/settings.json", sets(off)],
  ])("%s does not get it from %s", (agent, file, text) => {
    expect(isTaken(agent, file, text)).toBe(true);
  });

  it.each([
    ["claude-code", "/p/.env", line],
    ["codex", "/p/.env", line],
    ["gemini-cli", "/p/.claude/settings.json", sets(off)],
    ["gemini-cli", "/home/dev/.env", line],
    ["gemini-cli", "/home/dev/.gemini/.env", line],
    ["gemini-cli", "/p/.env", `# ${line}`],
    ["gemini-cli", "/p/.env", `X${line}`],
    ["qwen-code", "/home/dev/.qwen/settings.json", sets(off)],
  ])("%s keeps the person's although %s has one", (agent, file, text) => {
    expect(isTaken(agent, file, text)).toBe(false);
  });
});

const variables = { HOOKWRIGHT_DISABLE: "1", HOOKWRIGHT_HOME: "/evil", PATH: "/bin", HOOKWRIGHT_EMPTY: "" };
const settings = (value: unknown, file = "/p/.claude/settings.json") => ({ file, text: JSON.stringify(value) });
const NOTHING = { ignored: [], from: [] };

describe("variables from a project's settings", () => {
  it("are ignored by name, whatever value arrived", () => {
    expect(
      ignoredVariables(variables, [settings({ env: { HOOKWRIGHT_DISABLE: "0", PATH: "/x", OTHER: "1" } })]),
    ).toEqual({
      ignored: ["HOOKWRIGHT_DISABLE"],
      from: ["/p/.claude/settings.json"],
    });
  });

  it("are named once, with every file that sets them", () => {
    const files = [
      settings({ env: { HOOKWRIGHT_HOME: "a" } }, "/p/a.json"),
      settings({ env: { HOOKWRIGHT_HOME: "b", HOOKWRIGHT_DISABLE: "1" } }, "/p/b.json"),
      settings({ env: { PATH: "c" } }, "/p/c.json"),
    ];
    expect(ignoredVariables(variables, files)).toEqual({
      ignored: ["HOOKWRIGHT_HOME", "HOOKWRIGHT_DISABLE"],
      from: ["/p/a.json", "/p/b.json"],
    });
  });

  it("count when set to nothing, and not when not set", () => {
    const value = { env: { HOOKWRIGHT_EMPTY: "", HOOKWRIGHT_ABSENT: "1" } };
    expect(ignoredVariables(variables, [settings(value)]).ignored).toEqual(["HOOKWRIGHT_EMPTY"]);
  });

  it.each([
    ['{"env": {"\\u0048OOKWRIGHT_DISABLE": "1"}}', "escaped letters"],
    ['\uFEFF{"env": {"HOOKWRIGHT_DISABLE": "1"}}', "a byte order mark"],
    ['{"env": {"HOOKWRIGHT_DISABLE": 1}}', "a number"],
    ['{"env": {"HOOKWRIGHT_DISABLE": "1"}, "hooks": {"x": "HOOKWRIGHT_HOME"}}', "the name elsewhere"],
  ])("are found in %s (%s)", (text) => {
    expect(ignoredVariables(variables, [{ file: "/p/s.json", text }]).ignored).toEqual(["HOOKWRIGHT_DISABLE"]);
  });

  it.each([
    undefined,
    "",
    "{",
    '{"env": {"HOOKWRIGHT_DISABLE": "1"}',
    "null",
    "[]",
    '"HOOKWRIGHT_DISABLE"',
    '{"env": null, "x": "HOOKWRIGHT_DISABLE"}',
    '{"env": ["HOOKWRIGHT_DISABLE"]}',
    '{"env": "HOOKWRIGHT_DISABLE"}',
    '{"ENV": {"HOOKWRIGHT_DISABLE": "1"}}',
    '{"env": {"hookwright_disable": "1", "XHOOKWRIGHT_HOME": "1"}}',
  ])("are none in %j", (text) => {
    expect(ignoredVariables(variables, [{ file: "/p/s.json", text }])).toEqual(NOTHING);
  });

  it("are none without files", () => {
    expect(ignoredVariables(variables, [])).toEqual(NOTHING);
  });
});
