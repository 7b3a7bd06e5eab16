import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { writtenPaths } from "../../src/effects/files/written-paths.ts";
import { readShell } from "../../src/shell/shell.ts";
import { fastestMs } from "../support/cost.ts";
import { Dice } from "./dice.ts";
import { quoteRandomly } from "./quoting.ts";

/** Pieces of shell, so that garbage gets further than its first character. */
const PIECES = [
  ..."a rm ; & && | || ( ) { } $( $(( )) ` \\` \" ' $' \\ < > <<A <<< <( # ! [ ] * ? @( = x= x=( ~ , $@ $x - 5> {a, {1..9}".split(
    " ",
  ),
  ...[
    "if",
    "then",
    "fi",
    "for x in",
    "do",
    "done",
    "while",
    "case x in",
    "esac",
    "a)",
    ";;",
    "f()",
    "time",
    "coproc",
  ].map((word) => `${word} `),
  ...["eval", "bash -c", "xargs", "sudo", "find -exec", "trap", "set -e", "cd", "exit", "local", "declare -n"].map(
    (word) => `${word} `,
  ),
  ...[" ", "\n", "{ ", " }", "[[ ", " ]]", "A\n", "\\\n", "\u{1f600}", "\uf000", "\uf8f0", "$" + "{", "$" + "{x:-"],
];

const garbage = fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }).map((pieces) => pieces.join(""));
const text = fc.oneof(garbage, fc.string({ unit: "binary", maxLength: 200 }), fc.string({ maxLength: 200 }));

/** Private characters stand for what is unknown, so a word with one in it is never called known. */
const word = fc.string({ unit: "grapheme", maxLength: 20 }).filter((value) => !/[\0\uf000-\uf0ff]/.test(value));

describe("any text at all", () => {
  test("is read without throwing, and all of it can be asked", () => {
    fc.assert(
      fc.property(text, (line) => {
        const shell = readShell(line, { cwd: "/w" });
        for (const ok of [true, false]) {
          const ran = new Set(shell.ran(ok));
          expect(shell.certain(ok).every((command) => ran.has(command) && shell.commands.includes(command))).toBe(true);
        }
        writtenPaths(shell, "/w");
      }),
      { numRuns: 3000 },
    );
  });

  test("is read in bounded time, however often it is repeated", { timeout: 120_000 }, () => {
    const usual = fastestMs(() => readShell("echo 'a b' | cat; ".repeat(20_000 / 18)).certain(true));
    const some = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(some, (piece) => {
        const line = piece.repeat(Math.ceil(20_000 / piece.length));
        // The parser alone would need minutes for the worst of them.
        expect(fastestMs(() => readShell(line).certain(true), 1)).toBeLessThan(100 * usual);
      }),
      { numRuns: 150 },
    );
  });
});

test.each([
  ["substitutions", "echo $(", ")"],
  ["quoted substitutions", 'echo "$(', ')"'],
  ["subshells", "( ", " )"],
  ["groups", "{ ", "; }"],
  ["defaults", "echo ${x:-", "}"],
  ["arithmetic", "echo $(( ", " ))"],
  ["processes", "cat <(", ")"],
  ["conditions", "if a; then ", "; fi"],
  ["open substitutions", "$(", ""],
  ["open braces", "{a,", ""],
  ["open quotes in substitutions", '"$(', ""],
  ["backticks", "`", ""],
])("%s twice as deep do not cost many times as much", (_name, open, close) => {
  const cost = (depth: number): number => fastestMs(() => readShell(`${open.repeat(depth)}a${close.repeat(depth)}`), 8);
  // Work that doubled with every level would be out by far more.
  expect(cost(70)).toBeLessThan(100 * cost(35));
});

test("100,000 open braces do not stop the world", () => {
  const cost = (count: number): number => fastestMs(() => readShell(`echo ${"{x".repeat(count)}`), 3);
  expect(cost(100_000)).toBeLessThan(50 * cost(10_000));
});

describe("quoting", () => {
  test("words quoted in any way are read as they were", () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), fc.nat(), (argv, seed) => {
        const dice = new Dice(seed);
        const line = `tool ${argv.map((each) => quoteRandomly(each, dice)).join(" ")}`;
        const [command] = readShell(line).commands;
        expect(command?.args).toEqual(argv);
        expect(command?.uncertain).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });

  test("and so they are through any number of shells", () => {
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 1, max: 3 }),
        fc.nat(),
        (argv, depth, seed) => {
          const dice = new Dice(seed);
          let line = `tool ${argv.map((each) => quoteRandomly(each, dice)).join(" ")}`;
          for (let level = 0; level < depth; level++) line = `bash -c ${quoteRandomly(line, dice)}`;
          const { commands } = readShell(line);
          expect(commands).toHaveLength(depth + 1);
          expect(commands.at(-1)?.args).toEqual(argv);
        },
      ),
      { numRuns: 300 },
    );
  });
});
