import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { programOf } from "./command.ts";
import { subcommandOf } from "./launch/subcommand.ts";
import { readShell } from "./shell.ts";

const words = (text: string) => readShell(text).commands.map(({ argv }) => argv.map((word) => word.text));
const programs = (text: string) => readShell(text).commands.map(({ program }) => program);

describe("lines that cannot be read", () => {
  test.each([
    ["an open quote", "echo 'a", /^syntax error/],
    ["an open double quote", 'echo "a', /^syntax error/],
    ["an open subshell", "(a", /^syntax error/],
    ["a keyword alone", "if a; then b", /^syntax error/],
    ["an operator alone", "a && ; b", /^syntax error/],
    ["an error inside a substitution", "echo $(if)", /^syntax error/],
    ["a NUL character", "a \0 b", /NUL/],
    ["more than 160 kB that is no data", `a ${"b".repeat(160 * 1024)}`, /160 kB/],
    ["more than that in bytes only", `a ${"é".repeat(90_000)}`, /160 kB/],
    ["substitutions in substitutions", `${"echo $(".repeat(210)}a${")".repeat(210)}`, /nested too deeply/],
    ["subshells with others beside them", `${"( (b); ".repeat(210)}a${" )".repeat(210)}`, /nested too deeply/],
    ["strings in strings", nestedStrings(210), /nested too deeply/],
    ["launchers of launchers", `${"nohup ".repeat(210)}a`, /nested too deeply/],
    ["too many commands", "a;".repeat(1200), /more than 1,000 commands/],
    ["too many words and signs", "a;".repeat(30_000), /more than 8,000 words and signs/],
    ["too many words of one command", `git add ${"a.ts ".repeat(5000)}`, /more than 4,000 words/],
    ["too many functions", range(400, (i) => `f${i}() { a; };`), /more than 300 functions/],
    ["commands where arithmetic seems to be", "echo $(( read X <<< $'it\\'s'\n)\n)", /arithmetic/],
  ])("%s", (_name, text, why) => {
    const shell = readShell(text);
    expect(shell.unreadable).toMatch(why);
    expect(shell.commands).toEqual([]);
    expect(shell.certain(true)).toEqual([]);
    expect(shell.ran(false)).toEqual([]);
  });

  test.each([
    ["", 0],
    ["   \n\t", 0],
    ["# only a comment", 0],
    [`${"( ".repeat(20)}a${" )".repeat(20)}`, 1],
    [`${"echo $(".repeat(40)}a${")".repeat(40)}`, 41],
  ])("readable: %j", (text, count) => {
    const shell = readShell(text);
    expect(shell.unreadable).toBeUndefined();
    expect(shell.commands).toHaveLength(count);
  });
});

describe("lines that word matching judges wrongly", () => {
  test.each([
    ["ls ntm/", ["ls"]],
    ["cat bv.txt", ["cat"]],
    ["ntm save x; ntm kill x", ["ntm", "ntm"]],
    ["ntm --robot-status && ntm status", ["ntm", "ntm"]],
    ["echo 'ntm kill x'", ["echo"]],
    ["grep -r 'ntm kill' . # ntm kill", ["grep"]],
    ["git commit -m 'ntm kill x'", ["git"]],
    ["/usr/local/bin/ntm kill x", ["ntm"]],
    ["sudo ntm kill x", ["sudo", "ntm"]],
  ])("%s", (text, expected) => {
    expect(programs(text)).toEqual(expected);
  });

  test("a flag is not the session", () => {
    const [kill] = readShell("ntm kill --force x").commands;
    expect(kill?.args).toEqual(["kill", "--force", "x"]);
  });

  test("a save in the same line is not certain before the kill", () => {
    const certain = readShell("ntm save x; ntm kill x").certain(true);
    expect(certain.map(({ args }) => args)).toEqual([["kill", "x"]]);
  });
});

describe("a command", () => {
  test("knows its position", () => {
    const text = "first a\n  second b";
    expect(readShell(text).commands.map(({ at }) => text.slice(at.start, at.end))).toEqual(["first a", "second b"]);
  });

  test("inside a string has the position of the command with the string", () => {
    const text = "ls; bash -c 'rm x'";
    const [, , rm] = readShell(text).commands;
    expect(rm?.program).toBe("rm");
    expect(text.slice(rm?.at.start, rm?.at.end)).toBe("bash -c 'rm x'");
  });

  test("inside escaped backticks has the position of the backticks", () => {
    const text = "a `b \\`c\\``";
    expect(readShell(text).commands.map(({ at }) => text.slice(at.start, at.end))).toEqual([
      text,
      "`b \\`c\\``",
      "`b \\`c\\``",
    ]);
  });

  test("knows what starts it, up to the line itself", () => {
    const [sudo, bash, rm] = readShell("sudo bash -c 'rm x'").commands;
    expect([rm?.via, bash?.via, sudo?.via]).toEqual([bash, sudo, undefined]);
    expect([sudo?.wraps, bash?.wraps, rm?.wraps]).toEqual([true, true, false]);
  });

  test("has its text only where it is certain", () => {
    const [tool] = readShell('tool known "$X" a$Y').commands;
    expect(tool?.args).toEqual(["known", undefined, undefined]);
    expect(tool?.uncertain).toEqual(["words", "count"]);
  });

  test("uses the variables it is told", () => {
    const shell = readShell("rm -rf ~/x $HOME/y", { variables: { HOME: "/home/dev" } });
    expect(shell.commands[0]?.args).toEqual(["-rf", "/home/dev/x", "/home/dev/y"]);
  });

  test.each([
    ["rm", "rm"],
    ["/bin/rm", "rm"],
    ["./x/", "./x/"],
  ])("program of %s", (text, program) => {
    expect(programOf([{ text, known: true }])).toBe(program);
  });
});

describe("subcommands", () => {
  test.each([
    ["git push -f", "push", ["-f"]],
    ["git -C /x -c a=b --git-dir y --no-pager push origin", "push", ["origin"]],
    ["git -C /x", undefined, undefined],
    ['git "$X"', undefined, [] as string[]],
    ["npm run build", "run", ["build"]],
  ])("%s", (text, name, rest) => {
    const [command] = readShell(text).commands;
    const found = command && subcommandOf(command);
    expect(found?.name).toBe(name);
    expect(found?.words.map((word) => word.text)).toEqual(rest);
  });

  test("options before it keep their values", () => {
    const [command] = readShell("git -C /x -C sub push").commands;
    expect(
      command &&
        subcommandOf(command)
          ?.options.get("C")
          ?.map((word) => word?.text),
    ).toEqual(["/x", "sub"]);
  });

  test("a program of one's own", () => {
    const [command] = readShell("tool --in dir go").commands;
    expect(command && subcommandOf(command, { long: "in:" })?.name).toBe("go");
  });
});

test("values that double are given up, not followed", () => {
  const doubling = `X=abcdefgh;${"X=$X$X;".repeat(60)} tool "$X"`;
  const list = `L=(a b);${`L=("\${L[@]}" "\${L[@]}");`.repeat(60)} tool "\${L[@]}"`;
  for (const text of [doubling, list]) {
    const tool = readShell(text).commands.at(-1);
    expect(tool?.argv[0]?.text).toBe("tool");
    expect(tool?.args[0]).toBeUndefined();
  }
});

test.each([
  ["functions that call each other twice", `f0() { a; };${range(30, (i) => `f${i + 1}() { f${i}; f${i}; };`)} f30`],
  ["a string that runs itself", 'X=\'eval "$X"; eval "$X"\'; eval "$X"'],
  ["loops in loops", `${"for i in {1..9}; do ".repeat(12)}a;${" done;".repeat(12)}`],
])("work without end is refused or left out: %s", (_name, text) => {
  const shell = readShell(text);
  expect(shell.unreadable ?? shell.commands.length).not.toBe(0);
});

test("words are read as written", () => {
  expect(words("tool {a,b} 'c d'")).toEqual([["tool", "a", "b", "c d"]]);
});

function range(count: number, text: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => text(index)).join("");
}

function nestedStrings(depth: number): string {
  return `${"eval ".repeat(depth)}a`;
}

test("a word that is quoted as a whole is the same word when it is put together from pieces", () => {
  const plain = fc.string({ unit: fc.constantFrom(..."ab /*?[]{}()<>|&;#~!=,.:-\n\t'é\u{1f600}") });
  fc.assert(
    fc.property(plain, fc.constantFrom('"', "'"), (text, quote) => {
      const inside = quote === "'" ? text.replaceAll("'", "") : text;
      const word = `${quote}${inside}${quote}`;
      const [whole, pieces] = [`echo ${word}`, `echo ${word}""`].map((line) => readShell(line).commands[0]?.argv[1]);
      expect(whole).toEqual({ text: inside, known: true });
      expect(pieces).toEqual(whole);
    }),
    { numRuns: 2000 },
  );
});
