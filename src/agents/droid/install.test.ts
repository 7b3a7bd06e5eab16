import { describe, expect, test } from "vitest";
import type { HookwrightError } from "../../core/errors.ts";
import type { WantedHooks } from "../installer.ts";
import { JsonSyntaxError } from "../json-parser.ts";
import { ownHandlersUnder } from "../own-handlers.ts";
import { droidInstaller } from "./install.ts";

const isOurs = ownHandlersUnder("/home/dev/hw/versions");
const wanted: WantedHooks = {
  file: "/home/dev/.factory/settings.json",
  events: [{ event: "PreToolUse", guarded: true }],
  scope: "user",
  client: { command: "/home/dev/hw/versions/1-abc/hook", args: [] },
  profiles: [],
  isOurs,
};
const install = (text?: string): string => droidInstaller.install(text, wanted, undefined);

describe("settings.json", () => {
  test("keeps the models and the hooks of others, and gets an entry of ours", () => {
    const foreign = { matcher: "Edit", hooks: [{ type: "command", command: "lint" }] };
    const models = { customModels: [{ model: "mine" }] };
    const settings = JSON.parse(install(JSON.stringify({ ...models, hooks: { PreToolUse: [foreign] } })));
    const command = `${wanted.client.command} --agent droid --event PreToolUse --via user`;
    expect(settings).toEqual({
      ...models,
      hooks: { PreToolUse: [foreign, { hooks: [{ type: "command", command, timeout: 5 }] }] },
    });
  });

  test.each(["{}", '{\n\t"customModels": []\n}\n', '{ "hooks": {"Stop": []} }'])("%s comes back", (text) => {
    expect(droidInstaller.remove(install(text), isOurs, text)).toBe(text);
  });

  test("that is malformed is left alone, with the place of the mistake", () => {
    expect(() => install('{\n  "hooks": {,}\n}')).toThrow(JsonSyntaxError);
    expect(() => install('{"hooks": {"PreToolUse": {}}}')).toThrow("`hooks.PreToolUse` should be an array");
  });

  test.each([
    ['{"hooks": {"hooksDisabled": true}}', true],
    ['{"hooks": {"hooksDisabled": false}}', false],
    ['{"hooksDisabled": true, "hooks": {}}', false],
    ['{"hooks": []}', false],
    ["", false],
    [undefined, false],
  ])("%j switches all hooks off: %s", (text, isDisabled) => {
    expect(droidInstaller.isDisabled(text)).toBe(isDisabled);
  });

  test("of a project in the home folder is the person's own, and is not taken for the project's", () => {
    const place = { env: {}, userHome: "/home/dev", cwd: "/home/dev", project: "/home/dev" };
    expect(droidInstaller.settingsFile("user", place)).toBe("/home/dev/.factory/settings.json");
    expect(() => droidInstaller.settingsFile("project", place)).toThrow(
      expect.objectContaining({ code: "HW_USAGE" } satisfies Partial<HookwrightError>),
    );
    expect(droidInstaller.settingsFile("project", { ...place, project: "/p" })).toBe("/p/.factory/settings.json");
  });
});
