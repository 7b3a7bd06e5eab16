import { describe, expect, it } from "vitest";
import { HookwrightError } from "../../core/errors.ts";
import type { InstallScope, WantedHooks } from "../installer.ts";
import { opencodeInstaller } from "../opencode/install.ts";
import { ownHandlersUnder } from "../own-handlers.ts";
import { piInstaller } from "../pi/install.ts";

const isOurs = ownHandlersUnder("/home/dev/hw/versions");
const wanted = (scope: InstallScope = "user", more: Partial<WantedHooks> = {}): WantedHooks => ({
  file: "/home/dev/.config/opencode/plugins/hookwright.js",
  events: [
    { event: "tool.execute.before", guarded: true },
    { event: "session.idle", guarded: false },
  ],
  scope,
  client: { command: "/home/dev/hw/versions/1-abc/hook", args: [] },
  profiles: ["safety", "plan"],
  isOurs,
  ...more,
});
const install = (text?: string, given = wanted()): string => opencodeInstaller.install(text, given, undefined);
const place = { env: {}, userHome: "/home/dev", cwd: "/p", project: "/p" };

describe("a plugin file", () => {
  it("names the private folder, whichever client is in it, and is the same each time", () => {
    const node = { command: "/usr/bin/node", args: ["/home/dev/hw/versions/1-abc/hook.cjs"] };
    expect(install()).toContain('"folder":"/home/dev/hw/versions/1-abc/"');
    expect(install(undefined, wanted("user", { client: node }))).toBe(install());
    expect(install(install())).toBe(install());
  });

  it("says which events and profiles it is for", () => {
    expect(opencodeInstaller.eventsIn(install(), isOurs)).toEqual(["tool.execute.before", "session.idle"]);
    expect(opencodeInstaller.profilesIn(install(), isOurs)).toEqual(["safety", "plan"]);
    expect(opencodeInstaller.eventsIn(undefined, isOurs)).toEqual([]);
  });

  it("is taken away as a whole", () => {
    expect(opencodeInstaller.remove(install(), isOurs)).toBe("");
  });

  it.each([
    ["another plugin", "export default async () => ({});\n"],
    ["one that only mentions us", `// hookwright init\nconst SETTINGS = {"folder":"/home/dev/hw/versions/1-abc/"};\n`],
    ["one of another home", install().replaceAll("/home/dev/hw", "/srv/hw")],
    ["one without its settings", install().replace("const SETTINGS", "const OTHERS")],
    ["one whose settings are cut", install().replace(/^(const SETTINGS = .{9}).*$/m, "$1")],
  ])("%s is left alone", (_what, text) => {
    expect(() => install(text)).toThrow(HookwrightError);
    expect(opencodeInstaller.remove(text, isOurs)).toBe(text);
    expect(opencodeInstaller.eventsIn(text, isOurs)).toEqual([]);
  });

  it("of a project names no private folder", () => {
    const text = install(undefined, wanted("project"));
    expect(text).not.toContain("/home/dev");
    expect(opencodeInstaller.eventsIn(text, isOurs)).toContain("session.idle");
    expect(opencodeInstaller.settingsFile("project", place)).toBe("/p/.opencode/plugins/hookwright.js");
  });

  it("of pi lies among the person's extensions only", () => {
    expect(piInstaller.scopes).toEqual(["user"]);
    expect(piInstaller.settingsFile("user", place)).toBe("/home/dev/.pi/agent/extensions/hookwright.js");
  });
});
