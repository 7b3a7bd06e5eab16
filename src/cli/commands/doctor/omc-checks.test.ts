import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { homeAt } from "../../../system/home.ts";
import { system } from "../../../system/system.ts";
import type { DoctorContext } from "./context.ts";
import { omcFindings } from "./omc-checks.ts";

let folder: string;
beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "hwd-")));
  write("app/.git/HEAD", "");
  configure("[safety, omc]");
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

function write(name: string, value: unknown): void {
  const file = path.join(folder, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, typeof value === "string" ? value : JSON.stringify(value));
}
const configure = (profiles: string): void => write("hw/config.yml", `profiles: ${profiles}\n`);
const PERSON = ".claude/settings.json";
const PROJECT = "app/.claude/settings.json";
const ORIGINAL = "oh-my-claudecode@omc";
const plugins = (enabledPlugins: object): object => ({ enabledPlugins });
const hook = (command: string, args?: unknown): object => ({
  hooks: { Stop: [{ hooks: [{ type: "command", command, args }] }] },
});

function findings(more: NodeJS.ProcessEnv = {}) {
  const env = { HOME: folder, ...more };
  const home = homeAt(path.join(folder, "hw"), folder, system.realPath);
  return omcFindings({ env, cwd: path.join(folder, "app"), home } as unknown as DoctorContext);
}

describe("the original beside the profile is a problem", () => {
  it.each<[string, string, object]>([
    ["of the person", PERSON, plugins({ [ORIGINAL]: true })],
    ["of the project", PROJECT, plugins({ [ORIGINAL]: true, "other@x": true })],
    ["in the project's own local settings", "app/.claude/settings.local.json", plugins({ [ORIGINAL]: true })],
    ["a fork", PERSON, plugins({ "oh-my-claudecode@my-fork": true })],
  ])("as a plugin %s", async (_name, file, settings) => {
    write(file, settings);
    const [found, ...more] = await findings();
    expect(more).toEqual([]);
    expect(found).toMatchObject({ name: "oh-my-claudecode", level: "problem", ok: false });
    const name = Object.keys((settings as { enabledPlugins: object }).enabledPlugins)[0];
    expect(found?.detail).toContain(`its plugin ${name} is enabled`);
    expect(found?.fix).toBe(`Run \`claude plugin disable ${name}\`.`);
  });

  it.each([
    ["node ~/.claude/hooks/persistent-mode.mjs", undefined],
    ['node "$HOME/.claude/hooks/keyword-detector.mjs"', undefined],
    ["node", ["/opt/oh-my-claudecode/scripts/run.cjs"]],
  ])("as a hook: %s %s", async (command, args) => {
    write(PERSON, hook(command, args));
    expect(await findings()).toMatchObject([
      { level: "problem", detail: expect.stringContaining(`its hooks are registered in ${path.join(folder, PERSON)}`) },
    ]);
  });

  it("also where only our plugin brings the modes", async () => {
    configure("[safety]");
    write(PERSON, plugins({ [ORIGINAL]: true, "omc@hookwright": true }));
    expect(await findings()).toMatchObject([{ level: "problem" }]);
  });
});

describe("nothing is said", () => {
  it.each<[string, string, unknown]>([
    ["without it", PERSON, plugins({ "omc@hookwright": true })],
    ["when it is disabled", PERSON, plugins({ [ORIGINAL]: false })],
    ["of a plugin that has its name in it", PERSON, plugins({ "not-oh-my-claudecode@x": true, "omc@x": true })],
    ["of other hooks", PERSON, hook("node ~/.claude/hooks/mine.mjs")],
    ["where the settings cannot be read", PERSON, "{"],
    ["where they have an odd shape", PERSON, { enabledPlugins: [ORIGINAL], hooks: { Stop: [{ hooks: 1 }, 2], x: 3 } }],
    ["where they are no object", PERSON, "[]"],
  ])("%s", async (_name, file, settings) => {
    write(file, settings);
    expect(await findings()).toEqual([]);
  });

  it("where the project disables what the person has enabled", async () => {
    write(PERSON, plugins({ [ORIGINAL]: true }));
    write(PROJECT, plugins({ [ORIGINAL]: false }));
    expect(await findings()).toEqual([]);
  });

  it("where the profile is not in use", async () => {
    configure("[safety]");
    write(PERSON, plugins({ [ORIGINAL]: true }));
    expect(await findings({ DISABLE_OMC: "1" })).toEqual([]);
  });
});

it.each<[NodeJS.ProcessEnv, string]>([
  [{ DISABLE_OMC: "1" }, "DISABLE_OMC=1 switches"],
  [{ OMC_SKIP_HOOKS: "ralph" }, "OMC_SKIP_HOOKS=ralph switches"],
])("names the switches that are set: %j", async (env, detail) => {
  expect(await findings(env)).toMatchObject([{ level: "note", detail: expect.stringContaining(detail) }]);
});
