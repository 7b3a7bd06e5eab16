import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseLiteralLine } from "./literal-lines.ts";
import { MAX_COMMANDS, Unreadable } from "./syntax.ts";
import { parseTree } from "./tree.ts";

const WORDS = [
  ..."ls git cd rm echo . let declare export local alias eval exec test unset time coproc function select".split(" "),
  ..."if then elif else fi for while until do done case esac in { } ! [ ]] [[ (( ))".split(" "),
  ...["-rf", "--all", "a=b", "a+=b", "--a=b", "=b", "1=2", "~", "~/x", "/", "..", "x/y", "i++", "a,b", "%1", "^x", "é"],
  ...["2", "12", "-", "--", "+x", "@", ":", "a:b", "$a", "*", "{a,b}", "#c", "a#b", "\\x", "a\\ b", "a\0b", "[a]=b"],
  ...['"a b"', "'c d'", '""', "''", '"$a"', '"a\\"b"', '"\'"', "'\"'", "'a\nb'", '"`c`"', 'a"b"', "'a'b", "\"a\"'b'"],
];
const JOINTS = [" ", "  ", "\t", "; ", ";", " ;", "\n", "\n\n", ";\n", "\n;", " && ", "&&", " || ", " | ", "|", " |& "];
const REDIRECTIONS = [
  " > out",
  " >>log",
  " 2>&1",
  " 2>/dev/null",
  " < in",
  " &> all",
  " &>>all",
  " 1>&2",
  " >|x",
  " <&3",
  " >&out",
];
const RARE = [
  ...[" 2>", ">a", " 3<>f ", " <<<x", " >(cat)", " 2>&-", " 2> &1", "> ", " >& 2", " 12>x", " 1234>x", " >'a b'"],
  ...["&&\n", "|\n", " & ", "&", ";;", "<<E\n", "\\\n", "\r\n", " # ", "()", " ( ", "&>"],
];

const piece = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom(...WORDS) },
  { weight: 20, arbitrary: fc.constantFrom(...JOINTS) },
  { weight: 4, arbitrary: fc.constantFrom(...REDIRECTIONS) },
  { weight: 2, arbitrary: fc.constantFrom(...RARE) },
);
const line = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(""));

/** Lines of literal words only, so that nearly all of them are read without the parser. */
const literalWord = fc.constantFrom(...WORDS.filter((word) => parseLiteralLine(`x ${word}`) !== undefined));
const plainLine = fc
  .array(fc.tuple(literalWord, fc.constantFrom(...JOINTS, ...REDIRECTIONS.map((one) => `${one} `))), {
    minLength: 1,
    maxLength: 12,
  })
  .map((pairs) =>
    pairs
      .flat()
      .join("")
      .replace(/\s*\S?\S?\s*$/, " end"),
  );

function parsed(text: string) {
  try {
    return parseTree(text);
  } catch (error) {
    if (error instanceof Unreadable) return error.message;
    throw error;
  }
}

describe("a plain line", () => {
  it.each([
    ["any mixture", line],
    ["plain words", plainLine],
  ])("is read as the parser reads it, or not at all: %s", (_, lines) => {
    let plain = 0;
    fc.assert(
      fc.property(lines, (text) => {
        const quick = parseLiteralLine(text);
        if (!quick) return;
        plain += 1;
        expect(quick).toEqual(parsed(text));
      }),
      { numRuns: 5000 },
    );
    expect(plain).toBeGreaterThan(150);
  });

  it.each([
    "ls",
    "git status --short",
    'set -e; npm test -- --reporter=dot && echo "all of it" | tee log.txt',
    "cd /tmp\nrm -rf build\n",
    "  git log --oneline || true ;",
    "echo 'it is $HOME' \"and 'so'\" on",
    "npm test > out.txt 2>&1 < in",
    "2>/dev/null ls &>> all",
  ])("needs no parser: %j", (text) => {
    expect(parseLiteralLine(text)).toEqual(parseTree(text));
  });

  it.each([
    "",
    " ",
    "a=b ls",
    "export a=b",
    "echo $HOME",
    "echo `ls`",
    "ls >(cat)",
    "ls 3<>x",
    "> out",
    "ls>out",
    "rm *",
    "sleep 1 &",
    "if true",
    "a && ",
    "a ;; b",
    "a | | b",
    'echo a"b"',
    'echo "a',
    "echo a\\ b",
    "# ls",
    "f() { ls",
    "cat <<E",
  ])("is not this one: %j", (text) => {
    expect(parseLiteralLine(text)).toBeUndefined();
  });

  it("is none with more commands than are read", () => {
    const commands = (count: number): string => Array.from({ length: count }, () => "ls").join(";");
    expect(parseLiteralLine(commands(MAX_COMMANDS))).toBeDefined();
    expect(parseLiteralLine(commands(MAX_COMMANDS + 1))).toBeUndefined();
  });
});
