import { describe, expect, it } from "vitest";
import * as z from "zod";
import { limitsOption, modeOptions, startedByOption } from "../domain/mode/options.ts";
import { type CompiledConfig, type ConfigSource, compileWith } from "./compile.ts";
import { configPage } from "./config-page.ts";
import { configSchema } from "./config-schema.ts";
import type { OptionSchemas } from "./read-settings.ts";

const KEYWORDS = "detection/keyword-detector";
const phrases = z
  .enum(["off", "suggest", "activate"])
  .default("activate")
  .meta({ tighter: "down", order: ["off", "suggest", "activate"] });

const POLICIES = [
  { id: "detection/another", summary: "Another.", options: () => z.object({ most: z.int().default(1) }) },
  {
    id: KEYWORDS,
    summary: "Keywords.",
    options: () => z.object({ limits: limitsOption(z), startedBy: startedByOption(z), phrases }),
  },
  { id: "modes/ralph", summary: "Ralph.", options: () => modeOptions(z) },
  { id: "modes/swarm", summary: "Swarm.", options: () => modeOptions(z) },
  { id: "safety/paths", summary: "Paths.", options: () => z.object({ also: z.array(z.string()).default([]) }) },
];
const SCHEMAS: OptionSchemas = new Map(POLICIES.map(({ id, options }) => [id, options() as z.ZodObject]));

const person = (text: string): ConfigSource => ({ file: "/home/dev/config.yml", owner: "person", text });
const project = (text: string): ConfigSource => ({ file: "/p/hookwright.yml", owner: "project", text });
const compiled = (...sources: ConfigSource[]): CompiledConfig => compileWith(SCHEMAS, sources);
const optionsIn = ({ policies }: CompiledConfig) =>
  Object.fromEntries(Object.entries(policies).map(([id, { options }]) => [id, options]));

describe("the key `modes`", () => {
  it("reaches the policies of the pack and the policy that reads keywords, each with what it has", () => {
    const config = compiled(person("modes: { stop: hard, startedBy: anyone, limits: { ralph: 7 } }"));
    expect(config.problems).toEqual([]);
    expect(optionsIn(config)).toEqual({
      [KEYWORDS]: { startedBy: "anyone", limits: expect.objectContaining({ ralph: 7, swarm: 15 }) },
      "modes/ralph": { stop: "hard" },
      "modes/swarm": { stop: "hard" },
    });
  });

  it.each([
    ["modes: { stpo: hard }", "1:10: `stpo` is not an option here. Did you mean `stop`?"],
    ["modes: { stop: hrad }", "Did you mean `hard`?"],
    ["modes: { limits: { ralhp: 5 } }", "1:20: `limits.ralhp` is not an option here. Did you mean `ralph`?"],
    ["modes: { limits: { ralph: 0 } }", "1:27: `limits.ralph`: Too small"],
    ["modes: { limits: 5 }", "`limits`: Invalid input"],
    ["modes: hard", "`modes` should hold options: limits, startedBy, phrases, stop"],
    ["mode: {}", "`mode` is not a key here. Did you mean `modes`?"],
    ["keyword: {}", "`keyword` is not a key here. Did you mean `keywords`?"],
    ["keywords: { stop: hard }", "`stop` is not an option here."],
    ["keywords: { phrases: activated }", "Did you mean `activate`?"],
    [`policies: { ${KEYWORDS}: { limits: { pipline: 3 } } }`, "Did you mean `pipeline`?"],
  ])("says where %j is wrong", (text, expected) => {
    const { problems, goodFiles } = compiled(person(text));
    expect(problems.join("\n")).toContain(expected);
    expect(goodFiles).toEqual([]);
  });
});

it("`keywords` is for the policy that reads keywords alone", () => {
  expect(optionsIn(compiled(person("keywords: { phrases: suggest }")))).toEqual({ [KEYWORDS]: { phrases: "suggest" } });
});

describe("the policy's own entry takes precedence, then `keywords`, then `modes`, then the pack", () => {
  const keys = ["detection", "modes", "keywords"].map((key, at) => `${key}: { limits: { ralph: ${at + 1} } }`);
  it.each([
    [1, keys.slice(0, 1)],
    [2, keys.slice(0, 2)],
    [3, keys],
    [3, keys.toReversed()],
    [4, [...keys, `policies: { ${KEYWORDS}: { limits: { ralph: 4 } } }`]],
  ])("%i", (ralph, lines) => {
    expect(compiled(person(lines.join("\n"))).policies[KEYWORDS]?.options).toMatchObject({ limits: { ralph } });
  });
});

describe("a project's file", () => {
  it.each([
    ["modes: { stop: soft }", "modes: { stop: hard }", { stop: "hard" }, "modes/ralph"],
    ["modes: { startedBy: anyone }", "modes: { startedBy: person }", { startedBy: "person" }, KEYWORDS],
    ["", "keywords: { phrases: suggest }", { phrases: "suggest" }, KEYWORDS],
  ])("may tighten: after %j it says %j", (mine, theirs, expected, id) => {
    const config = compiled(person(mine), project(theirs));
    expect(config.problems).toEqual([]);
    expect(config.policies[id]?.options).toMatchObject(expected);
  });

  it.each([
    ["modes: { stop: hard }", "modes: { stop: soft }"],
    ["", "modes: { startedBy: anyone }"],
    ["", "modes: { limits: { ralph: 1000 } }"],
    ["keywords: { phrases: off }", "keywords: { phrases: activate }"],
  ])("may not loosen: after %j it says %j", (mine, theirs) => {
    const config = compiled(person(mine), project(theirs));
    expect(config.problems.join()).toContain("hookwright trust");
    // A refused wish leaves an entry without options.
    const { policies } = compiled(person(mine));
    for (const [id, { options }] of Object.entries(config.policies)) {
      expect(options).toEqual(policies[id]?.options ?? {});
    }
  });
});

describe("what is generated", () => {
  const schema = configSchema(POLICIES);
  const properties = schema.properties ?? {};

  it("the schema has the keys, with their own options", () => {
    const optionsOf = (key: string): string[] =>
      Object.keys((properties[key] as { properties: Record<string, unknown> }).properties);
    expect(optionsOf("modes")).toEqual(["limits", "startedBy", "phrases", "stop"]);
    expect(optionsOf("keywords")).toEqual(["limits", "startedBy", "phrases"]);
    const accepts = (value: unknown): boolean =>
      z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]).safeParse(value).success;
    expect(accepts({ modes: { limits: { ralph: 9 } }, keywords: { phrases: "off" } })).toBe(true);
    expect(accepts({ modes: { limits: { ralhp: 9 } } })).toBe(false);
  });

  it("the descriptions name whom a key reaches", () => {
    const of = (key: string): unknown => (properties[key] as { description: string }).description;
    expect(of("modes")).toBe(`Options for every policy of modes that has them, and for ${KEYWORDS}.`);
    expect(of("keywords")).toBe(`Options for ${KEYWORDS}.`);
    expect(of("safety")).toBe("Options for every policy of safety that has them.");
  });

  it("so does the page, which also describes an option that is an object", () => {
    const page = configPage(POLICIES);
    expect(page).toContain(`The key \`keywords\` applies only to \`${KEYWORDS}\`.`);
    expect(page).toContain(`The key \`modes\` also applies to \`${KEYWORDS}\`.`);
    expect(page).toMatch(/\| `limits` \| `ralph`, .*, `ecomode`: a whole number from 1 to 1000 for each \| `{}` \|/);
    expect(configPage(POLICIES.slice(4))).not.toContain("The key");
  });
});
