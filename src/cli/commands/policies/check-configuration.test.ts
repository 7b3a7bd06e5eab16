import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { CommandContext } from "../../command.ts";
import { contextOf, failing, makeWorld, type SetupWorld } from "../../installation/setup.samples.ts";
import { runPoliciesCommand } from "./run.ts";

let world: SetupWorld;
beforeEach(() => {
  world = makeWorld();
});
afterEach(() => fs.rmSync(world.root, { recursive: true, force: true }));

const project = (): string => path.join(world.project, "hookwright.yml");
function person(text: string): string {
  fs.mkdirSync(world.home, { recursive: true });
  const file = path.join(world.home, "config.yml");
  fs.writeFileSync(file, text);
  return file;
}
const run = (context: CommandContext): Promise<number> => runPoliciesCommand(context, "/no/worker/is/needed");

async function check(options: CommandContext["options"] = {}): Promise<[code: number, said: string]> {
  const context = contextOf(world, { check: true, ...options });
  return [await run(context), context.said().trimEnd()];
}

const MISTAKE = "profiles: [safety]\npolicies:\n  safety/protected-pathz: observe\n";
const LOOSER = "policies:\n  safety/protected-paths: off\n";

describe("policies --check", () => {
  test("says that there is no file, and that files are right", async () => {
    expect(await check()).toEqual([0, "There is no configuration file here: the defaults are used."]);
    fs.writeFileSync(project(), "profiles: [ntm]\n");
    expect(await check()).toEqual([0, `ok  ${project()}`]);
  });

  test("names file, line and column of a mistake, and fails", async () => {
    fs.writeFileSync(project(), MISTAKE);
    const [code, said] = await check();
    expect(code).toBe(1);
    expect(said).toContain(`error  ${project()}:3:3: `);
    expect(said).toContain("safety/protected-pathz");
    const [, json] = await check({ json: true });
    expect(JSON.parse(json)).toMatchObject({
      ok: false,
      files: [project()],
      findings: expect.arrayContaining([
        { level: "error", file: project(), line: 3, column: 3, text: expect.stringContaining("protected-pathz") },
      ]),
    });
  });

  test("warns of what a project may not do without trust, and does not fail", async () => {
    fs.writeFileSync(project(), LOOSER);
    const [code, said] = await check();
    expect(said).toContain(`warning  ${project()}:2:27: `);
    expect(code).toBe(0);
  });

  test("finds a file that cannot be read as YAML", async () => {
    fs.writeFileSync(project(), "profiles: [ntm\n");
    const [code, said] = await check();
    expect(code).toBe(1);
    expect(said).toMatch(/^error {2}.+hookwright\.yml:2:1: /);
  });

  test("prints SARIF with paths below the project, and other files as addresses", async () => {
    fs.writeFileSync(project(), MISTAKE);
    const mine = person("profile: [safety]\n");
    const [code, said] = await check({ sarif: true });
    expect(code).toBe(1);
    const { version, runs } = JSON.parse(said);
    expect([version, runs.length]).toEqual(["2.1.0", 1]);
    const [{ tool, results, originalUriBaseIds }] = runs;
    expect(tool.driver.name).toBe("Hookwright");
    expect(originalUriBaseIds.SRCROOT.uri).toBe(`${pathToFileURL(world.project).href}/`);
    for (const { ruleId, level, message } of results) {
      expect(tool.driver.rules.map(({ id }: { id: string }) => id)).toContain(ruleId);
      expect([level, typeof message.text]).toEqual(["error", "string"]);
    }
    const places = results.map(({ locations }: { locations: object[] }) => locations[0]);
    expect(places).toContainEqual({
      physicalLocation: {
        artifactLocation: { uri: "hookwright.yml", uriBaseId: "SRCROOT" },
        region: { startLine: 3, startColumn: 3 },
      },
    });
    expect(JSON.stringify(places)).toContain(pathToFileURL(mine).href);
  });

  test.each<[string, CommandContext["options"], readonly string[]]>([
    ["with an ID", { check: true }, ["safety/protected-paths"]],
    ["with --all", { check: true, all: true }, []],
    ["with two formats", { check: true, json: true, sarif: true }, []],
    ["--sarif without --check", { sarif: true }, []],
  ])("%s it is a wrong call", async (_name, options, args) => {
    await failing("HW_USAGE", () => run({ ...contextOf(world, options), args }));
  });
});
