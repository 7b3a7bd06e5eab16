import fs from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import type { Policy } from "../core/policy.ts";
import { registry } from "../policies/index.gen.ts";
import { compileConfig } from "./compile.ts";
import { configPage, EXAMPLES } from "./config-page.ts";
import { configSchema, kindText, projectPermission } from "./config-schema.ts";
import { everyKind, SYNTHETIC } from "./synthetic.samples.ts";

const policies: Policy[] = [];
beforeAll(async () => {
  for (const entry of registry) policies.push((await entry.load()).default);
});

const accepts = (schema: unknown, value: unknown): boolean =>
  z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]).safeParse(value).success;
const published = (): unknown => JSON.parse(fs.readFileSync("schema/hookwright.schema.json", "utf8"));

describe("the schema for editors", () => {
  it.each(Object.entries(EXAMPLES))("accepts the documented example %s", (_name, text) => {
    expect(accepts(published(), parse(text))).toBe(true);
  });

  it.each([
    "profiles: [safety, ntm]\npolicies:\n  safety/protected-paths:\n    mode: observe\n    also: [a]\n",
    "policies:\n  safety/protected-paths:\n  ntm/active-session: off\n",
    "profiles:\npolicies:\ncontextBudget:\n",
    "contextBudget: { start: 500, tool: 9000 }",
    "rules:",
    "rules: [{ id: a, tool: Bash, do: deny, text: No. }]",
    "rules: [{ id: a-b, event: PreToolUse, program: [x, y], pattern: z, path: q, do: ask, mode: observe, text: No. }]",
  ])("accepts %j, and so do we", async (text) => {
    expect(accepts(published(), parse(text))).toBe(true);
    expect((await compileConfig([{ file: "/c.yml", owner: "person", text }])).problems).toEqual([]);
  });

  it.each([
    "profile: [safety]",
    "profiles: [saftey]",
    "profiles: safety",
    "policies: { safety/protected-path: off }",
    "policies: { safety/protected-paths: enforced }",
    "policies: { safety/protected-paths: { mode: no } }",
    "policies: { safety/protected-paths: { also: x } }",
    "policies: { safety/protected-paths: { als: [x] } }",
    "policies: { safety/protected-paths: { also: [''] } }",
    "contextBudget: { start: 499 }",
    "contextBudget: { start: 9001 }",
    "contextBudget: { tool: 600.5 }",
    "contextBudget: { tools: 600 }",
    "rules: { a: 1 }",
    "rules: [{ id: A, tool: x, do: deny, text: No. }]",
    "rules: [{ id: a, tool: x, do: allow, text: No. }]",
    "rules: [{ id: a, tool: [], do: deny, text: No. }]",
    "rules: [{ id: a, tool: x, do: deny }]",
    "rules: [{ id: a, tool: x, when: y, do: deny, text: No. }]",
    "rules: [{ id: a, program: /bin/x, do: deny, text: No. }]",
    "rules: [{ id: a, event: session.start, pattern: x, do: note, text: No. }]",
  ])("rejects %j, and so do we", async (text) => {
    expect(accepts(published(), parse(text))).toBe(false);
    expect((await compileConfig([{ file: "/c.yml", owner: "person", text }])).problems).not.toEqual([]);
  });

  it("knows every policy and says something about every option", () => {
    const schema = configSchema(policies);
    const known = schema.properties?.policies as z.core.JSONSchema.BaseSchema;
    expect(Object.keys(known.properties ?? {})).toEqual(registry.map((entry) => entry.id));
    for (const policy of policies) {
      for (const [name, option] of Object.entries(policy.options?.(z).shape ?? {})) {
        expect((option as z.ZodType).description, `${policy.id} ${name} needs .describe()`).toBeTruthy();
      }
    }
  });

  it("carries no words that only we understand", () => {
    expect(JSON.stringify(configSchema(policies))).not.toMatch(/"(tighter|order)":/);
  });

  it("leaves `mode` to every policy alike", () => {
    const odd = { id: "test/odd", summary: "Odd.", options: () => z.object({ mode: z.string().default("") }) };
    expect(() => configSchema([odd])).toThrow("test/odd: no option can be called `mode`");
  });
});

describe("the page", () => {
  it.each([
    ["least", "raise it"],
    ["most", "lower it"],
    ["strict", "set it to `true`"],
    ["lenient", "set it to `false`"],
    ["answer", "go from left to right in `once`, `ask`, `deny`"],
    ["patience", "go from left to right in `long`, `short`"],
    ["listed", "add to it"],
    ["text", "not set it"],
    ["unsaid", "not set it"],
    ["unordered", "not set it"],
    ["inside", "raise it"],
  ] as const)("says that a project may, with %s, %s", (name, text) => {
    expect(projectPermission(everyKind.shape[name])).toBe(text);
  });

  it.each([
    [{ type: "integer", minimum: 500, maximum: 9000 }, "a whole number from 500 to 9000"],
    [{ type: "number", minimum: 1 }, "a number, at least 1"],
    [{ type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 }, "a whole number"],
    [{ type: "array", items: { type: "string" } }, "a list of texts"],
    [{ type: "array", items: { enum: ["a", "b"] } }, "a list of `a`, `b`"],
    [{ type: "boolean" }, "`true` or `false`"],
    [{ enum: ["a", "b"] }, "`a`, `b`"],
    [{}, "a value"],
  ] as const)("describes %j as %j", (schema, text) => {
    expect(kindText(schema as Parameters<typeof kindText>[0])).toBe(text);
  });

  it("lists each policy with its options", () => {
    const options = () => everyKind;
    const page = configPage([{ id: SYNTHETIC, summary: "Has everything.", options }]);
    expect(page).toContain(`### \`${SYNTHETIC}\`\n\nHas everything.`);
    for (const name of Object.keys(everyKind.shape)) expect(page).toContain(`\n| \`${name}\` | `);
  });

  it("shows examples of which ours are right and the project's loosening is not", async () => {
    const problems = async (owner: "person" | "project", text: string) =>
      (await compileConfig([{ file: "/c.yml", owner, text }])).problems;
    expect(await problems("person", EXAMPLES.person)).toEqual([]);
    expect(await problems("project", EXAMPLES.project)).toEqual([]);
    expect((await problems("project", EXAMPLES.loosening))[0]).toContain("hookwright trust");
  });
});
