import fs from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { readTrust, sha256, trustFileAt } from "../../../engine/config/trust.ts";
import { openFolders } from "../../../engine/project-policies/policy-folder.ts";
import { homeAt } from "../../../system/home.ts";
import type { CommandContext } from "../../command.ts";
import {
  contextOf,
  filesBelow,
  makeWorld,
  NO_TERMINAL,
  type SetupWorld,
  typingTerminal,
} from "../../installation/setup.samples.ts";
import { runTrust } from "./command.ts";

const POLICY = "export default {};\n";
const LOOSE = "policies:\n  safety/protected-paths: off\n";

let world: SetupWorld;
let folder: string;
beforeEach(() => {
  const made = makeWorld();
  world = { ...made, env: { ...made.env, NO_COLOR: "1" } };
  folder = path.join(world.project, ".hookwright");
  write("policies/guard.js", POLICY);
  write("lib/words.js", "");
});

function write(name: string, text: string): void {
  const file = path.join(folder, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}

async function run(typed: string, options: CommandContext["options"] = {}, cwd = world.project) {
  const context = { ...contextOf(world, options), cwd };
  const code = await runTrust(context, typingTerminal(typed));
  return { code, said: context.said() };
}

const standing = (): string => openFolders(homeAt(world.home, world.root))(world.project).kind;

describe("trust in a project's own policies", () => {
  test("is given to the files that were shown, with their sizes and hashes", async () => {
    expect(standing()).toBe("not-run");
    const { code, said } = await run("trust\n");
    expect(code).toBe(0);
    expect(said).toContain(`${folder}\nsha256 `);
    expect(said).toContain(`\n  lib/words.js       0 bytes   ${sha256(Buffer.from(""))}\n`);
    expect(said).toContain(`\n  policies/guard.js  19 bytes  ${sha256(Buffer.from(POLICY))}\n`);
    expect(said).toContain("Read them first");
    const [record] = readTrust(world.home).records;
    expect(record).toMatchObject({ file: folder, at: expect.stringMatching(/^20/) });
    expect(said).toContain(`sha256 ${record?.sha256}`);
    expect(standing()).toBe("trusted");
    expect(await run("")).toMatchObject({ code: 0, said: expect.stringContaining("is already trusted") });
  });

  test("is asked for again after a change, which it says", async () => {
    await run("trust\n");
    write("policies/guard.js", `${POLICY}\n`);
    expect(standing()).toBe("not-run");
    const { code, said } = await run("no\n");
    expect(code).toBe(1);
    expect(said).toContain(`${folder} has changed since you trusted it\n`);
    expect(said).toContain("new policies do not run");
    expect(standing()).toBe("not-run");
    await run("trust\n");
    expect(standing()).toBe("trusted");
  });

  test("goes with one word for the configuration too, after both were shown", async () => {
    const file = path.join(world.project, "hookwright.yml");
    fs.writeFileSync(file, LOOSE);
    const { said } = await run("trust\n");
    expect(said).toContain("  safety/protected-paths mode\n    - enforce\n    + off\n");
    expect(said.match(/Trusted, exactly as shown/g)).toHaveLength(1);
    expect(readTrust(world.home).records.map((record) => record.file)).toEqual([file, folder]);
    write("lib/words.js", "1;");
    const again = await run("trust\n");
    expect(again.said).toContain(`${file} is already trusted`);
    expect(again.said).toContain(`${folder} has changed`);
    expect(readTrust(world.home).records).toHaveLength(3);
  });

  test("is found from a folder inside the project", async () => {
    const deep = path.join(world.project, "a", "b");
    fs.mkdirSync(deep, { recursive: true });
    expect((await run("trust\n", {}, deep)).code).toBe(0);
    expect(standing()).toBe("trusted");
  });

  test.each<[string, () => void, string]>([
    ["a link", () => fs.symlinkSync("/etc/hosts", path.join(folder, "x")), "x is a link"],
    [
      "a configuration with mistakes",
      () => fs.writeFileSync(path.join(world.project, "hookwright.yml"), "x: 1"),
      "Correct them first",
    ],
  ])("is not given with %s there", async (_name, make, why) => {
    make();
    expect(await run("trust\n")).toMatchObject({ code: 1, said: expect.stringContaining(why) });
    expect(readTrust(world.home).records).toEqual([]);
  });

  test("is not given to a folder without policies", async () => {
    fs.rmSync(path.join(folder, "policies"), { recursive: true });
    expect(await run("trust\n")).toMatchObject({
      code: 1,
      said: expect.stringContaining("no policy in its .hookwright/"),
    });
  });

  test("shows what is hidden in a name", async () => {
    write("lib/\u001b[1A\u202e.js", "");
    const { said } = await run("");
    expect(said).toContain("lib/\\u{1b}[1A\\u{202e}.js");
    expect(said).not.toContain("\u001b[1A");
  });

  test("is the person's to give", async () => {
    const agent = contextOf({ ...world, env: { ...world.env, CLAUDECODE: "1" } });
    expect(await runTrust(agent, typingTerminal("trust\n"))).toBe(1);
    expect(await runTrust(contextOf(world), NO_TERMINAL)).toBe(1);
    expect(filesBelow(world.home)).toEqual({});
  });

  test("is taken back together with the configuration's", async () => {
    const other = { file: "/elsewhere/.hookwright", sha256: "0", at: "2026" };
    fs.mkdirSync(world.home);
    fs.writeFileSync(trustFileAt(world.home), JSON.stringify([other]));
    await run("trust\n");
    expect((await run("", { revoke: true })).said).toContain("its own policies do not run");
    expect(readTrust(world.home).records).toEqual([other]);
    fs.writeFileSync(path.join(world.project, "hookwright.yml"), LOOSE);
    await run("trust\n");
    expect(readTrust(world.home).records).toHaveLength(3);
    await run("", { revoke: true });
    expect(readTrust(world.home).records).toEqual([other]);
    expect(standing()).toBe("not-run");
  });

  test("is listed with how it stands", async () => {
    await run("trust\n");
    const list = async (): Promise<string> => (await run("", { list: true })).said;
    expect(await list()).toMatch(/^in force {2}20\S+ [\d:]+ {2}.*\.hookwright\n$/);
    write("new.js", "");
    expect(await list()).toContain("changed since");
    fs.rmSync(folder, { recursive: true });
    expect(await list()).toContain("gone");
  });
});
