import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { jsonText } from "./json-parser.samples.ts";
import { JsonSyntaxError, memberNamed, parseJson, readValue } from "./json-parser.ts";

function failure(text: string): string {
  try {
    parseJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return `${error.line}:${error.column} ${error.message}`;
    throw error;
  }
  return "no error";
}

describe("what is wrong and where", () => {
  const cases: readonly (readonly [name: string, text: string, expected: string])[] = [
    ["nothing at all", "", "1:1 the file ends where a value should be"],
    ["an open object", '{"a": 1', '1:8 expected a comma or } after the value of "a"'],
    ["an open array", "[1", "1:3 expected a comma or ] after an array element"],
    ["a value that never comes", '{\n  "a":', '2:7 the file ends where the value of "a" should be'],
    ["a missing comma in an array", "[1 2]", "1:4 expected a comma or ] after an array element"],
    ["a missing comma in an object", '{\n  "a": 1\n  "b": 2\n}', '3:3 expected a comma or } after the value of "a"'],
    ["a trailing comma in an array", "[1,\n 2,\n]", "2:3 trailing comma"],
    ["a trailing comma in an object", '{\r\n\t"a": 1,\r\n}', "2:8 trailing comma"],
    ["two commas", "[1,,2]", "1:4 expected an array element or ]"],
    ["a line comment", '{\n  // no\n  "a": 1\n}', "2:3 a comment is not allowed in JSON"],
    ["a block comment", "[1 /* one */]", "1:4 a comment is not allowed in JSON"],
    ["a hash comment", "# x\n{}", "1:1 a comment is not allowed in JSON"],
    ["a key without quotes", "{a: 1}", "1:2 expected a key in double quotes or }"],
    ["a missing colon", '{"a" 1}', '1:6 expected a colon after the key "a"'],
    ["single quotes", "['a']", "1:2 a string needs double quotes"],
    ["an unknown word", "[True]", "1:2 expected an array element or ], found True"],
    ["an open string", '["abc', "1:2 this string is never closed"],
    ["a line break in a string", '["ab\nc"]', "1:5 a line break inside a string"],
    ["a tab in a string", '["\t"]', "1:3 a control character inside a string must be escaped"],
    ["an unknown escape", '["C:\\Users"]', "1:5 unknown escape inside a string (a backslash itself is written \\\\)"],
    ["a leading zero", "[012]", "1:2 012 is not a number in JSON"],
    ["a number cut short", "[1.]", "1:2 1. is not a number in JSON"],
    ["a plus sign", "[+1]", "1:2 expected an array element or ], found +1"],
    ["text after the end", "{}\n{}", "2:1 unexpected text after the end of the JSON value"],
    ["a byte order mark is no column", "\uFEFFx", "1:1 expected a value, found x"],
    ["nesting without end", "[".repeat(100_000), "1:501 nested too deeply"],
  ];
  test.each(cases)("%s", (_name, text, expected) => {
    expect(failure(text)).toBe(expected);
  });
});

describe("what is read", () => {
  test("positions of keys and values", () => {
    const text = '\uFEFF{ "a" : [ 1 , "x" ] }';
    const { root } = parseJson(text);
    if (root.kind !== "object") throw new Error("an object was expected");
    const [member] = root.members;
    if (member?.value.kind !== "array") throw new Error("a member with an array was expected");
    const at = (span: { start: number; end: number }): string => text.slice(span.start, span.end);
    expect(at(root)).toBe('{ "a" : [ 1 , "x" ] }');
    expect(at(member)).toBe('"a" : [ 1 , "x" ]');
    expect(at({ start: member.start, end: member.keyEnd })).toBe('"a"');
    expect(member.value.items.map(at)).toEqual(["1", '"x"']);
  });

  test("of duplicate keys the last one counts", () => {
    const doc = parseJson('{"a": 1, "b": 2, "a": 3, "\\u0061": 4}');
    if (doc.root.kind !== "object") throw new Error("an object was expected");
    const member = memberNamed(doc.root, "a");
    expect(member && readValue(doc, member.value)).toBe(4);
    expect(readValue(doc, doc.root)).toEqual({ a: 4, b: 2 });
  });

  test("accepts and refuses what JSON.parse does, also after random damage", () => {
    let refused = 0;
    const damage = fc.record({
      at: fc.nat(),
      cut: fc.nat({ max: 2 }),
      put: fc.constantFrom("", ",", "]", "}", '"', "\\", "0", "-", "e", ".", "\n", "/", "\u0001", "nul", " "),
    });
    fc.assert(
      fc.property(jsonText, damage, ({ text }, { at, cut, put }) => {
        const place = at % (text.length + 1);
        const damaged = text.slice(0, place) + put + text.slice(place + cut);
        let valid = true;
        try {
          JSON.parse(damaged);
        } catch (error) {
          if (!(error instanceof SyntaxError)) throw error;
          valid = false;
          refused++;
        }
        expect(failure(damaged) === "no error").toBe(valid);
        if (!valid) return;
        const doc = parseJson(damaged);
        expect(readValue(doc, doc.root)).toEqual(JSON.parse(damaged));
      }),
      { numRuns: 2000 },
    );
    expect(refused).toBeGreaterThan(500);
  });
});
