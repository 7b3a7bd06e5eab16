import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sha256OfBytes } from "../../agents/settings-file.ts";
import { runInit } from "../commands/init/run.ts";
import { runUninstall } from "../commands/uninstall/run.ts";
import type { Terminal } from "../terminal/confirm.ts";
import { registeredEvents } from "./registered-events.ts";
import {
  contextOf,
  failing,
  filesBelow,
  makeWorld,
  NO_TERMINAL,
  type SetupWorld,
  typingTerminal,
} from "./setup.samples.ts";
import { type SystemPlaces, systemPlaces } from "./system-folders.ts";

let world: SetupWorld;
let system: SystemPlaces;
beforeEach(() => {
  world = makeWorld();
  system = systemPlaces(path.join(world.root, "machine"), 0);
  mkdirSync(world.home);
});
afterEach(() => rmSync(world.root, { recursive: true, force: true }));

type Options = Record<string, string | boolean>;

async function init(options: Options = {}, terminal: Terminal = NO_TERMINAL): Promise<{ code: number; said: string }> {
  const context = contextOf(world, { yes: true, ...options });
  const source = { hasSqlite: true };
  const parts = { events: registeredEvents, packageRoot: world.packageRoot, terminal, source, system };
  return { code: await runInit(context, parts), said: context.said() };
}

async function uninstall(options: Options = {}): Promise<string> {
  const context = contextOf(world, { yes: true, ...options });
  expect(await runUninstall(context, NO_TERMINAL, system)).toBe(0);
  return context.said();
}

const config = (): string => path.join(world.home, "config.yml");
const shared = (): string => path.join(world.project, "hookwright.yml");
const textOf = (file: string): string | undefined => (existsSync(file) ? readFileSync(file, "utf8") : undefined);
const hooks = (file = world.settings): Record<string, unknown> => JSON.parse(readFileSync(file, "utf8")).hooks;
const events = (file?: string): string[] => Object.keys(hooks(file));

/** Hooks as an older version registered them, with the profiles in the commands. */
function fixProfiles(file: string, names: string): void {
  const settings = readFileSync(file, "utf8").replaceAll('"--event"', `"--profile", "${names}", "--event"`);
  writeFileSync(file, settings);
}

describe("--profile", () => {
  test("writes the person's configuration, and says which file and which profiles", async () => {
    writeFileSync(config(), "# mine\npolicies: # later\n  safety/protected-paths: observe\n");
    const { said } = await init({ profile: "safety,ntm" });
    expect(textOf(config())).toBe(
      "# mine\npolicies: # later\n  safety/protected-paths: observe\nprofiles: [safety, ntm]\n",
    );
    expect(said).toContain(`Wrote the profiles into ${config()}.`);
    expect(said).toContain(`Profiles: safety, ntm (in ${config()}).`);
    expect(textOf(world.settings)).not.toContain("--profile");
  });

  test("makes the file where there is none, also in the usual place", async () => {
    const { HOOKWRIGHT_HOME: _, ...env } = world.env;
    world = { ...world, env };
    await init({ profile: "plan" });
    expect(textOf(path.join(world.root, "user", ".config", "hookwright", "config.yml"))).toBe("profiles: [plan]\n");
  });

  test("asks before it writes, also when the settings stay as they are", async () => {
    await init({ profile: "safety" });
    const before = filesBelow(world.root);
    const { code, said } = await init({ profile: "safety,omc", yes: false }, typingTerminal("n\n"));
    expect([code, filesBelow(world.root)]).toEqual([1, before]);
    expect(said).toContain(`writes \`profiles: [safety, omc]\` into ${config()}`);
    expect((await init({ profile: "safety,omc", yes: false }, typingTerminal("y\n"))).code).toBe(0);
    expect(textOf(config())).toBe("profiles: [safety, omc]\n");
  });

  test("for one project's own settings it is the person's configuration too", async () => {
    await init({ scope: "local", profile: "safety,plan" });
    expect([textOf(config()), textOf(shared())]).toEqual(["profiles: [safety, plan]\n", undefined]);
  });

  test("a file that cannot be edited is named, and nothing is changed", async () => {
    writeFileSync(config(), "profiles: [\n");
    const before = filesBelow(world.root);
    const error = await failing("HW_CONFIG_EDIT", () => init({ profile: "ntm" }));
    expect(error.message).toContain(`${config()}:2:`);
    expect(error.fix).toContain("`profiles: [ntm]`");
    expect(filesBelow(world.root)).toEqual(before);
  });
});

describe("again without --profile", () => {
  test("keeps and prints them", async () => {
    await init({ profile: "safety,ntm" });
    writeFileSync(config(), "profiles:\n  - plan # by hand\n");
    const { said } = await init();
    expect(textOf(config())).toBe("profiles:\n  - plan # by hand\n");
    expect(said).toContain(`Profiles: plan (in ${config()}). To change them: hookwright init --profile`);
    expect((await init({ yes: false }, typingTerminal(""))).code).toBe(0);
  });

  test("where nothing is configured the default stays, and no file is made", async () => {
    const { said } = await init();
    expect(said).toContain("Profiles: safety (the default).");
    expect(textOf(config())).toBeUndefined();
  });

  test("commands that name profiles are replaced, and the names move into the configuration", async () => {
    await init();
    fixProfiles(world.settings, "safety,teams");
    const { said } = await init();
    expect(textOf(world.settings)).not.toContain("--profile");
    expect(textOf(config())).toBe("profiles: [safety, teams]\n");
    expect(said).toContain(`Wrote the profiles into ${config()}.`);
    expect(events()).toContain("TeammateIdle");
  });

  test("unless the configuration has some already", async () => {
    await init();
    fixProfiles(world.settings, "safety,teams");
    writeFileSync(config(), "profiles: [plan]\n");
    await init();
    expect(textOf(world.settings)).not.toContain("--profile");
    expect(textOf(config())).toBe("profiles: [plan]\n");
  });
});

describe("in a terminal", () => {
  test("a person is asked, with a line about each", async () => {
    const { code, said } = await init({ yes: false }, typingTerminal("safety, ntm\ny\n"));
    expect(code).toBe(0);
    expect(said).toMatch(/^ {2}safety +keeps an agent from losses that cannot be undone/m);
    expect(said).toMatch(/^ {2}teams +\w/m);
    expect(said).toMatch(/^ {2}omc +\w/m);
    expect(textOf(config())).toBe("profiles: [safety, ntm]\n");
  });

  test("an unknown name is asked about again, an empty line takes the default", async () => {
    const { code, said } = await init({ yes: false }, typingTerminal("saftey\n\ny\n"));
    expect([code, textOf(config())]).toEqual([0, undefined]);
    expect(said).toContain("Did you mean `safety`?");
    expect(said).toContain("Profiles: safety (the default).");
  });

  test("no answer changes nothing", async () => {
    const before = filesBelow(world.root);
    expect((await init({ yes: false }, typingTerminal(""))).code).toBe(1);
    expect(filesBelow(world.root)).toEqual(before);
  });

  test("nobody is asked for profiles when they are configured, given, or it was installed before", async () => {
    const asked = async (options: Options): Promise<boolean> =>
      (await init({ yes: false, ...options }, typingTerminal("n\n"))).said.includes("group of policies");
    expect(await asked({})).toBe(true);
    expect(await asked({ profile: "ntm" })).toBe(false);
    expect(await asked({ yes: true })).toBe(false);
    expect(await asked({})).toBe(false);
    await uninstall();
    expect(await asked({})).toBe(true);
    writeFileSync(config(), "profiles: [ntm]\n");
    expect(await asked({})).toBe(false);
  });
});

describe("a project's settings", () => {
  test("go with the project's own file, which adds to what each person has", async () => {
    writeFileSync(config(), "profiles: [safety, session]\n");
    const { said } = await init({ scope: "project", profile: "plan" });
    expect(textOf(shared())).toBe("profiles: [plan]\n");
    expect(textOf(config())).toBe("profiles: [safety, session]\n");
    expect(said).toContain(`Profiles: plan (in ${shared()}).`);
    expect(said).not.toContain("not among");
    const file = path.join(world.project, ".claude", "settings.json");
    expect(textOf(file)).not.toContain("--profile");
    expect(events(file)).toContain("TaskCompleted");
    // The person's own profiles do not affect the committed file of the project.
    expect(events(file)).not.toContain("SubagentStart");
    expect((await init({ scope: "project" })).said).toContain(`Profiles: plan (in ${shared()}).`);
  });

  test("names in its commands move into the project's file", async () => {
    await init({ scope: "project" });
    fixProfiles(path.join(world.project, ".claude", "settings.json"), "plan");
    await init({ scope: "project" });
    expect(textOf(shared())).toBe("profiles: [plan]\n");
  });

  test("a file that was trusted has to be trusted again, and that is said", async () => {
    writeFileSync(shared(), "contextPolicy: restart\n");
    const record = { file: shared(), sha256: sha256OfBytes(readFileSync(shared())), at: "" };
    writeFileSync(path.join(world.home, "trust.json"), JSON.stringify([record]));
    expect((await init({ scope: "project", profile: "plan" })).said).toContain("run `hookwright trust`");
    expect((await init({ scope: "project", profile: "ntm" })).said).not.toContain("hookwright trust");
  });
});

describe("the machine's settings", () => {
  const words = (): string[] =>
    (hooks(system.settings).PreToolUse as { hooks: { args: string[] }[] }[])[0]?.hooks[0]?.args.slice(-2) ?? [];

  test("name the profiles themselves, where no configuration changes them, and keep them", async () => {
    const { said } = await init({ scope: "managed", profile: "safety,ntm" });
    expect(words()).toEqual(["--profile", "safety,ntm"]);
    expect(said).toContain("Profiles: safety, ntm (named by the commands in");
    await init({ scope: "managed" });
    expect(words()).toEqual(["--profile", "safety,ntm"]);
    expect(events(system.settings)).not.toContain("TeammateIdle");
    expect(textOf(config())).toBeUndefined();
  });

  test("without profiles everybody's own configuration decides, so every event is registered", async () => {
    expect((await init({ scope: "managed" })).said).toContain("everybody's own configuration decides");
    expect(words()).toEqual(["--via", "managed"]);
    expect(events(system.settings)).toContain("TeammateIdle");
  });
});

describe("events", () => {
  test("are those of the profiles in the configuration, and of the project here", async () => {
    await init();
    expect(events()).not.toContain("TeammateIdle");
    expect(events()).toEqual(expect.arrayContaining(["PreToolUse", "PostToolUse", "UserPromptSubmit", "SessionStart"]));
    writeFileSync(shared(), "profiles: [teams]\n");
    await init();
    expect(events()).toContain("TeammateIdle");
  });

  test("that another project needs stay registered until profiles are chosen anew", async () => {
    writeFileSync(shared(), "profiles: [teams]\n");
    await init();
    rmSync(shared());
    await init();
    expect(events()).toContain("TeammateIdle");
    await init({ profile: "safety" });
    expect(events()).not.toContain("TeammateIdle");
  });
});

describe("uninstall", () => {
  test("gives back the settings byte for byte, keeps the configuration and says so", async () => {
    mkdirSync(path.dirname(world.settings));
    writeFileSync(world.settings, '{ "a":1 }');
    await init({ profile: "safety,ntm" });
    await init();
    expect(await uninstall()).toContain(`The profiles stay written in ${config()}.`);
    expect([textOf(world.settings), textOf(config())]).toEqual(['{ "a":1 }', "profiles: [safety, ntm]\n"]);
  });

  test("says nothing of a configuration that init did not write", async () => {
    writeFileSync(config(), "profiles: [ntm]\n");
    await init();
    expect(await uninstall()).not.toContain("config.yml");
  });
});
