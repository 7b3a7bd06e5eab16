import { describe, expect, it } from "vitest";
import { ignoredVariables } from "./ignored-variables.ts";

const env = { HOOKWRIGHT_DISABLE: "1", HOOKWRIGHT_HOME: "/evil", PATH: "/bin", HOOKWRIGHT_EMPTY: "" };
const settings = (value: unknown, file = "/p/.claude/settings.json") => ({ file, text: JSON.stringify(value) });
const NOTHING = { ignored: [], from: [] };

describe("variables from a project's settings", () => {
  it("are ignored by name, whatever value arrived", () => {
    expect(ignoredVariables(env, [settings({ env: { HOOKWRIGHT_DISABLE: "0", PATH: "/x", OTHER: "1" } })])).toEqual({
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
    expect(ignoredVariables(env, files)).toEqual({
      ignored: ["HOOKWRIGHT_HOME", "HOOKWRIGHT_DISABLE"],
      from: ["/p/a.json", "/p/b.json"],
    });
  });

  it("count when set to nothing, and not when not set", () => {
    const value = { env: { HOOKWRIGHT_EMPTY: "", HOOKWRIGHT_ABSENT: "1" } };
    expect(ignoredVariables(env, [settings(value)]).ignored).toEqual(["HOOKWRIGHT_EMPTY"]);
  });

  it.each([
    ['{"env": {"\\u0048OOKWRIGHT_DISABLE": "1"}}', "escaped letters"],
    ['\uFEFF{"env": {"HOOKWRIGHT_DISABLE": "1"}}', "a byte order mark"],
    ['{"env": {"HOOKWRIGHT_DISABLE": 1}}', "a number"],
    ['{"env": {"HOOKWRIGHT_DISABLE": "1"}, "hooks": {"x": "HOOKWRIGHT_HOME"}}', "the name elsewhere"],
  ])("are found in %s (%s)", (text) => {
    expect(ignoredVariables(env, [{ file: "/p/s.json", text }]).ignored).toEqual(["HOOKWRIGHT_DISABLE"]);
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
    expect(ignoredVariables(env, [{ file: "/p/s.json", text }])).toEqual(NOTHING);
  });

  it("are none without files", () => {
    expect(ignoredVariables(env, [])).toEqual(NOTHING);
  });
});
