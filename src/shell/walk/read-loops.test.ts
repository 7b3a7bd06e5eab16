import { describe, expect, test } from "vitest";
import { splitForRead } from "../expand/fields.ts";
import { readShell } from "../shell.ts";

const ran = (text: string) =>
  readShell(text)
    .commands.map(({ argv }) => argv.map((word) => (word.known ? word.text : `?${word.text}`)).join(" "))
    .filter((line) => line.startsWith("run"));

describe("what a loop reads from the line", () => {
  test.each([
    ["a here-string", "while read -r c; do $c; done <<< 'run a'", ["run a"]],
    ["a here-document", "while read -r c; do $c; done <<'X'\nrun a\nrun b\nX", ["run a", "run b"]],
    ["a pipe", "printf '%s\\n' a b | while read x; do run $x; done", ["run a", "run b"]],
    ["a process", "while read x; do run $x; done < <(echo a)", ["run a"]],
    ["a file that the line wrote", "echo a > f; while read x; do run $x; done < f", ["run a"]],
    ["a last line without an end is not read", "printf 'a\\nb' | while read x; do run $x; done", ["run a"]],
    ["unless it is asked for", "printf 'a\\nb' | while read x || [ $x ]; do run $x; done", ["run a", "run b"]],
    ["the loop's variable is gone afterwards", "while read x; do :; done <<< a; run $x", ["run ?$x"]],
    ["what rounds leave behind", "while read x; do run $y; y=$x; done <<< $'a\\nb'", ["run ?$y", "run a"]],
    [
      "a round that may end early",
      "y=0; while read x; do run $y $x; [ $z ] && continue; y=1; done <<< a",
      ["run 0 a", "run ?$y ?$x"],
    ],
    ["more than the line says", "{ echo a; ls; } | while read x; do run $x; done", ["run a", "run ?$x"]],
    ["another input", "while read -u 3 x; do run $x; done <<< a", ["run ?$x"]],
    ["an input of its own", "while read x <&3; do run $x; done <<< a", ["run ?$x"]],
    ["a file of which nothing is known", "while read x; do run $x; done < list", ["run ?$x"]],
    ["a group", "echo a | { read x; run $x; }", ["run a"]],
    ["only what comes first reads it", "echo a | { read x; read y; run $x $y; }", ["run a ?$y"]],
  ])("%s", (_name, text, expected) => {
    expect(ran(text)).toEqual(expected);
  });

  test("separators for `read` alone are the old ones afterwards", () => {
    expect(ran("IFS=, read a b <<< 'run,x y'; $a $b")).toEqual(["run x y"]);
    expect(ran("IFS=, ; IFS=: read a <<< 'x,y'; run $a")).toEqual(["run x y"]);
  });
});

test.each([
  [" a  b c ", 2, " \t\n", ["a", "b c"]],
  ["a,b,c", 2, ",", ["a", "b,c"]],
  ["a,,c", 3, ",", ["a", "", "c"]],
  [" a b ", 2, "", [" a b ", ""]],
  ["a : b", 2, ": ", ["a", "b"]],
  ["a]b-c", 3, "]-", ["a", "b", "c"]],
  ["a", 3, ",", ["a", "", ""]],
])("%j for %d names at %j", (line, count, separators, expected) => {
  expect(splitForRead(line, count, separators)).toEqual(expected);
});
