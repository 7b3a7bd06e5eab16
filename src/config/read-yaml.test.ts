import { describe, expect, it } from "vitest";
import { fastestMs } from "../../test/support/cost.ts";
import { readYaml, type Yaml } from "./read-yaml.ts";

const N = 256 * 1024;
const mistakeIn = (text: string): Extract<Yaml, { kind: "mistake" }> => {
  const yaml = readYaml(text);
  if (yaml.kind !== "mistake") throw new Error("a mistake was expected");
  return yaml;
};

describe("a file made to do harm", () => {
  const lines = (count: number, line: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => line(index)).join("\n");
  const tripled = (index: number): string => `a${index + 1}: &a${index + 1} [*a${index}, *a${index}, *a${index}]`;

  const usual = fastestMs(() => readYaml(lines(1_000, (index) => `k${index}: { a: [1, two] }`)));

  // Without limits, each of these takes seconds or gigabytes, or crashes the process.
  it.each([
    ["open brackets", "[".repeat(N), "nested too deeply"],
    ["brackets in pairs", "[".repeat(N / 2) + "]".repeat(N / 2), "nested too deeply"],
    ["maps in maps", "{a: ".repeat(N / 4), "nested too deeply"],
    ["lists in lists", "- ".repeat(N / 2), "nested too deeply"],
    ["keys of keys", "? ".repeat(N / 2), "nested too deeply"],
    ["indentation", lines(700, (index) => `${" ".repeat(index)}a:`), "nested too deeply"],
    ["many keys", lines(N / 9, (index) => `k${index}: 1`), "too many entries"],
    ["many commas", `[${",".repeat(N)}`, "too many entries"],
    ["many closed brackets", "]".repeat(N), ""],
    ["many aliases", `a: &a 1\nb: [${"*a, ".repeat(21)}]`, "too many aliases"],
    ["aliases of aliases", `a0: &a0 [x, x, x]\n${lines(6, tripled)}`, "Excessive alias count"],
    ["an alias of itself", "a: &a { b: *a }", "the very thing it is part of"],
    ["quotes", '"'.repeat(N), "too many entries"],
    ["two keys without a name", "null: 1\n: 2", "already set above"],
    ["tabs", `a:\n${"\t".repeat(N)}b: 1`, ""],
  ])("%s: is refused at once", (_name, text, detail) => {
    expect(mistakeIn(text).detail).toContain(detail);
    expect(fastestMs(() => readYaml(text), 2)).toBeLessThan(300 * usual);
  });

  it("may be long if it is only long", () => {
    expect(readYaml(`# ${"x".repeat(N)}\na: 1`)).toMatchObject({ kind: "data", value: { a: 1 } });
    expect(readYaml(`a: "${"x".repeat(N)}"`).kind).toBe("data");
  });

  it("may be as deep as any setting", () => {
    expect(readYaml(`a: ${"[".repeat(20)}${"]".repeat(20)}`).kind).toBe("data");
  });
});

describe("what comes out", () => {
  it.each([
    ["%YAML 1.1\n---\na: 2001-01-01", { a: "2001-01-01T00:00:00.000Z" }],
    ["%YAML 1.1\n---\na: !!set { x, y }", { a: {} }],
    ["1: a\nnull: b", { 1: "a", "": "b" }],
    ["? { x: 1 }\n: a", { "{ x: 1 }": "a" }],
    ["a: .nan", { a: null }],
    ["a: 99999999999999999999999", { a: 1e23 }],
    ["__proto__: 1", JSON.parse('{"__proto__": 1}')],
    ['{"a": [1, {"b": null}]}', { a: [1, { b: null }] }],
  ])("of %j is plain data", (text, value) => {
    expect(readYaml(text)).toMatchObject({ kind: "data" });
    expect(readYaml(text)).toHaveProperty("value", value);
  });
});

describe("a place", () => {
  const yaml = readYaml("a:\n  - x\n  - { b: &n { c: 1 } }\nä😀: 2\nlater: *n\r\nlast: 3\n");
  const place = (path: (string | number)[], at: "key" | "value"): string => {
    if (yaml.kind === "mistake") throw new Error(yaml.detail);
    const { line, column } = yaml.place(path, at);
    return `${line}:${column}`;
  };
  it.each([
    [["a"], "key", "1:1"],
    [["a"], "value", "2:3"],
    [["a", 0], "value", "2:5"],
    [["a", 1, "b"], "key", "3:7"],
    [["a", 1, "b", "c"], "value", "3:18"],
    [["ä😀"], "value", "4:6"],
    [["later"], "value", "5:8"],
    [["later", "c"], "value", "3:18"],
    [["last"], "value", "6:7"],
    [["a", 9], "value", "2:3"],
    [["nowhere", "at", "all"], "value", "1:1"],
    [[], "value", "1:1"],
  ] as const)("of %j, its %s, is %s", (path, at, expected) => {
    expect(place([...path], at)).toBe(expected);
  });
});
