import { describe, expect, it } from "vitest";
import * as z from "zod";
import { compileConfig } from "./compile.ts";
import { tighten } from "./tighten.ts";

const person = (text: string) => ({ file: "/home/dev/config.yml", owner: "person", text }) as const;
const project = (text: string) => ({ file: "/p/hookwright.yml", owner: "project", text }) as const;
const ID = "safety/protected-paths";

describe("configuration", () => {
  it("reads profiles, modes and options", async () => {
    const config = await compileConfig([
      person(`profiles: [ntm]\npolicies:\n  ${ID}:\n    mode: observe\n    also: [infra]\n  ntm/active-session: off\n`),
    ]);
    expect(config).toEqual({
      profiles: ["ntm"],
      policies: {
        [ID]: { mode: "observe", options: { also: ["infra"] } },
        "ntm/active-session": { mode: "off", options: {} },
      },
      problems: [],
    });
  });

  it.each(["", "# nothing\n"])("takes an empty file as no opinion", async (text) => {
    expect(await compileConfig([person(text)])).toMatchObject({ profiles: ["safety"], problems: [] });
  });

  it.each([
    ["profiles: [saftey]", "1:12: the profile `saftey` is not known. Did you mean `safety`?"],
    ["profile: [safety]", "`profile` is not a key here. Did you mean `profiles`?"],
    ["profiles: safety", "should be a list"],
    [
      `policies:\n  safety/protected-path: off`,
      "2:26: the policy `safety/protected-path` is not known. Did you mean `safety/protected-paths`?",
    ],
    [`policies:\n  ${ID}: enforced`, "the mode `enforced` is not known. Did you mean `enforce`?"],
    [`policies:\n  ${ID}: { als: [x] }`, "Did you mean `also`?"],
    [`policies:\n  ${ID}: { also: x }`, "expected array"],
    ["- a\n- b", "keys and values"],
    ["a: [", "1:"],
    ["a: 1\na: 2", "unique"],
  ])("says where %j is wrong, and what was probably meant", async (text, expected) => {
    const { problems } = await compileConfig([person(text)]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain("/home/dev/config.yml:");
    expect(problems[0]).toContain(expected);
  });

  it("lets a project add profiles, never take one away", async () => {
    const { profiles } = await compileConfig([person("profiles: [safety]"), project("profiles: [ntm]")]);
    expect(profiles).toEqual(["safety", "ntm"]);
  });

  it.each([
    ["off", "enforce", "enforce"],
    ["observe", "off", "observe"],
    ["enforce", "observe", "enforce"],
  ])("with the person's mode %s and the project's %s uses %s", async (mine, theirs, used) => {
    const config = await compileConfig([
      person(`policies: { ${ID}: ${mine} }`),
      project(`policies: { ${ID}: ${theirs} }`),
    ]);
    expect(config.policies[ID]?.mode).toBe(used);
  });

  it("keeps a project from switching a policy off that nobody configured", async () => {
    const config = await compileConfig([project(`policies: { ${ID}: off }`)]);
    expect(config.policies[ID]?.mode).toBe("enforce");
  });

  it("adds a project's protected paths to the person's", async () => {
    const config = await compileConfig([
      person(`policies: { ${ID}: { also: [a] } }`),
      project(`policies: { ${ID}: { also: [b] } }`),
    ]);
    expect(config.policies[ID]?.options).toEqual({ also: ["a", "b"] });
  });
});

describe("tightening", () => {
  const schema = z.object({
    most: z.number().default(10).meta({ tighter: "down" }),
    least: z.number().default(1).meta({ tighter: "up" }),
    strict: z.boolean().default(false).meta({ tighter: "up" }),
    text: z.string().default("x").meta({ tighter: "none" }),
    undeclared: z.number().default(1),
  });
  it.each([
    [{ most: 5 }, { most: 5 }, []],
    [{ most: 50 }, { most: 10 }, []],
    [{ least: 0 }, { least: 1 }, []],
    [{ strict: true }, { strict: true }, []],
    [{ text: "y" }, {}, ["text"]],
    [{ undeclared: 0 }, {}, ["undeclared"]],
  ])("of %j comes to %j", (wanted, expected, refused) => {
    const said: string[] = [];
    expect(tighten(schema, {}, wanted, (key) => said.push(key))).toEqual(expected);
    expect(said).toEqual(refused);
  });
});
