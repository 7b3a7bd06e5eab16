import { describe, expect, test } from "vitest";
import { HookwrightError } from "../../core/errors.ts";
import type { WantedHooks } from "../installer.ts";
import { JsonSyntaxError } from "../json-parser.ts";
import { ownHandlersUnder } from "../own-handlers.ts";
import { qwenInstaller } from "./install.ts";

const isOurs = ownHandlersUnder("/home/dev/hw/versions");
const wanted: WantedHooks = {
  file: "/home/dev/.qwen/settings.json",
  events: [{ event: "PreToolUse", guarded: true }],
  scope: "user",
  client: { command: "/home/dev/hw/versions/1-abc/hook", args: [] },
  profiles: [],
  isOurs,
};
const install = (text?: string, more: Partial<WantedHooks> = {}): string =>
  qwenInstaller.install(text, { ...wanted, ...more }, undefined);
const place = { env: {}, userHome: "/home/dev", cwd: "/p", project: "/p" };

describe("the settings", () => {
  test("get a group with a line for a shell and the timeout in seconds", () => {
    const command = "/home/dev/hw/versions/1-abc/hook --agent qwen-code --event PreToolUse --via user";
    expect(JSON.parse(install('{"$version": 4}'))).toEqual({
      $version: 4,
      hooks: { PreToolUse: [{ hooks: [{ type: "command", command, timeout: 5 }] }] },
    });
    expect(install(undefined, { scope: "project" })).toContain(
      '"hookwright hook --agent qwen-code --event PreToolUse --via project"',
    );
  });

  test.each(['{\n  "$version": 4\n}', '{"hooks":{"Stop":[{"hooks":[]}]},"a":1}'])("%s comes back", (text) => {
    expect(qwenInstaller.remove(install(text), isOurs, text)).toBe(text);
  });

  test("that are no JSON are left alone", () => {
    expect(() => install("{ // mine\n}")).toThrow(JsonSyntaxError);
  });

  test("may switch all hooks off", () => {
    expect(qwenInstaller.isDisabled('{"disableAllHooks": true}')).toBe(true);
    expect(qwenInstaller.isDisabled("{}")).toBe(false);
  });
});

test("lie in the person's folder or in the project's, which must be two", () => {
  expect(qwenInstaller.settingsFile("user", place)).toBe("/home/dev/.qwen/settings.json");
  expect(qwenInstaller.settingsFile("user", { ...place, env: { QWEN_HOME: "/else" } })).toBe("/else/settings.json");
  expect(qwenInstaller.settingsFile("project", place)).toBe("/p/.qwen/settings.json");
  expect(() => qwenInstaller.settingsFile("project", { ...place, project: "/home/dev" })).toThrow(HookwrightError);
});
