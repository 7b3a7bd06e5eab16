import { describe, expect, test } from "vitest";
import { readPatch } from "./patch.ts";

const wrapped = (...lines: string[]): string => ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n");
const named = (text: string): unknown[] => readPatch(text).map(({ kind, path, movedTo }) => [kind, path, movedTo]);

describe("the files of a patch", () => {
  test.each([
    ["an added file", wrapped("*** Add File: a.txt", "+x"), [["add", "a.txt", undefined]]],
    ["a deleted file", wrapped("*** Delete File: a.txt"), [["delete", "a.txt", undefined]]],
    ["a moved file", wrapped("*** Update File: a", "*** Move to: b/c", "@@", "-x", "+y"), [["update", "a", "b/c"]]],
    [
      "several files",
      wrapped("*** Add File: a", "+x", "*** Update File: b", "@@ def f():", " y", "*** Delete File: /c"),
      [
        ["add", "a", undefined],
        ["update", "b", undefined],
        ["delete", "/c", undefined],
      ],
    ],
    ["blanks around a header", wrapped("  *** Add File:   a b.txt  ", "+x"), [["add", "  a b.txt", undefined]]],
    ["carriage returns", wrapped("*** Add File: a", "+x").replaceAll("\n", "\r\n"), [["add", "a", undefined]]],
    ["a here-document around it", `<<'EOF'\n${wrapped("*** Add File: a", "+x")}EOF\n`, [["add", "a", undefined]]],
    [
      "a path with dots",
      wrapped("*** Add File: a/../../.git/config", "+x"),
      [["add", "a/../../.git/config", undefined]],
    ],
    [
      "a context line like a header",
      wrapped("*** Update File: a", "@@", " *** Add File: b", "+x"),
      [["update", "a", undefined]],
    ],
    ["an added line like a header", wrapped("*** Add File: a", "+*** Delete File: b"), [["add", "a", undefined]]],
    [
      "a carriage return and a line separator inside a name",
      wrapped("*** Add File: a\r/../b\u2028c", "+x"),
      [["add", "a\r/../b\u2028c", undefined]],
    ],
    ["the end of a file", wrapped("*** Update File: a", "@@", "-x", "*** End of File"), [["update", "a", undefined]]],
    ["no blank after the colon, which Codex refuses", wrapped("*** Add File:a", "+x"), []],
    ["no name", wrapped("*** Add File:  ", "+x"), []],
    ["no patch", "just text", []],
  ])("%s", (_name, text, files) => {
    expect(named(text)).toEqual(files);
  });
});

test("the old and the new text of a file", () => {
  const [file] = readPatch(wrapped("*** Update File: a", "@@", " one", "-two", "+TWO", " three"));
  expect(file).toMatchObject({ before: "one\ntwo\nthree", after: "one\nTWO\nthree" });
  const [made] = readPatch(wrapped("*** Add File: a", "+one", "+two"));
  expect(made).toMatchObject({ before: "", after: "one\ntwo" });
});
