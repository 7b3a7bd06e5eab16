import { describe, expect, test } from "vitest";
import { HookwrightError } from "../../core/errors.ts";
import type { WantedHooks } from "../installer.ts";
import { JsonSyntaxError } from "../json-parser.ts";
import { ownHandlersUnder } from "../own-handlers.ts";
import { geminiInstaller } from "./install.ts";

const VERSIONS = "/home/it's me/hw/versions";
const isOurs = ownHandlersUnder(VERSIONS);
const EXTENSION = "/home/dev/.gemini/extensions/hookwright";
const wanted: WantedHooks = {
  file: `${EXTENSION}/hooks/hooks.json`,
  events: [
    { event: "BeforeTool", guarded: true },
    { event: "AfterAgent", guarded: false },
  ],
  scope: "user",
  client: { command: `${VERSIONS}/1-abc/hook`, args: [] },
  profiles: [],
  isOurs,
};
const install = (text?: string, more: Partial<WantedHooks> = {}): string =>
  geminiInstaller.install(text, { ...wanted, ...more }, undefined);
const handlers = (text: string): Record<string, { command: string; timeout: number; name: string }> => {
  const { hooks } = JSON.parse(text) as { hooks: Record<string, { hooks: never[] }[]> };
  return Object.fromEntries(Object.entries(hooks).map(([event, [group]]) => [event, group?.hooks[0] as never]));
};
const place = { env: {}, userHome: "/home/dev", cwd: "/p", project: "/p" };

describe("the hooks", () => {
  test("are lines for a shell, with the timeout in milliseconds", () => {
    expect(handlers(install()).BeforeTool).toEqual({
      type: "command",
      name: "hookwright",
      command: `'/home/it'\\''s me/hw/versions/1-abc/hook' --agent gemini-cli --event BeforeTool --via user`,
      timeout: 5_000,
    });
  });

  test("deny calls alone when the program is gone, so that no stop is held for ever", () => {
    const { BeforeTool, AfterAgent } = handlers(install());
    expect(BeforeTool?.command).not.toContain("||");
    expect(AfterAgent?.command).toMatch(/ --event AfterAgent --via user \|\| exit 1$/);
  });

  test("of a project let everything pass for those who have no hookwright", () => {
    const { BeforeTool } = handlers(install(undefined, { scope: "project" }));
    expect(BeforeTool?.command).toBe("hookwright hook --agent gemini-cli --event BeforeTool --via project || exit 1");
  });

  test("are found again, with their profiles", () => {
    const text = install(undefined, { profiles: ["safety", "plan"] });
    expect(geminiInstaller.eventsIn(text, isOurs)).toEqual(["BeforeTool", "AfterAgent"]);
    expect(geminiInstaller.profilesIn(text, isOurs)).toEqual(["safety", "plan"]);
    expect(install(text)).toBe(install());
  });

  test.each([
    "{}",
    '{ "hooks": {} }\n',
    '\uFEFF{"hooksConfig":{"enabled":true},\r\n"hooks":{"AfterAgent":[{"matcher":"*","hooks":[{"type":"command","command":"x"}]}]}}',
  ])("leave %j byte for byte as it was", (text) => {
    expect(geminiInstaller.remove(install(text), isOurs, text)).toBe(text);
  });

  test("are not written into a file that is no JSON, or of another shape", () => {
    expect(() => install('{ "hooks": ')).toThrow(JsonSyntaxError);
    expect(() => install('{ "hooks": {"BeforeTool": {}} }')).toThrow("`hooks.BeforeTool` should be an array");
  });
});

describe("the extension", () => {
  test("is a folder of our own with a manifest, for the person alone", () => {
    const file = geminiInstaller.settingsFile("user", place);
    expect(file).toBe(wanted.file);
    const [manifest, ...more] = geminiInstaller.companions(file);
    expect(more).toEqual([]);
    expect(manifest?.file).toBe(`${EXTENSION}/gemini-extension.json`);
    expect(JSON.parse(manifest?.text ?? "")).toMatchObject({ name: "hookwright", version: "1.0.0" });
    expect(geminiInstaller.companions(geminiInstaller.settingsFile("project", place))).toEqual([]);
  });

  test("lies where GEMINI_CLI_HOME says", () => {
    const env = { GEMINI_CLI_HOME: "/else" };
    expect(geminiInstaller.settingsFile("user", { ...place, env })).toMatch(/^\/else\/\.gemini\/extensions\//);
  });
});

test("the settings of a project are not those of the person, which Gemini CLI reads in the home folder", () => {
  expect(geminiInstaller.settingsFile("project", place)).toBe("/p/.gemini/settings.json");
  expect(() => geminiInstaller.settingsFile("project", { ...place, project: "/home/dev" })).toThrow(HookwrightError);
});

test("a compression is never registered", () => {
  expect(geminiInstaller.knows("PreCompress", undefined)).toBe(false);
  expect(geminiInstaller.knows("BeforeTool", undefined)).toBe(true);
});
