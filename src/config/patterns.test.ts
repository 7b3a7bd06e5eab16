import fc from "fast-check";
import picomatch from "picomatch";
import { describe, expect, it } from "vitest";
import { patternSize } from "./pattern-size.ts";
import { compileGlob, compilePattern } from "./patterns.ts";

describe("a pattern", () => {
  it.each([
    ["deploy .*prod", "make deploy to prod now", true],
    ["deploy .*prod", "deploy to test", false],
    ["^git push", "git push", true],
    ["^git push", "cd x && git push", false],
    ["Prod", "prod", false],
    ["(?i)Prod", "pROD", true],
    ["\\bprod\\b", "production", false],
    ["a.c", "a\nc", false],
    ["(?s)a.c", "a\nc", true],
    ["é{2}", "caféé", true],
    ["\\p{Greek}", "αβγ", true],
  ])("%j in %j: %j", (source, text, expected) => {
    expect(compilePattern(source).test(text)).toBe(expected);
  });

  it.each([
    ["(?=a)", "looking ahead or behind is not possible here"],
    ["a(?!b)", "looking ahead or behind is not possible here"],
    ["(?<=a)b", "looking ahead or behind is not possible here"],
    ["(?<!a)b", "looking ahead or behind is not possible here"],
    ["(a)\\1", "referring back to a group is not possible here"],
    ["(?<n>a)\\k<n>", "referring back to a group is not possible here"],
    ["(", "missing closing )"],
    ["[a", "missing closing ]"],
    ["a**", "invalid nested repetition operator"],
    ["x{2,1}", "invalid repeat count"],
    ["a\\", "trailing backslash"],
  ])("%j is refused, and said why", (source, reason) => {
    expect(() => compilePattern(source)).toThrow(reason);
  });
});

describe("how large a pattern gets", () => {
  it.each([
    ["abc", 3],
    ["a{3}", 3],
    ["(ab){10}", 40],
    ["((a{9}){9}){9}", 909],
    ["[a-z{}]{5}", 5],
    ["[]x]{4}", 4],
    ["[[:alpha:]]{4}", 4],
    ["a\\{3}", 4],
    ["x{2,7}y", 8],
    ["x{2,}", 2],
  ])("%j: %j", (source, size) => {
    expect(patternSize(source)).toBe(size);
  });

  it("is not less than half of what compiling it comes to", () => {
    const atom = fc.constantFrom("a", ".", "\\d", "[a-z]", "[^)\\]]", "\\(", "\\p{L}", "(?:b)", "x|y", "^", "()");
    const { node } = fc.letrec<{ node: string }>((tie) => ({
      node: fc.oneof(
        { depthSize: "small" },
        atom,
        fc.tuple(tie("node"), tie("node")).map((parts) => parts.join("")),
        fc.tuple(tie("node"), fc.constantFrom("", "?", "*", "+", "{3}", "{0,4}", "{2,}")).map(([a, b]) => `(${a})${b}`),
      ),
    }));
    fc.assert(
      fc.property(node, (source) => {
        expect(compilePattern(source).cost).toBeLessThanOrEqual(2 * patternSize(source) + 10);
      }),
      { numRuns: 500 },
    );
  });

  it.each(["(".repeat(300), ")".repeat(300), "{9}{9}", "[".repeat(300), "\\", "a{99999999999999999999}"])(
    "is a number whatever stands there: %j",
    (source) => {
      expect(patternSize(source)).toBeGreaterThanOrEqual(0);
    },
  );
});

describe("a glob", () => {
  it.each([
    ["infra/**", ["infra", "infra/a", "infra/a/b", "infra/.env"], ["infrastructure", "x/infra/a"]],
    ["infra", ["infra", "infra/a", "infra/a/b"], ["infrastructure", "a/infra"]],
    ["infra/", ["infra", "infra/a"], ["infrastructure"]],
    ["./infra/*", ["infra/a", "infra/.a"], ["infra/a/b", "infra"]],
    ["*.pem", ["a.pem", ".pem"], ["a/b.pem"]],
    ["**/*.pem", ["a.pem", "a/b/c.pem"], ["a.pem/x", "a.pems"]],
    ["**/.env", [".env", "a/.env", "a/b/.env"], ["a.env", ".env/a"]],
    ["src/**/test/*.ts", ["src/test/a.ts", "src/a/b/test/c.ts"], ["src/test/a/b.ts"]],
    ["a?c", ["abc"], ["ac", "a/c"]],
    ["a[!b]c", ["acc"], ["abc", "a/c"]],
    ["a[b-d]e", ["ace"], ["aee"]],
    ["*.{ts,tsx}", ["a.ts", "a.tsx"], ["a.js"]],
    ["{a,b}/c", ["a/c", "b/c"], ["c/c"]],
    ["app/(group)/**", ["app/(group)/x"], ["app/group/x"]],
    ["a\\*b", ["a*b"], ["axb"]],
    ["ü*", ["über"], ["uber"]],
    ["Src/**", ["Src/a"], ["src/a"]],
    ["a+b$^|.c", ["a+b$^|.c"], ["aab$^|xc"]],
    ["/etc/**", ["/etc/passwd"], ["etc/passwd"]],
    ["/", ["/", "/etc/passwd"], ["etc"]],
    ["**", ["a", "a/b", "a\nb/c"], []],
    ["*b/**/*", ["ab/c", "ab/c/d"], ["ab"]],
    ["a/**/*", ["a/b", "a/b/c"], ["a"]],
  ])("%s", (glob, yes, no) => {
    const { matches } = compileGlob(glob);
    expect(yes.filter((one) => !matches(one))).toEqual([]);
    expect(no.filter(matches)).toEqual([]);
  });

  it.each([
    ["infra/prod/*.tf", "infra/prod"],
    ["infra", "infra"],
    ["**/x", ""],
    ["a\\*b/**", "a*b"],
  ])("%s begins in %j", (glob, base) => {
    expect(compileGlob(glob).base).toBe(base);
  });

  it.each([
    ["!secret/**", "`!` at its beginning has no meaning here"],
    ["a{1..9}", "a range in braces is not known here"],
    ["*{a", "Missing closing"],
  ])("%s is refused, and said why", (glob, reason) => {
    expect(() => compileGlob(glob)).toThrow(reason);
  });

  it("means what picomatch means", () => {
    const part = fc.constantFrom("a", "b", "ab", "*", "a*", "*b", "?", "**", ".a", "[ab]", "{a,b}", "{a,.b}c", "a.b");
    const name = fc.constantFrom("a", "b", "ab", "aab", ".a", ".b", "c", "ac", ".bc", "a.b", "...");
    const joined = (one: fc.Arbitrary<string>) =>
      fc.array(one, { minLength: 1, maxLength: 4 }).map((all) => all.join("/"));
    let hits = 0;
    fc.assert(
      fc.property(joined(part), joined(name), (glob, path) => {
        const expected = picomatch.isMatch(path, glob, { dot: true, nonegate: true, noextglob: true });
        // A path without special characters also matches everything below it.
        const isPlain = !/[*?[{]/.test(glob);
        if (isPlain && path.startsWith(`${glob}/`)) return;
        if (expected) hits++;
        expect(compileGlob(glob).matches(path)).toBe(expected);
      }),
      { numRuns: 3_000 },
    );
    expect(hits).toBeGreaterThan(50);
  });
});

describe("what would take for ever elsewhere", () => {
  const text = `${"a".repeat(50_000)}!`;
  const timeOf = (test: (text: string) => boolean): number => {
    const times = Array.from({ length: 5 }, () => {
      const started = performance.now();
      test(text);
      return performance.now() - started;
    });
    return Math.max(Math.min(...times), 0.01);
  };
  // A pattern that also visits every character; the tolerance for a busy machine is far below the cost of backtracking.
  const plain = timeOf((one) => compilePattern("[ab]+x").test(one));

  it.each(["^(a+)+$", "(a|a)*b$", "(a*)*c", "(x+x+)+y", "(.*)(.*)(.*)(.*)(.*)z"])(
    "%s takes no longer than a plain pattern, times a few",
    (source) => {
      const pattern = compilePattern(source);
      expect(timeOf(pattern.test)).toBeLessThan(200 * plain);
    },
  );

  it("and so does a glob", () => {
    const glob = compileGlob(`${"*a".repeat(40)}b`);
    expect(timeOf(glob.matches)).toBeLessThan(500 * plain);
  });
});
