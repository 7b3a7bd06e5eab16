import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { appendItem, appendMember, removeAt, replaceNode } from "./json-edit.ts";
import { jsonText } from "./json-parser.samples.ts";
import {
  type ArrayNode,
  type JsonDocument,
  type JsonNode,
  type ObjectNode,
  parseJson,
  readValue,
} from "./json-parser.ts";

type Container = ObjectNode | ArrayNode;

function containers(node: JsonNode): Container[] {
  if (node.kind === "scalar") return [];
  const children = node.kind === "object" ? node.members.map((member) => member.value) : node.items;
  return [node, ...children.flatMap(containers)];
}

const size = (node: Container): number => (node.kind === "object" ? node.members.length : node.items.length);

/** Containers are numbered in reading order, which does not change when a child is appended. */
function container(doc: JsonDocument, index: number): Container {
  const found = containers(doc.root)[index];
  if (found === undefined) throw new Error(`no container ${index} in ${doc.text}`);
  return found;
}

const NEW_KEY = "a key of ours";

function append(doc: JsonDocument, target: Container, value: fc.JsonValue): string {
  const json = value as Parameters<typeof appendItem>[2];
  return target.kind === "object" ? appendMember(doc, target, NEW_KEY, json) : appendItem(doc, target, json);
}

const withTarget = fc.tuple(jsonText, fc.nat()).chain(([{ text }, pick]) => {
  const count = containers(parseJson(text).root).length;
  return fc.constant({ text, index: count === 0 ? undefined : pick % count });
});
const value = fc.jsonValue({ maxDepth: 3 });

describe("properties over random JSON in random formatting", () => {
  test("append then remove gives back the same bytes", () => {
    let emptied = 0;
    fc.assert(
      fc.property(withTarget, value, ({ text, index }, added) => {
        fc.pre(index !== undefined);
        const before = parseJson(text);
        if (size(container(before, index)) === 0) emptied++;
        const after = parseJson(append(before, container(before, index), added));
        const grown = container(after, index);
        expect(removeAt(after, grown, size(grown) - 1)).toBe(text);
      }),
      { numRuns: 2000 },
    );
    expect(emptied).toBeGreaterThan(200);
  });

  test("several appended and removed in any order give back the same bytes", () => {
    fc.assert(
      fc.property(withTarget, fc.array(fc.tuple(value, fc.nat()), { maxLength: 4 }), ({ text, index }, added) => {
        fc.pre(index !== undefined);
        let doc = parseJson(text);
        const old = size(container(doc, index));
        for (const [item] of added) doc = parseJson(append(doc, container(doc, index), item));
        for (const [, pick] of added) {
          const target = container(doc, index);
          doc = parseJson(removeAt(doc, target, old + (pick % (size(target) - old))));
        }
        expect(doc.text).toBe(text);
      }),
      { numRuns: 1000 },
    );
  });

  test("appending changes nothing else, and the value arrives", () => {
    fc.assert(
      fc.property(withTarget, value, ({ text, index }, added) => {
        fc.pre(index !== undefined);
        const before = parseJson(text);
        const after = parseJson(append(before, container(before, index), added));
        const [old, grown] = [container(before, index), container(after, index)];
        const pairs = (doc: JsonDocument, node: Container): unknown[] =>
          node.kind === "object"
            ? node.members.map((member) => [member.key, readValue(doc, member.value)])
            : node.items.map((item) => readValue(doc, item));
        const stored: unknown = JSON.parse(JSON.stringify(added));
        const last = old.kind === "object" ? [NEW_KEY, stored] : stored;
        expect(pairs(after, grown)).toEqual([...pairs(before, old), last]);
        // The text before the container's last old child and after the container is unchanged.
        expect(after.text.startsWith(text.slice(0, old.start + 1))).toBe(true);
        expect(after.text.endsWith(text.slice(old.end - 1))).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  test("removing any child leaves the others as they were", () => {
    fc.assert(
      fc.property(withTarget, fc.nat(), ({ text, index }, pick) => {
        fc.pre(index !== undefined);
        const before = parseJson(text);
        const old = container(before, index);
        fc.pre(size(old) > 0);
        const gone = pick % size(old);
        const after = parseJson(removeAt(before, old, gone));
        const texts = (doc: JsonDocument, node: Container): string[] =>
          (node.kind === "object" ? node.members : node.items).map((child) => doc.text.slice(child.start, child.end));
        expect(texts(after, container(after, index))).toEqual(texts(before, old).toSpliced(gone, 1));
      }),
      { numRuns: 1000 },
    );
  });

  test("a replaced value arrives and its surroundings stay", () => {
    fc.assert(
      fc.property(withTarget, value, ({ text, index }, added) => {
        fc.pre(index !== undefined);
        const before = parseJson(text);
        const old = container(before, index);
        const after = replaceNode(before, old, added as Parameters<typeof replaceNode>[2]);
        const middle = after.slice(old.start, after.length - (text.length - old.end));
        expect(after).toBe(text.slice(0, old.start) + middle + text.slice(old.end));
        expect(JSON.parse(middle)).toEqual(JSON.parse(JSON.stringify(added)));
      }),
    );
  });
});

describe("where the new text goes and how it is indented", () => {
  const cases: readonly (readonly [name: string, before: string, after: string])[] = [
    ["an empty file gets two spaces", "{}", '{\n  "n": {\n    "x": [\n      1\n    ]\n  }\n}'],
    [
      "four spaces",
      '{\n    "a": 1\n}\n',
      '{\n    "a": 1,\n    "n": {\n        "x": [\n            1\n        ]\n    }\n}\n',
    ],
    ["tabs, no last newline", '{\n\t"a": 1\n}', '{\n\t"a": 1,\n\t"n": {\n\t\t"x": [\n\t\t\t1\n\t\t]\n\t}\n}'],
    ["CRLF", '{\r\n  "a": 1\r\n}\r\n', '{\r\n  "a": 1,\r\n  "n": {\r\n    "x": [\r\n      1\r\n    ]\r\n  }\r\n}\r\n'],
    ["one line", '{"a":1}', '{"a":1,"n":{"x":[1]}}'],
    ["one line with spaces", '{ "a": 1 }', '{ "a": 1, "n": {"x": [1]} }'],
    ["a byte order mark", "\uFEFF{}", '\uFEFF{\n  "n": {\n    "x": [\n      1\n    ]\n  }\n}'],
    ["brackets on two lines", "{\n}\n", '{\n\n  "n": {\n    "x": [\n      1\n    ]\n  }\n}\n'],
    [
      "a blank line before the last member is not copied",
      '{\n  "a": 1,\n\n  "b": 2\n}',
      '{\n  "a": 1,\n\n  "b": 2,\n  "n": {\n    "x": [\n      1\n    ]\n  }\n}',
    ],
  ];
  test.each(cases)("%s", (_name, before, after) => {
    const doc = parseJson(before);
    if (doc.root.kind !== "object") throw new Error("an object was expected");
    expect(appendMember(doc, doc.root, "n", { x: [1] })).toBe(after);
  });

  test("an element behind `[{` … `}]` continues in that manner", () => {
    const doc = parseJson('[{\n  "a": 1\n}]');
    if (doc.root.kind !== "array") throw new Error("an array was expected");
    expect(appendItem(doc, doc.root, { b: 2 })).toBe('[{\n  "a": 1\n}, {\n  "b": 2\n}]');
  });

  test("a replaced value keeps the indentation of its line", () => {
    const doc = parseJson('{\n    "a": [\n        1\n    ],\n    "b": [2]\n}');
    const [, first, second] = containers(doc.root);
    if (first === undefined || second === undefined) throw new Error("two arrays were expected");
    expect(replaceNode(doc, first, { c: 1 })).toBe('{\n    "a": {\n        "c": 1\n    },\n    "b": [2]\n}');
    expect(replaceNode(doc, second, [2, 3])).toBe('{\n    "a": [\n        1\n    ],\n    "b": [2, 3]\n}');
  });
});
