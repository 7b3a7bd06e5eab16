import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { openJudge, root } from "./judge.mjs";
import { isHeldOut, readCorpus, readFamily } from "./lines.mjs";

const lines = readCorpus();

test("headings, single lines and lines of several rows are read", () => {
  const text = ["# comment", "[block] one", "rm -rf /x", "", "<<<", "# kept", "a", ">>>", "[allow] two", "ls"].join(
    "\n",
  );
  expect(readFamily("f.txt", text)).toMatchObject([
    { expect: "block", family: "f", disguise: "one", command: "rm -rf /x", where: "f.txt:3" },
    { expect: "block", family: "f", disguise: "one", command: "# kept\na" },
    { expect: "allow", family: "f", disguise: "two", command: "ls" },
  ]);
  expect(() => readFamily("f.txt", "ls")).toThrow("before the first");
  expect(() => readFamily("f.txt", "[allow] x\n<<<\nls")).toThrow("never ends");
});

test("no command stands twice", () => {
  const seen = new Map<string, string>();
  const twice = lines.filter(({ command, where }) => {
    const earlier = seen.get(command);
    seen.set(command, where);
    return earlier !== undefined;
  });
  expect(twice.map(({ where, command }) => `${where} ${command}`)).toEqual([]);
});

test("there are enough, and as many look-alikes as destructive ones", () => {
  const block = lines.filter(({ expect }) => expect === "block").length;
  expect(lines.length).toBeGreaterThanOrEqual(1000);
  expect(block).toBeGreaterThanOrEqual(700);
  expect(lines.length - block).toBeGreaterThanOrEqual(block);
  const share = (some: typeof lines) => some.filter((line) => line.heldOut).length / some.length;
  expect(share(lines.filter(({ byHash }) => byHash))).toBeGreaterThan(0.45);
  expect(share(lines.filter(({ byHash }) => byHash))).toBeLessThan(0.55);
  expect(share(lines)).toBeGreaterThan(0.3);
});

test("each family has at least eight of each side", () => {
  const counts = new Map<string, number>();
  for (const { family, expect } of lines)
    for (const side of ["block", "allow"])
      counts.set(`${family} ${side}`, (counts.get(`${family} ${side}`) ?? 0) + (side === expect ? 1 : 0));
  expect([...counts].filter(([, count]) => count < 8)).toEqual([]);
  expect(counts.size).toBeGreaterThan(30);
});

test("the halves are told apart by the command alone, unless the file's name says which it is", () => {
  expect(lines.every((line) => !line.byHash || line.heldOut === isHeldOut(line.command))).toBe(true);
  expect(readFamily("f.dev.txt", "[allow] a\nls").map(({ family, heldOut }) => [family, heldOut])).toEqual([
    ["f", false],
  ]);
  expect(readFamily("f.held-out.txt", "[allow] a\nls").map(({ family, heldOut }) => [family, heldOut])).toEqual([
    ["f", true],
  ]);
  // printf 'rm -rf /' | sha256sum
  expect(isHeldOut("rm -rf /")).toBe(0x5c % 2 === 0);
});

/** The statements with which a database of our own is made, the usual checks of projects, and what a person may approve. */
const OWN_STATEMENTS =
  /^src\/(?:state|domain\/board|fleet\/schema)\/|^src\/domain\/mode\/ultraqa\/project-conventions|^src\/domain\/approvals\/groups\.ts/;

test("no three words of a command stand together in the product's sources", () => {
  const known = new Map(
    lines.flatMap(({ command, where }) => triples(command).map((three) => [three, where] as const)),
  );
  const offenders = sources().flatMap((file) =>
    literals(withoutExamples(fs.readFileSync(path.join(root, file), "utf8"))).flatMap((literal) =>
      triples(literal)
        .filter((three) => known.has(three))
        .map((three) => `${file}: "${three}" as in ${known.get(three)}`),
    ),
  );
  expect(offenders).toEqual([]);
});

test("string literals are found, comments are not taken for any", () => {
  const code = 'a("x y z"); // "no"\n/* "no" */ b(\'p "q"\', `t u`);';
  expect(literals(code)).toEqual(["x y z", 'p "q"', "t u"]);
  expect(triples("a  b && c d -e")).toEqual(["c d -e"]);
});

test("the command line says the same as the check in this process", { timeout: 120_000 }, async () => {
  const judge = await openJudge();
  try {
    const sample = lines.filter(({ heldOut }) => !heldOut).filter((_, index) => index % 360 === 0);
    for (const { command } of sample) {
      const printed = shown(["check", command, "--json"], judge.cwd, judge.env);
      expect({ command, ...JSON.parse(printed) }).toEqual({ command, ...(await judge.check(command)) });
    }
    expect(sample.length).toBeGreaterThan(8);
  } finally {
    judge.close();
  }
});

function shown(args: readonly string[], cwd: string, env: Readonly<Record<string, string>>): string {
  try {
    return execFileSync(process.execPath, [path.join(root, "bin/hookwright.mjs"), ...args], {
      cwd,
      env: { ...env },
      encoding: "utf8",
    });
  } catch (error) {
    // 2 says that the command would be stopped.
    const { status, stdout } = error as { status?: number; stdout?: string };
    if (status === 2 && stdout) return stdout;
    throw error;
  }
}

function sources(): string[] {
  return fs
    .readdirSync(path.join(root, "src"), { recursive: true, encoding: "utf8" })
    .map((file) => path.join("src", file))
    .filter((file) => file.endsWith(".ts") && !/\.(test|gen|samples)\.ts$/.test(file) && !OWN_STATEMENTS.test(file));
}

function literals(code: string): string[] {
  const tokens = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g;
  return [...code.matchAll(tokens)].flatMap(([, ...quoted]) => quoted.filter((text) => text !== undefined));
}

/** What a program must be asked about is written beside it, but nothing reads that except its test and its page. */
function withoutExamples(code: string): string {
  return code.replace(/^ {2}examples: \{(?:.*\},|[\s\S]*?^ {2}\},)\n/m, "");
}

/** Operators are no words: what stands on both sides of one says nothing about a command. */
function triples(text: string): string[] {
  const words = text.split(/\s+/).filter(Boolean);
  return words
    .map((_, at) => words.slice(at, at + 3))
    .filter((three) => three.length === 3 && three.every((word) => /[\p{L}\p{N}]/u.test(word)))
    .map((three) => three.join(" "));
}
