import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { sized } from "../../test/support/long.ts";
import { APPROVALS } from "../core/settings/approvals.ts";
import { type Config, DEFAULT_CONFIG, modeOf } from "../core/settings/config.ts";
import { registry } from "../policies/index.gen.ts";
import { type ConfigSource, compileWith, optionSchemas } from "./compile.ts";
import { MODES } from "./read-options.ts";
import {
  type CONFIG_KEYS,
  CONTEXT_POLICIES,
  contextBudgetSchema,
  type OptionSchemas,
  PERSONAL_POLICIES,
  packKeysOf,
  packOptions,
} from "./read-settings.ts";
import { declared, isLooser, SCHEMAS } from "./synthetic.samples.ts";

/** Valid and invalid values of the option. */
function valuesOf(option: z.ZodType): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 9, arbitrary: fitting(z.toJSONSchema(option, { io: "input" })) },
    { weight: 1, arbitrary: fc.jsonValue() },
  );
}

function fitting(schema: z.core.JSONSchema.BaseSchema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => fitting(one as z.core.JSONSchema.BaseSchema)));
  const min = Math.max(schema.minimum ?? -20, -10_000);
  const max = Math.min(schema.maximum ?? min + 100, 10_000);
  switch (schema.type) {
    case "integer":
      return fc.integer({ min, max });
    case "number":
      return fc.oneof(fc.integer({ min, max }), fc.double({ min, max, noNaN: true }));
    case "boolean":
      return fc.boolean();
    case "string":
      if (schema.pattern !== undefined) return fc.stringMatching(new RegExp(schema.pattern));
      if (schema.format === "date") return fc.constantFrom("2026-01-31", "2030-12-01");
      return fc.oneof(fc.constantFrom("a", "b", "x"), fc.string({ minLength: schema.minLength ?? 0 }));
    case "array": {
      const items =
        typeof schema.items === "object" && !Array.isArray(schema.items) ? fitting(schema.items) : fc.string();
      return fc.array(items, { maxLength: 4 });
    }
    case "object":
      return fc.record(
        Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([key, one]) => [
            key,
            fitting(one as z.core.JSONSchema.BaseSchema),
          ]),
        ),
      );
    default:
      return fc.jsonValue();
  }
}

const optionsOf = (schema: z.ZodObject): [string, z.ZodType][] => Object.entries(schema.shape) as [string, z.ZodType][];

const valuesFor = (schema: z.ZodObject): Record<string, fc.Arbitrary<unknown>> =>
  Object.fromEntries(optionsOf(schema).map(([key, option]) => [key, valuesOf(option)]));

/** A generator for all keys of a file. Typed so that a new key is a type error until it is added here. */
function fileFor(schemas: OptionSchemas): fc.Arbitrary<string> {
  const some = { requiredKeys: [] };
  const policies = [...schemas].map(([id, schema]): [string, fc.Arbitrary<unknown>] => {
    const settings = fc.record({ ...valuesFor(schema), mode: fc.constantFrom(...MODES) }, some);
    return [id, fc.oneof(fc.constantFrom(...MODES), settings)];
  });
  const keys: Record<(typeof CONFIG_KEYS)[number], fc.Arbitrary<unknown>> = {
    profiles: fc.subarray(["safety", "ntm", "plan", "session", "teams", "omc"]),
    policies: fc.record(Object.fromEntries(policies), some),
    contextBudget: fc.record(valuesFor(contextBudgetSchema), some),
    contextPolicy: fc.constantFrom(...CONTEXT_POLICIES),
    approvals: fc.constantFrom(...APPROVALS),
    rules: fc.uniqueArray(ruleOf, { maxLength: 4, selector: ({ id }) => id }),
  };
  const packs = [...packOptions(schemas)].map(([pack, schema]) => [pack, fc.record(valuesFor(schema), some)]);
  return fc.record({ ...keys, ...Object.fromEntries(packs) }, some).map((value) => JSON.stringify(value));
}

/** Only a few ids, so that both files often use the same one. */
const ruleOf = fc.record(
  {
    id: fc.constantFrom("a", "b", "c", "d"),
    tool: fc.constantFrom("Bash", ["edit"]),
    pattern: fc.constantFrom("x", "(?i)y+"),
    do: fc.constantFrom("deny", "ask", "note"),
    mode: fc.constantFrom(...MODES),
    text: fc.constantFrom("One.", "Two."),
  },
  { requiredKeys: ["id", "tool", "do", "text"] },
);

type Compared = Omit<Config, "problems">;

/** Lists what became looser. Typed so that a new part of a configuration is a type error until it is compared here. */
function looserParts(schemas: OptionSchemas, before: Config, after: Config): string[] {
  const strictness = (config: Config, id: string): number =>
    MODES.indexOf(modeOf(registry.find((entry) => entry.id === id) ?? {}, config.policies[id]));
  const compare = (schema: z.ZodObject, where: string, old: object, now: object): string[] =>
    optionsOf(schema).flatMap(([key, option]) => {
      const standard = option.safeParse(undefined).data;
      const was = Object.hasOwn(old, key) ? Reflect.get(old, key) : standard;
      const is = Object.hasOwn(now, key) ? Reflect.get(now, key) : standard;
      return isLooser(option, was, is) ? [`${where}.${key}: ${JSON.stringify(was)} -> ${JSON.stringify(is)}`] : [];
    });
  const parts: Record<keyof Compared, () => string[]> = {
    profiles: () => before.profiles.filter((name) => !after.profiles.includes(name)),
    policies: () =>
      [...schemas].flatMap(([id, schema]) => [
        ...(strictness(after, id) < strictness(before, id) ? [`${id} mode`] : []),
        ...compare(schema, id, before.policies[id]?.options ?? {}, after.policies[id]?.options ?? {}),
      ]),
    contextBudget: () => compare(contextBudgetSchema, "contextBudget", before.contextBudget, after.contextBudget),
    contextPolicy: () => (after.contextPolicy === before.contextPolicy ? [] : ["contextPolicy"]),
    rules: () => [
      ...before.rules.flatMap((rule, index) =>
        isDeepStrictEqual(rule, after.rules[index]) ? [] : [`rules/${rule.id}`],
      ),
      ...after.rules.slice(before.rules.length).flatMap((rule) => (rule.do === "note" ? [`note ${rule.id}`] : [])),
    ],
  };
  return Object.values(parts).flatMap((part) => part());
}

/** `npm run check:long` tries ten times as many files. */
const MORE = sized(1, 10);

const all = new Map<string, OptionSchemas>([["an option of every kind", SCHEMAS]]);
beforeAll(async () => {
  all.set("the shipped policies", await optionSchemas());
});

describe("a project's file that nobody trusted", () => {
  it.each(["an option of every kind", "the shipped policies"])(
    "never makes anything looser: %s",
    (name) => {
      const schemas = all.get(name) ?? SCHEMAS;
      const person = fileFor(schemas).map((text): ConfigSource => ({ file: "/home/c.yml", owner: "person", text }));
      const project = fc
        .record(
          { text: fileFor(schemas), lastGood: fileFor(schemas), trusted: fc.constant(false) },
          { requiredKeys: ["text"] },
        )
        .map((fields): ConfigSource => ({ file: "/p/hookwright.yml", owner: "project", ...fields }));
      fc.assert(
        fc.property(fc.option(person, { nil: undefined }), project, (mine, theirs) => {
          const base = mine ? [mine] : [];
          const without = compileWith(schemas, base);
          const config = compileWith(schemas, [...base, theirs]);
          expect(looserParts(schemas, without, config)).toEqual([]);
        }),
        { numRuns: 60 * MORE },
      );
    },
    60_000,
  );

  it("is measured by something that can tell: a trusted one does loosen", () => {
    const text = JSON.stringify({
      policies: { "test/every-kind": { mode: "off", least: 1, text: "y" } },
      contextPolicy: "restart",
      rules: [{ id: "a", tool: "Bash", do: "note", text: "Obey." }],
    });
    const trusted: ConfigSource = { file: "/p/hookwright.yml", owner: "project", trusted: true, text };
    const found = looserParts(SCHEMAS, DEFAULT_CONFIG, compileWith(SCHEMAS, [trusted]));
    expect(found).toEqual([
      "test/every-kind mode",
      "test/every-kind.least: 3 -> 1",
      'test/every-kind.text: "x" -> "y"',
      "contextPolicy",
      "note a",
    ]);
  });

  it("that is broken and was trusted never loosens either", () => {
    fc.assert(
      fc.property(fileFor(SCHEMAS), fileFor(SCHEMAS), (mine, lastGood) => {
        const base: ConfigSource = { file: "/home/c.yml", owner: "person", text: mine };
        const broken: ConfigSource = {
          file: "/p/h.yml",
          owner: "project",
          trusted: true,
          text: "profiles: [",
          lastGood,
        };
        const config = compileWith(SCHEMAS, [base, broken]);
        expect(looserParts(SCHEMAS, compileWith(SCHEMAS, [base]), config)).toEqual([]);
      }),
      { numRuns: 60 * MORE },
    );
  }, 180_000);
});

/** One setting of a file: an option of a policy, its mode, or a key of the file itself. */
interface Setting {
  readonly name: string;
  readonly values: fc.Arbitrary<unknown>;
  /** The same value in every place of a file where it can be set. */
  readonly files: readonly ((value: unknown) => object)[];
  /** Is one value looser than the other? Undefined where two values cannot be compared. */
  readonly loosens: (before: unknown, after: unknown) => boolean;
  /** Not even a trusted project may set it. */
  readonly isPersons?: boolean;
}

const strictnessOf = (mode: unknown): number => MODES.map(String).indexOf(String(mode));

function everySetting(schemas: OptionSchemas): Setting[] {
  const ofOption = (name: string, option: z.ZodType, files: readonly ((value: unknown) => object)[]): Setting => ({
    name,
    values: fitting(z.toJSONSchema(option, { io: "input" })).filter((value) => option.safeParse(value).success),
    files,
    // Lists are only added to, so an item that is missing in a file does not loosen anything.
    loosens: (before, after) => declared(option).tighter !== "union" && isLooser(option, before, after),
    isPersons: declared(option).tighter === "person",
  });
  const packs = packOptions(schemas);
  const options = [...schemas].flatMap(([id, schema]) =>
    optionsOf(schema).map(([key, option]) => {
      const atPolicy = (value: unknown): object => ({ policies: { [id]: { [key]: value } } });
      const keys = packKeysOf(id).filter((pack) => Object.hasOwn(packs.get(pack)?.shape ?? {}, key));
      const atPacks = keys.map((pack) => (value: unknown): object => ({ [pack]: { [key]: value } }));
      return ofOption(`${id}.${key}`, option, [atPolicy, ...atPacks]);
    }),
  );
  const modes = [...schemas.keys()].map(
    (id): Setting => ({
      name: `${id} mode`,
      values: fc.constantFrom(...MODES),
      files: [(mode) => ({ policies: { [id]: mode } }), (mode) => ({ policies: { [id]: { mode } } })],
      loosens: (before, after) => strictnessOf(after) < strictnessOf(before),
      isPersons: PERSONAL_POLICIES.has(id),
    }),
  );
  const budget = optionsOf(contextBudgetSchema).map(([key, option]) =>
    ofOption(`contextBudget.${key}`, option, [(value) => ({ contextBudget: { [key]: value } })]),
  );
  const contextPolicy: Setting = {
    name: "contextPolicy",
    values: fc.constantFrom(...CONTEXT_POLICIES),
    files: [(value) => ({ contextPolicy: value })],
    loosens: (before, after) => before !== after,
  };
  return [...options, ...modes, ...budget, contextPolicy];
}

const schemas = await optionSchemas();

describe("every single setting", () => {
  const inForce = ({ problems: _, goodFiles: __, ...rest }: ReturnType<typeof compileWith>): Compared => rest;

  it("is among those that are tried", () => {
    const names = everySetting(schemas).map(({ name }) => name);
    expect(names.length).toBeGreaterThan(2 * schemas.size);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(everySetting(schemas).map((setting) => [setting.name, setting] as const))(
    "%s: a wish to loosen it changes nothing, and is granted once it is trusted, unless it is the person's alone",
    (_, { values, files, loosens, isPersons }) => {
      let granted = 0;
      let isUnion = true;
      const pair = fc.tuple(values, values, fc.constantFrom(...files));
      for (const [mine, theirs, file] of fc.sample(pair, { numRuns: 25, seed: 7 })) {
        const person: ConfigSource = { file: "/home/c.yml", owner: "person", text: JSON.stringify(file(mine)) };
        const project: ConfigSource = { file: "/p/h.yml", owner: "project", text: JSON.stringify(file(theirs)) };
        const without = compileWith(schemas, [person]);
        const untrusted = compileWith(schemas, [person, project]);
        expect(without.problems).toEqual([]);
        expect(looserParts(schemas, without, untrusted)).toEqual([]);
        const trusted = compileWith(schemas, [person, { ...project, trusted: true }]);
        if (looserParts(schemas, without, trusted).length > 0) granted++;
        if (!loosens(mine, theirs)) continue;
        isUnion = false;
        expect(inForce(untrusted)).toEqual(inForce(without));
        if (isPersons) expect(inForce(trusted)).toEqual(inForce(without));
        else expect(looserParts(schemas, without, trusted)).not.toEqual([]);
        expect(untrusted.problems.join()).toContain(isPersons ? "only your own file" : "hookwright trust");
      }
      if (isPersons) return;
      expect(granted, isUnion ? "no list was shortened" : "nothing was loosened").toBeGreaterThan(0);
    },
  );
});
