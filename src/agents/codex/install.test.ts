import { describe, expect, test } from "vitest";
import type { WantedHooks } from "../installer.ts";
import { JsonSyntaxError } from "../json-parser.ts";
import { ownHandlersUnder } from "../own-handlers.ts";
import { codexInstaller } from "./install.ts";
import { codexTrust } from "./trust.ts";

const isOurs = ownHandlersUnder("/home/dev/hw/versions");
const wanted: WantedHooks = {
  file: "/home/dev/.codex/hooks.json",
  events: [
    { event: "PreToolUse", guarded: true },
    { event: "SessionEnd", guarded: false },
  ],
  scope: "user",
  client: { command: "/home/dev/hw/versions/1-abc/hook", args: [] },
  profiles: [],
  isOurs,
};
const install = (text?: string): string => codexInstaller.install(text, wanted, undefined);

describe("hooks.json", () => {
  test("gets an entry for each event, after those of others, because Codex keeps trust by position", () => {
    const foreign = { hooks: [{ type: "command", command: "lint" }] };
    const { hooks } = JSON.parse(install(JSON.stringify({ description: "d", hooks: { PreToolUse: [foreign] } })));
    expect(hooks.PreToolUse).toEqual([
      foreign,
      {
        hooks: [
          {
            type: "command",
            command: `${wanted.client.command} --agent codex --event PreToolUse --via user`,
            timeout: 5,
          },
        ],
      },
    ]);
    expect(hooks.SessionEnd[0].hooks[0].timeout).toBe(3);
  });

  test.each(["{}", '{ "hooks": {} }\n', '{"description":"mine","hooks":{"Stop":[{"hooks":[]}]}}'])(
    "%s comes back",
    (text) => {
      expect(codexInstaller.remove(install(text), isOurs, text)).toBe(text);
    },
  );

  test("that Codex rejects for a key of its own is left alone, with the place of the key", () => {
    const refused = (): string => install('{\n  "hooks": {},\n  "version": 1\n}\n');
    expect(refused).toThrow(JsonSyntaxError);
    expect(refused).toThrow('no key "version"');
    try {
      refused();
    } catch (error) {
      expect(error).toMatchObject({ line: 3, column: 3 });
    }
  });

  test("that is no JSON is left alone, with the place of the mistake", () => {
    expect(() => install('{ "hooks": ')).toThrow(JsonSyntaxError);
  });
});

describe("what Codex trusts", () => {
  const key = (event: string): string => `/home/dev/.codex/hooks.json:${event}:0:0`;
  const table = (event: string): string => `\n[hooks.state."${key(event)}"]\ntrusted_hash = "sha256:1"\n`;
  const FILE = 'model = "m" # mine\n\n[projects."/p"]\ntrust_level = "trusted"\n';
  const keys = [key("pre_tool_use"), key("stop")];

  test.each([
    ["was the last of the file", `${FILE}\n[hooks.state]\n${table("pre_tool_use")}${table("stop")}`, FILE],
    [
      "others are trusted as well",
      `${FILE}\n[hooks.state]\n${table("stop")}${table("other")}`,
      `${FILE}\n[hooks.state]\n${table("other")}`,
    ],
    ["something follows", `[hooks.state]\n${table("stop")}\n# mine\n[tui]\nx = 1\n`, "\n# mine\n[tui]\nx = 1\n"],
    ["the table has a value of its own", `[hooks.state]\nx = 1\n${table("stop")}`, "[hooks.state]\nx = 1\n"],
    ["nothing of ours is there", FILE, FILE],
  ])("is forgotten where %s", (_name, text, rest) => {
    expect(codexTrust.forget(text, keys)).toBe(rest);
  });
});
