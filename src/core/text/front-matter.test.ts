import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { fastestMs } from "../../../test/support/cost.ts";
import { type FrontMatter, frontMatter, withFrontMatter } from "./front-matter.ts";

type Values = FrontMatter["values"];

interface Case {
  readonly name: string;
  readonly lines: readonly string[];
  readonly values: Values;
  /** YAML would read something else. */
  readonly isOurs?: boolean;
}

const CASES: readonly Case[] = [
  { name: "a plain text", lines: ["name: review"], values: { name: "review" } },
  {
    name: "a text with a colon inside",
    lines: ["url: http://example.com:80/a"],
    values: { url: "http://example.com:80/a" },
  },
  { name: "a comment behind a value", lines: ["name: review # mine"], values: { name: "review" } },
  { name: "a number sign inside a word", lines: ["name: c#"], values: { name: "c#" } },
  { name: "a number sign in quotes", lines: ['name: "a # b" # c'], values: { name: "a # b" } },
  { name: "lines of comment and empty lines", lines: ["# one", "", "name: a", "  # two"], values: { name: "a" } },
  { name: "double quotes", lines: ['name: "a: \\"b\\"\\n\\u00e4\\\\"'], values: { name: 'a: "b"\nä\\' } },
  { name: "single quotes", lines: ["name: 'it''s: \\n'"], values: { name: "it's: \\n" } },
  { name: "a quote inside a word", lines: ["name: it's"], values: { name: "it's" } },
  { name: "a name in quotes", lines: ['"name": a'], values: { name: "a" } },
  { name: "true and false", lines: ["a: true", "b: False", "c: TRUE"], values: { a: true, b: false, c: true } },
  {
    name: "true in quotes, and words that begin alike",
    lines: ['a: "true"', "b: truely"],
    values: { a: "true", b: "truely" },
  },
  { name: "a number stays a text", lines: ["quality: 80", "id: 007"], values: { quality: "80", id: "007" } },
  { name: "an empty value is none", lines: ["globs:", "alwaysApply: true"], values: { alwaysApply: true } },
  { name: "null is none", lines: ["globs: null", "model: ~"], values: {} },
  { name: "an empty text in quotes", lines: ['name: ""'], values: { name: "" } },
  { name: "a list in one line", lines: ["paths: [a, 'b, c', \"d\"]"], values: { paths: ["a", "b, c", "d"] } },
  { name: "an empty list", lines: ["paths: []"], values: { paths: [] } },
  { name: "a list in one line with a comment", lines: ["paths: [a, b] # both"], values: { paths: ["a", "b"] } },
  {
    name: "a list in one line over several lines",
    lines: ["paths: [", '  "a",', "  b,", "]", "x: y"],
    values: { paths: ["a", "b"], x: "y" },
  },
  {
    name: "braces inside a list",
    lines: ["paths: [src/**/*.{ts,tsx}, b]"],
    values: { paths: ["src/**/*.{ts,tsx}", "b"] },
  },
  { name: "a list of dashes", lines: ["paths:", "  - a", "  - 'b'", "x: y"], values: { paths: ["a", "b"], x: "y" } },
  {
    name: "items over several lines, and blanks in quotes",
    lines: ["paths:", "  - a", "    b", "  -", "    c", "  - ' d'"],
    values: { paths: ["a b", "c", " d"] },
  },
  {
    name: "a list of dashes at the margin",
    lines: ["paths:", "- a", "- b # c", "x: y"],
    values: { paths: ["a", "b"], x: "y" },
  },
  { name: "true in a list is a text", lines: ["paths: [true, 1]"], values: { paths: ["true", "1"] } },
  {
    name: "stars without quotes, as Cursor writes them",
    lines: ["globs: *.ts, **/x.{a,b}"],
    values: { globs: "*.ts, **/x.{a,b}" },
  },
  { name: "a glob that begins with a brace", lines: ["globs: {src,test}/**"], values: { globs: "{src,test}/**" } },
  { name: "a glob that is one brace", lines: ["globs: {a,b}"], values: { globs: "{a,b}" }, isOurs: true },
  { name: "an object is left out", lines: ["metadata: {a: b}", "x: y"], values: { x: "y" } },
  {
    name: "a nested object is left out",
    lines: ["metadata:", "  a: b", "  c:", "    - d", "x: y"],
    values: { x: "y" },
  },
  { name: "a list of objects is left out", lines: ["steps:", "  - run: a", "    with: b", "x: y"], values: { x: "y" } },
  {
    name: "a text over several lines",
    lines: ["description: one", "  two", "  three", "x: y"],
    values: { description: "one two three", x: "y" },
  },
  {
    name: "a folded block",
    lines: ["description: >", "  one", "  two", "", "  three", "x: y"],
    values: { description: "one two\nthree\n", x: "y" },
  },
  {
    name: "a folded block without its last line break",
    lines: ["description: >-", "  one", "  two"],
    values: { description: "one two" },
  },
  {
    name: "a literal block",
    lines: ["description: |", "  one", "    two", "", "x: y"],
    values: { description: "one\n  two\n", x: "y" },
  },
  {
    name: "a literal block without its last line break",
    lines: ["description: |-", "  one: 1", "  # two"],
    values: { description: "one: 1\n# two" },
  },
  { name: "the later of two", lines: ["a: b", "a: c"], values: { a: "c" } },
  { name: "blanks around", lines: ["a :  b  ", "c:\t d"], values: { a: "b", c: "d" } },
  {
    name: "names that objects have",
    lines: ["constructor: a", "__proto__: b"],
    values: JSON.parse('{"constructor": "a", "__proto__": "b"}'),
  },
  { name: "an unclosed quote is what it is", lines: ['a: "b', "c: d"], values: { a: '"b', c: "d" } },
  { name: "an unclosed list is what it is", lines: ["a: [b", "c: d"], values: { a: "[b", c: "d" } },
  { name: "lines that say nothing", lines: ["just words", "- x", "a: b"], values: { a: "b" } },
];

const written = (lines: readonly string[], end = "\n"): string => ["---", ...lines, "---", "body", ""].join(end);

describe("front matter", () => {
  it.each(CASES)("reads $name", ({ lines, values }) => {
    for (const end of ["\n", "\r\n"]) {
      const read = frontMatter(written(lines, end));
      expect({ ...read?.values }).toEqual(values);
      expect(Object.keys(read?.values ?? {}).sort()).toEqual(Object.keys(values).sort());
      expect(read?.body).toBe(`body${end}`);
    }
  });

  it("agrees with the YAML library about everything that is YAML", () => {
    const compared = CASES.filter(({ isOurs }) => !isOurs).flatMap(({ lines, values }) => {
      const theirs = yamlOf(lines.join("\n"));
      return theirs === undefined ? [] : [{ ours: values, theirs }];
    });
    expect(compared.length).toBeGreaterThan(25);
    for (const { ours, theirs } of compared) expect(ours).toEqual(theirs);
  });

  it.each([
    ["no front matter", "# Title\n---\na: b\n---\n"],
    ["an empty text", ""],
    ["no end", "---\na: b\n"],
    ["an empty line before it", "\n---\na: b\n---\n"],
    ["four dashes", "----\na: b\n----\n"],
    ["words behind the dashes", "--- a\nb: c\n---\n"],
  ])("is not there: %s", (_name, text) => {
    expect(frontMatter(text)).toBeUndefined();
  });

  it("may be empty, stand behind a byte order mark, and have blanks behind its dashes", () => {
    expect(frontMatter("---\n---\nbody")).toEqual({ values: {}, body: "body" });
    expect(frontMatter("\uFEFF--- \na: b\n---\t\nbody\n---\n")).toEqual({ values: { a: "b" }, body: "body\n---\n" });
    expect(frontMatter("---\na: b\n---")).toEqual({ values: { a: "b" }, body: "" });
  });

  it("may be long, and is followed by whatever there is", () => {
    const long = Array.from({ length: 5_000 }, (_, index) => `key${index}: value: ${index}`).join("\r\n");
    const read = frontMatter(`---\r\n${long}\r\n---\r\n${"body ".repeat(50_000)}`);
    expect(read?.values.key4999).toBe("value: 4999");
    expect(Object.keys(read?.values ?? {})).toHaveLength(5_000);
    expect(read?.body).toHaveLength(250_000);
    expect(frontMatter(`---\n${long}`)).toBeUndefined();
  });

  it("has no values that nobody wrote", () => {
    const { values } = frontMatter("---\na: b\n---\n") as FrontMatter;
    expect(values.constructor).toBeUndefined();
    expect(values.toString).toBeUndefined();
  });

  it.each(["a: [", 'a: "', "a: '", "a: ", "a:\n  - ", "a:\n  - {", "a: |\n  ", ""])(
    "takes time in proportion to the text after %j",
    (start) => {
      for (const part of [
        "a",
        '\\"',
        '"',
        "'",
        ",",
        ", '",
        "{",
        " #",
        " ",
        "''",
        "a: ",
        "\n",
        "\n- ",
        "\n  - a",
        "\n  a",
        "\na: [",
      ]) {
        const read = (times: number) => () => frontMatter(`---\n${start}${part.repeat(times)}\n---\nbody`)?.body;
        expect(read(10)()).toBe("body");
        expect(fastestMs(read(64_000), 2) / fastestMs(read(1_000), 3), part).toBeLessThan(1_000);
      }
    },
  );
});

describe("what is written", () => {
  const text = fc.string({ unit: "binary", maxLength: 20 });
  const value = fc.oneof(
    text,
    fc.boolean(),
    fc.array(text, { maxLength: 4 }),
    fc.constantFrom(
      "true",
      "null",
      "~",
      "- a",
      "a: b",
      "# c",
      "[x]",
      "{y}",
      "|",
      ">",
      "'",
      '"',
      "1",
      "",
      " a ",
      "---",
      "&a",
      "*b",
      "!c",
      "%d",
      "@e",
    ),
  );
  const record = fc.dictionary(fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,9}$/), value, { maxKeys: 5 });

  it("is read again, by us and by YAML", () => {
    fc.assert(
      fc.property(record, fc.string({ maxLength: 30 }), (values, body) => {
        const file = withFrontMatter(values, body);
        const read = frontMatter(file);
        expect({ ...read?.values }).toEqual({ ...values });
        expect(read?.body).toBe(body);
        expect(parse(file.split("\n---\n")[0] ?? "") ?? {}).toEqual({ ...values });
      }),
    );
  });

  it("looks like written by hand where it can", () => {
    expect(withFrontMatter({ name: "fix-login", on: true, triggers: ["login", "sign in"] }, "# Problem\n")).toBe(
      "---\nname: fix-login\non: true\ntriggers: [login, sign in]\n---\n# Problem\n",
    );
  });
});

/** What YAML has of these lines, as far as we would read it; undefined where it is no YAML or has numbers. */
function yamlOf(text: string): Values | undefined {
  let value: unknown;
  try {
    value = parse(text, { schema: "core" });
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const kept = Object.entries(value).filter(([, one]) => one !== null && !isNested(one));
  return /\d|\[true/.test(text) ? undefined : (Object.fromEntries(kept) as Values);
}

function isNested(value: unknown): boolean {
  if (Array.isArray(value)) return value.some((one) => typeof one === "object");
  return typeof value === "object";
}
