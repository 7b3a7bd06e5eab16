import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { sized } from "../../test/support/long.ts";
import { PROFILES } from "../core/settings/profiles.ts";
import { type ConfigSource, compileWith, optionSchemas } from "./compile.ts";
import { MODES } from "./read-options.ts";
import { CONFIG_KEYS, type OptionSchemas } from "./read-settings.ts";
import { everyKind, SCHEMAS } from "./synthetic.samples.ts";

let schemas: OptionSchemas;
beforeAll(async () => {
  schemas = new Map([...(await optionSchemas()), ...SCHEMAS]);
});

const nasty = ["__proto__", "constructor", "toString", "valueOf", "hasOwnProperty", "toJSON", "length", "", "mode"];
const word = fc.oneof(
  fc.constantFrom(...CONFIG_KEYS, ...PROFILES, ...MODES, ...nasty, "also", "safety/protected-paths", "test/every-kind"),
  fc.constantFrom(...Object.keys(everyKind.shape)),
  fc.string(),
);
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "medium", withCrossShrink: true },
    word,
    fc.double(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(word, tie("value"), { maxKeys: 5, noNullPrototype: true }),
  ),
})).value;
const settings = fc.record(
  {
    profiles: fc.oneof(fc.array(word), json),
    policies: fc.oneof(fc.dictionary(word, fc.oneof(word, fc.dictionary(word, json)), { noNullPrototype: true }), json),
    contextBudget: fc.oneof(fc.record({ start: json, tool: json }, { requiredKeys: [] }), json),
  },
  { requiredKeys: [] },
);
const pieces = fc.constantFrom(
  ...[
    "\n",
    "  ",
    "\t",
    ": ",
    "- ",
    "? ",
    "[",
    "]",
    "{",
    "}",
    ", ",
    "&a ",
    "*a",
    "!!set ",
    "!x ",
    "|\n",
    ">-\n",
    "#",
    '"',
  ],
  ...[
    "'",
    "---\n",
    "...\n",
    "%YAML 1.1\n---\n",
    "<<: ",
    "\\",
    "\r",
    "\0",
    "\uFEFF",
    "~",
    "=",
    "0o7",
    "1e9",
    ".nan",
    "@",
    "`",
  ],
);
const yamlish = fc.array(fc.oneof(pieces, pieces, word), { maxLength: 60 }).map((parts) => parts.join(""));

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  yamlish,
  json.map((value) => JSON.stringify(value) ?? ""),
  settings.map((value) => JSON.stringify(value)),
  settings.map((value) => stringify(value)),
);
const source: fc.Arbitrary<ConfigSource> = fc.record(
  {
    file: fc.constantFrom("/a/config.yml", "/{line}/\u001b.yml"),
    owner: fc.constantFrom("person", "project"),
    text,
    trusted: fc.boolean(),
    lastGood: text,
    unreadable: fc.constant("cannot be read"),
  },
  { requiredKeys: ["file", "owner", "text"] },
);

describe("whatever stands in the files", () => {
  it("compiles to a configuration that survives being kept as JSON", () => {
    fc.assert(
      fc.property(fc.array(source, { maxLength: 3 }), (sources) => {
        const { goodFiles, ...config } = compileWith(schemas, sources);
        expect(JSON.parse(JSON.stringify(config))).toEqual(config);
        expect(config.profiles.every((name) => PROFILES.includes(name))).toBe(true);
        for (const [id, set] of Object.entries(config.policies)) {
          expect(schemas.get(id)?.safeParse(set.options).success, id).toBe(true);
        }
        for (const size of Object.values(config.contextBudget)) expect(size >= 500 && size <= 9_000).toBe(true);
        for (const problem of config.problems) expect(problem).not.toMatch(/\p{Cc}/u);
        if (sources.length > 0 && goodFiles.length === 0) expect(config.problems).not.toEqual([]);
      }),
      { numRuns: sized(300, 1_500) },
    );
  }, 180_000);
});
