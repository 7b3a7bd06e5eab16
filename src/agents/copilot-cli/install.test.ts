import { describe, expect, test } from "vitest";
import type { WantedHooks } from "../installer.ts";
import { JsonSyntaxError } from "../json-parser.ts";
import { commandWords, ownHandlersUnder } from "../own-handlers.ts";
import { copilotInstaller } from "./install.ts";

const CLIENT = "/home/dev/my hw/versions/1-abc/hook";
const isOurs = ownHandlersUnder("/home/dev/my hw/versions");
const wanted: WantedHooks = {
  file: "/home/dev/.copilot/hooks/hookwright.json",
  events: [
    { event: "preToolUse", guarded: true },
    { event: "agentStop", guarded: false },
  ],
  scope: "user",
  client: { command: CLIENT, args: [] },
  profiles: ["safety", "plan"],
  isOurs,
};
const install = (text?: string, more: Partial<WantedHooks> = {}): string =>
  copilotInstaller.install(text, { ...wanted, ...more }, undefined);
const linesOf = (text: string): Record<string, string> => {
  const { hooks } = JSON.parse(text) as { hooks: Record<string, { bash: string }[]> };
  return Object.fromEntries(Object.entries(hooks).map(([event, [handler]]) => [event, handler?.bash ?? ""]));
};

describe("the file with our hooks", () => {
  const place = { env: {}, userHome: "/home/dev", cwd: "/p/src", project: "/p" };

  test("has a place of its own, which a person may have moved", () => {
    expect(copilotInstaller.settingsFile("user", place)).toBe("/home/dev/.copilot/hooks/hookwright.json");
    expect(copilotInstaller.settingsFile("project", place)).toBe("/p/.github/hooks/hookwright.json");
    const moved = { ...place, env: { COPILOT_HOME: "/opt/copilot" } };
    expect(copilotInstaller.settingsFile("user", moved)).toBe("/opt/copilot/hooks/hookwright.json");
  });

  test("denies calls without the program only in a person's own installation, and nothing else without it", () => {
    const args = (event: string, scope: string) =>
      `--agent copilot-cli --event ${event} --via ${scope} --profile safety,plan`;
    expect(linesOf(install())).toEqual({
      preToolUse: `'${CLIENT}' ${args("preToolUse", "user")}`,
      agentStop: `command -v '${CLIENT}' >/dev/null || exit 0; exec '${CLIENT}' ${args("agentStop", "user")}`,
    });
    const shared = "command -v hookwright >/dev/null || exit 0; exec hookwright hook";
    expect(linesOf(install(undefined, { scope: "project" }))).toEqual({
      preToolUse: `${shared} ${args("preToolUse", "project")}`,
      agentStop: `${shared} ${args("agentStop", "project")}`,
    });
  });

  test("is known again with each of its lines", () => {
    for (const scope of ["user", "project"] as const) {
      const text = install(undefined, { scope });
      expect(copilotInstaller.eventsIn(text, isOurs)).toEqual(["preToolUse", "agentStop"]);
      expect(copilotInstaller.profilesIn(text, isOurs)).toEqual(["safety", "plan"]);
      expect(install(text, { scope })).toBe(text);
    }
    expect(commandWords({ bash: linesOf(install()).agentStop })?.command).toBe(CLIENT);
  });

  test.each([undefined, "", " \n"])("holds nothing before: %j", (text) => {
    expect(copilotInstaller.eventsIn(text, isOurs)).toEqual([]);
    expect(install(text)).toBe(install());
  });

  test("is written anew for other events and profiles", () => {
    const before = install();
    const after = install(before, { events: [{ event: "sessionStart", guarded: false }], profiles: [] });
    expect(copilotInstaller.eventsIn(after, isOurs)).toEqual(["sessionStart"]);
    expect(copilotInstaller.profilesIn(after, isOurs)).toEqual([]);
  });

  test.each([
    ["another hook", '{\n "hooks": {\n  "preToolUse": [\n   {"bash": "lint"}]}}', 4, "this hook for `preToolUse`"],
    ["another key", '{"version": 1,\n "disabled": true}', 2, "`disabled`"],
    ["another version", '{"version": 2, "hooks": {}}', 1, "`version`"],
    ["hooks that are none", '{\n\n"hooks": []}', 3, "`hooks`"],
    ["an event without a list", '{"hooks": {"agentStop":\n {}}}', 2, "what stands for `agentStop`"],
    ["a list", "[]", 1, "this is not from Hookwright"],
  ])("is left alone when it has %s, with the place of it", (_name, text, line, what) => {
    expect(() => install(text)).toThrow(JsonSyntaxError);
    expect(() => install(text)).toThrow(what);
    try {
      install(text);
    } catch (error) {
      expect(error).toMatchObject({ line });
    }
    expect(copilotInstaller.remove(text, isOurs)).toBe(text);
  });

  test("that is no JSON is left alone, with the place of the mistake", () => {
    for (const run of [install, (text: string) => copilotInstaller.remove(text, isOurs)]) {
      expect(() => run('{ "hooks": ')).toThrow(JsonSyntaxError);
    }
  });

  test("keeps what others have put into it meanwhile", () => {
    const both = JSON.parse(install()) as { hooks: Record<string, object[]> };
    both.hooks.preToolUse?.push({ type: "command", bash: "lint" });
    expect(JSON.parse(copilotInstaller.remove(JSON.stringify(both), isOurs))).toEqual({
      version: 1,
      hooks: { preToolUse: [{ type: "command", bash: "lint" }] },
    });
  });
});

test("an event is registered in one spelling only", () => {
  expect(
    ["preToolUse", "PreToolUse", "agentStop", "Stop", "errorOccurred"].filter((one) =>
      copilotInstaller.knows(one, undefined),
    ),
  ).toEqual(["preToolUse", "agentStop"]);
});
