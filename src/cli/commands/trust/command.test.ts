import fs from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { compileConfig } from "../../../config/compile.ts";
import type { Config } from "../../../core/settings/config.ts";
import { openConfigCache } from "../../../engine/config/config-cache.ts";
import { readTrust, sha256, trustFileAt } from "../../../engine/config/trust.ts";
import { homeAt } from "../../../system/home.ts";
import type { CommandContext } from "../../command.ts";
import {
  contextOf,
  failing,
  filesBelow,
  makeWorld,
  NO_TERMINAL,
  type SetupWorld,
  typingTerminal,
} from "../../installation/setup.samples.ts";
import { runTrust, trustCommand } from "./command.ts";

const ID = "safety/protected-paths";
const LOOSE = `policies:\n  ${ID}: off\n`;

let world: SetupWorld;
let file: string;
beforeEach(() => {
  const made = makeWorld();
  world = { ...made, env: { ...made.env, NO_COLOR: "1" } };
  file = path.join(world.project, "hookwright.yml");
  fs.writeFileSync(file, LOOSE);
});

async function run(typed: string, options: CommandContext["options"] = {}, cwd = world.project) {
  const context = { ...contextOf(world, options), cwd };
  const code = await runTrust(context, typingTerminal(typed));
  return { code, said: context.said() };
}

const inForce = (): Promise<Config> =>
  openConfigCache(homeAt(world.home, world.root), "b", compileConfig).load(world.project, world.project);
const mode = async () => (await inForce()).policies[ID]?.mode ?? "enforce";

describe("trust", () => {
  test("shows exactly what would change, asks for the word, and then it counts", async () => {
    expect(await mode()).toBe("enforce");
    const { code, said } = await run("trust\n");
    expect(code).toBe(0);
    expect(said).toContain(`${file}\n`);
    expect(said).toContain(`sha256 ${sha256(Buffer.from(LOOSE))}`);
    expect(said).toContain(`\n  ${ID} mode\n    - enforce\n    + off\n\n`);
    expect(said.match(/^ {4}[-+]/gm)).toHaveLength(2);
    expect(readTrust(world.home).records).toEqual([
      { file: fs.realpathSync(file), sha256: sha256(Buffer.from(LOOSE)), at: expect.stringMatching(/^20/) },
    ]);
    expect(fs.statSync(trustFileAt(world.home)).mode & 0o777).toBe(0o600);
    expect(await mode()).toBe("off");
  });

  test("compares with what is in force without it, the person's file included", async () => {
    fs.mkdirSync(world.home);
    const mine = `profiles: [safety, plan]\npolicies: { ${ID}: { also: [a, b] } }\ncontextBudget: { start: 5000 }`;
    fs.writeFileSync(path.join(world.home, "config.yml"), mine);
    fs.writeFileSync(
      file,
      `profiles: [ntm]\npolicies: { ${ID}: { also: [b, c] } }\ncontextBudget: { start: 8000, tool: 700 }`,
    );
    const { said } = await run("no\n");
    const shownChanges = said.match(/^ {2,4}\S.*$/gm);
    expect(shownChanges).toEqual([
      ...["  profiles", "    - plan", "    - safety"],
      ...["  contextBudget start", "    - 5000", "    + 8000"],
      ...[`  ${ID} also`, "    - a"],
    ]);
  });

  test.each(["y\n", "yes\n", "Trust\n", "\n", ""])("changes nothing after %j", async (typed) => {
    const { code, said } = await run(typed);
    expect(code).toBe(1);
    expect(said).toContain("Nothing was changed");
    expect(filesBelow(world.home)).not.toHaveProperty(["trust.json"]);
    expect(await mode()).toBe("enforce");
  });

  test("is refused to an agent and without a terminal, and has no --yes", async () => {
    const agent = contextOf({ ...world, env: { ...world.env, AI_AGENT: "x" } });
    expect(await runTrust(agent, typingTerminal("trust\n"))).toBe(1);
    expect(agent.said()).toContain("AI_AGENT is set");
    const script = contextOf(world);
    expect(await runTrust(script, NO_TERMINAL)).toBe(1);
    expect(filesBelow(world.home)).toEqual({});
    expect(Object.keys(trustCommand.options ?? {})).toEqual(["list", "revoke", "json"]);
  });

  test("finds the file from a folder inside the project", async () => {
    const deep = path.join(world.project, "a", "b");
    fs.mkdirSync(deep, { recursive: true });
    expect((await run("trust\n", {}, deep)).code).toBe(0);
    expect(await mode()).toBe("off");
  });

  test("says when it is already trusted, and asks again after a change", async () => {
    await run("trust\n");
    expect(await run("")).toMatchObject({ code: 0, said: expect.stringContaining("already trusted") });
    fs.appendFileSync(file, "# more\n");
    expect(await mode()).toBe("enforce");
    expect((await run("")).code).toBe(1);
    expect((await run("trust\n")).code).toBe(0);
    expect(await mode()).toBe("off");
    fs.writeFileSync(file, LOOSE);
    expect(await mode()).toBe("off");
  });

  test.each(["", "profiles: [safety, ntm]\n", `policies: { ${ID}: { also: [x] } }\n`])(
    "is not needed for %j",
    async (text) => {
      fs.writeFileSync(file, text);
      expect(await run("trust\n")).toMatchObject({ code: 0, said: expect.stringContaining("needs your trust") });
      expect(readTrust(world.home).records).toEqual([]);
    },
  );

  test.each<[string, () => void, string]>([
    ["no file", () => fs.rmSync(file), "There is no hookwright.yml"],
    ["mistakes", () => fs.writeFileSync(file, `${LOOSE}x: 1`), ":3:1: `x` is not a key"],
    ["too much", () => fs.writeFileSync(file, "#".repeat(300_000)), "300000 bytes"],
    ["no text", () => fs.writeFileSync(file, Buffer.from([0x61, 0xff])), "not UTF-8"],
  ])("is not given to %s", async (_name, make, text) => {
    make();
    expect(await run("trust\n")).toMatchObject({ code: 1, said: expect.stringContaining(text) });
    expect(readTrust(world.home).records).toEqual([]);
  });

  test("shows what is hidden in a value", async () => {
    fs.mkdirSync(world.home);
    const hidden = '"\\e[1A\\e[2K\\u202e"';
    fs.writeFileSync(path.join(world.home, "config.yml"), `policies: { ${ID}: { also: [${hidden}] } }`);
    fs.writeFileSync(file, `policies: { ${ID}: { also: [] } }`);
    const { said } = await run("");
    expect(said).toContain("- \\u{1b}[1A\\u{1b}[2K\\u{202e}");
    expect(said).not.toContain("\u001b[1A");
  });

  test("records the file that a link leads to", async () => {
    const real = path.join(world.root, "shared.yml");
    fs.renameSync(file, real);
    fs.symlinkSync(real, file);
    expect((await run("trust\n")).said).toContain(`(a link to ${real})`);
    expect(readTrust(world.home).records[0]?.file).toBe(real);
    expect(await mode()).toBe("off");
  });

  test("moves a damaged list aside", async () => {
    fs.mkdirSync(world.home);
    fs.writeFileSync(trustFileAt(world.home), "{");
    expect((await run("trust\n")).said).toContain("was damaged");
    expect(readTrust(world.home).records).toHaveLength(1);
    expect(fs.readdirSync(world.home).filter((name) => name.startsWith("trust.json.corrupt-"))).toHaveLength(1);
  });
});

describe("trust --revoke", () => {
  test("takes it back, for every version of this file and no other", async () => {
    const other = { file: "/elsewhere/hookwright.yml", sha256: "0", at: "2026" };
    fs.mkdirSync(world.home);
    fs.writeFileSync(trustFileAt(world.home), JSON.stringify([other]));
    await run("trust\n");
    fs.appendFileSync(file, "# more\n");
    await run("trust\n");
    expect(readTrust(world.home).records).toHaveLength(3);
    expect(await run("", { revoke: true })).toMatchObject({ code: 0, said: expect.stringContaining("no longer") });
    expect(readTrust(world.home).records).toEqual([other]);
    expect(await mode()).toBe("enforce");
    expect((await run("", { revoke: true })).said).toContain("was not trusted");
  });

  test("works when the file is gone", async () => {
    await run("trust\n");
    fs.rmSync(file);
    expect((await run("", { revoke: true })).code).toBe(0);
    expect(readTrust(world.home).records).toEqual([]);
  });

  test("is the person's too", async () => {
    await run("trust\n");
    const agent = contextOf({ ...world, env: { ...world.env, CLAUDECODE: "1" } }, { revoke: true });
    expect(await runTrust(agent, typingTerminal(""))).toBe(1);
    expect(readTrust(world.home).records).toHaveLength(1);
  });

  test("does not touch a damaged list", async () => {
    fs.mkdirSync(world.home);
    fs.writeFileSync(trustFileAt(world.home), "{");
    expect(await run("", { revoke: true })).toMatchObject({ code: 1, said: expect.stringContaining("cannot be used") });
    expect(fs.readFileSync(trustFileAt(world.home), "utf8")).toBe("{");
  });
});

describe("trust --list", () => {
  const list = async (options = {}) => {
    const context = contextOf({ ...world, env: { ...world.env, CLAUDECODE: "1" } }, { list: true, ...options });
    return { code: await runTrust(context, NO_TERMINAL), said: context.said() };
  };

  test("shows to anybody what is trusted and how it stands", async () => {
    expect(await list()).toEqual({ code: 0, said: "No project's configuration is trusted.\n" });
    await run("trust\n");
    expect((await list()).said).toMatch(/^in force {2}20\S+ [\d:]+ {2}.*hookwright.yml\n$/);
    fs.appendFileSync(file, "#\n");
    expect(JSON.parse((await list({ json: true })).said)).toMatchObject([{ state: "changed since", file }]);
    fs.rmSync(file);
    expect((await list()).said).toContain("gone");
  });

  test("says when the list is damaged", async () => {
    fs.mkdirSync(world.home);
    fs.writeFileSync(trustFileAt(world.home), "7");
    expect(await list()).toMatchObject({ code: 1, said: expect.stringContaining("cannot be used") });
  });

  test("does not go with --revoke", async () => {
    await failing("HW_USAGE", () => list({ revoke: true }));
  });
});
