import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { type Config, DEFAULT_CONFIG } from "../core/config.ts";
import { type ConfigSource, compileWith, optionSchemas } from "./compile.ts";
import { MODES } from "./options.ts";
import { contextBudgetSchema, type OptionSchemas } from "./settings.ts";
import { isLooser, SCHEMAS } from "./synthetic.samples.ts";

/** Values that the option takes, and some that it does not. */
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

function fileFor(schemas: OptionSchemas): fc.Arbitrary<string> {
  const settingsOf = (schema: z.ZodObject): fc.Arbitrary<unknown> =>
    fc.record(
      {
        ...Object.fromEntries(
          Object.entries(schema.shape).map(([key, option]) => [key, valuesOf(option as z.ZodType)]),
        ),
        mode: fc.constantFrom(...MODES),
      },
      { requiredKeys: [] },
    );
  return fc
    .record(
      {
        profiles: fc.subarray(["safety", "ntm", "plan", "session", "teams", "omc"]),
        policies: fc.record(
          Object.fromEntries(
            [...schemas].map(([id, schema]) => [id, fc.oneof(fc.constantFrom(...MODES), settingsOf(schema))]),
          ),
          { requiredKeys: [] },
        ),
        contextBudget: fc.record(
          { start: fc.integer({ min: 400, max: 9_100 }), tool: fc.integer({ min: 400, max: 9_100 }) },
          { requiredKeys: [] },
        ),
        rules: fc.uniqueArray(ruleOf, { maxLength: 4, selector: ({ id }) => id }),
      },
      { requiredKeys: [] },
    )
    .map((value) => JSON.stringify(value));
}

/** Few ids, so that both files often use the same. */
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

function looserParts(schemas: OptionSchemas, before: Config, after: Config): string[] {
  const found: string[] = before.profiles.filter((name) => !after.profiles.includes(name));
  const strictness = (config: Config, id: string): number => MODES.indexOf(config.policies[id]?.mode ?? "enforce");
  const compare = (schema: z.ZodObject, where: string, old: object, now: object): void => {
    for (const [key, option] of Object.entries(schema.shape) as [string, z.ZodType][]) {
      const standard = option.safeParse(undefined).data;
      const was = Object.hasOwn(old, key) ? Reflect.get(old, key) : standard;
      const is = Object.hasOwn(now, key) ? Reflect.get(now, key) : standard;
      if (isLooser(option, was, is)) found.push(`${where}.${key}: ${JSON.stringify(was)} -> ${JSON.stringify(is)}`);
    }
  };
  for (const [id, schema] of schemas) {
    if (strictness(after, id) < strictness(before, id)) found.push(`${id} mode`);
    compare(schema, id, before.policies[id]?.options ?? {}, after.policies[id]?.options ?? {});
  }
  compare(contextBudgetSchema, "contextBudget", before.contextBudget, after.contextBudget);
  for (const [index, rule] of before.rules.entries()) {
    if (!isDeepStrictEqual(rule, after.rules[index])) found.push(`rules/${rule.id}`);
  }
  for (const rule of after.rules.slice(before.rules.length)) if (rule.do === "note") found.push(`note ${rule.id}`);
  return found;
}

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
        { numRuns: 600 },
      );
    },
    60_000,
  );

  it("is measured by something that can tell: a trusted one does loosen", () => {
    const text = JSON.stringify({
      policies: { "test/every-kind": { mode: "off", least: 1, text: "y" } },
      rules: [{ id: "a", tool: "Bash", do: "note", text: "Obey." }],
    });
    const trusted: ConfigSource = { file: "/p/hookwright.yml", owner: "project", trusted: true, text };
    const found = looserParts(SCHEMAS, DEFAULT_CONFIG, compileWith(SCHEMAS, [trusted]));
    expect(found).toEqual([
      "test/every-kind mode",
      "test/every-kind.least: 3 -> 1",
      'test/every-kind.text: "x" -> "y"',
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
      { numRuns: 300 },
    );
  }, 60_000);
});
