import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileGlob } from "../../config/patterns.ts";
import { mayCover, patternsMeet } from "./patterns-meet.ts";

describe("two patterns", () => {
  it.each([
    // Plain paths: the same, or one in the other.
    ["src/a.ts", "src/a.ts", true],
    ["src/a.ts", "src/b.ts", false],
    ["src", "src/deep/a.ts", true],
    ["src/deep/a.ts", "src", true],
    ["src", "src2/a.ts", false],
    [".", "src/a.ts", true],
    [".", "src/**/*.ts", true],
    // A glob and a plain path.
    ["src/*.ts", "src/a.ts", true],
    ["src/*.ts", "src/deep/a.ts", false],
    ["src/*.ts", "src/a.css", false],
    ["src/**/*.ts", "src", true],
    ["src/**/*.ts", "src/deep", true],
    ["src/**/*.ts", "lib", false],
    ["src/*", "src/web", true],
    ["src/*/*.ts", "src/a.ts/b/c", false],
    ["**/package.json", "package.json", true],
    ["**/package.json", "lib/package.json", true],
    ["**/package.json", "lib/package.jsonc", false],
    ["**/*.css", "src/a.ts", false],
    ["**/*.css", "src/v1.2", true],
    ["**/*.css", ".github", true],
    ["**/*.css", "src/Makefile", true],
    ["src/?.ts", "src/a.ts", true],
    ["src/?.ts", "src/ab.ts", false],
    // Two globs.
    ["src/*.ts", "src/*.css", false],
    ["src/*.ts", "src/a*", true],
    ["src/a*", "src/b*", false],
    ["src/a*z", "src/*b*", true],
    ["src/**", "**/*.ts", true],
    ["src/**/*.ts", "lib/**/*.ts", false],
    ["src/**/*.ts", "src/**/*.tsx", false],
    ["src/**/test/*.ts", "src/api/**", true],
    ["src/api/*/x", "src/*/web/x", true],
    ["src/api/*/x", "src/*/web/y", false],
    ["a/**/b", "a/b", true],
    ["a/**/**/b", "a/b", true],
    // Sets.
    ["src/[a-m]*.ts", "src/[n-z]*.ts", false],
    ["src/[a-m]*.ts", "src/[m-z]*.ts", true],
    ["src/[abc].ts", "src/b.ts", true],
    ["src/[abc].ts", "src/d.ts", false],
    ["src/[!abc].ts", "src/b.ts", false],
    ["src/[^abc].ts", "src/d.ts", true],
    ["src/[!a].ts", "src/[a].ts", false],
    ["src/[!a].ts", "src/[ab].ts", true],
    ["src/[!a].ts", "src/[a-c].ts", true],
    ["src/[!a].ts", "src/[!b].ts", true],
    ["src/[a-]x.ts", "src/-x.ts", true],
    // Braces.
    ["src/{api,web}/*.ts", "src/web/a.ts", true],
    ["src/{api,web}/*.ts", "src/db/a.ts", false],
    ["src/{api,web}", "src/{web,db}", true],
    ["src/{api,web}", "src/{cli,db}", false],
    ["src/{a,{b,c}}.ts", "src/c.ts", true],
    ["src/{a,{b,c}}.ts", "src/d.ts", false],
    ["src/{a,b/c}.ts", "src/b/c.ts", true],
    ["{src,lib}/{a,b}.ts", "lib/b.ts", true],
    ["src/{a}.ts", "src/{a}.ts", true],
    ["src/{a", "src/{a", true],
    // What is special only for another shell, and what is quoted.
    ["src/@(a|b).ts/**", "src/b.ts", true],
    ["src/\\[a]*.ts", "src/a1.ts", false],
    ["src/😀*.ts", "src/😀a.ts", true],
    ["src/?.ts", "src/😀.ts", true],
  ])("%s and %s: %s", (one, other, expected) => {
    expect(patternsMeet(one, other)).toBe(expected);
    expect(patternsMeet(other, one)).toBe(expected);
  });

  it("with more alternatives than are told apart may meet anything", () => {
    const many = "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}";
    expect(patternsMeet(many, "elsewhere")).toBe(true);
    expect(patternsMeet(many.slice(5), "elsewhere")).toBe(false);
  });

  it("of great length are compared in proportion to their lengths", () => {
    expect(patternsMeet(`src/${"*a".repeat(500)}b`, `src/${"a*".repeat(500)}c`)).toBe(false);
  });
});

describe("a pattern and one path", () => {
  it.each([
    ["src", "src/a.ts", true],
    ["src", "src2", false],
    [".", "a", true],
    ["src/*", "src/a", true],
    ["src/*", "src/a/b", false],
    ["src/**", "src/a/b", true],
    ["**/.env*", "deep/.env.local", true],
    ["src/\\[a].ts", "src/[a].ts", true],
    ["src/[a].ts", "src/[a].ts", false],
    ["src/a.ts*", "src/*.ts", false],
    ["src/a?", "src/??", false],
    ["src/*.ts", "src/*.ts", true],
    ["src/\\*.ts", "src/*.ts", true],
    ["src/\\*.ts", "src/a.ts", false],
    ["src/?.ts", "src/*.ts", true],
    ["src/[*].ts", "src/*.ts", true],
  ])("%s and %s: %s", (pattern, name, expected) => {
    expect(mayCover(pattern, name)).toBe(expected);
  });
});

describe("beside the library for globs", () => {
  const part = fc.constantFrom("*", "?", "a", "b", "[ab]", "[!a]", "a*", "*b", "{a,b}", "{a,b*}", "**");
  const glob = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
  const name = fc
    .array(fc.constantFrom("a", "b", "ab", "ba", ".a", "c"), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.join("/"));
  const options = { seed: 26, numRuns: 1_000 };

  it("the quick comparison is never narrower, and patterns meet where one name fits both", () => {
    fc.assert(
      fc.property(glob, glob, name, (one, other, path) => {
        const fits = compileGlob(one).matches(path);
        if (fits) expect(mayCover(one, path)).toBe(true);
        if (fits && compileGlob(other).matches(path)) expect(patternsMeet(one, other)).toBe(true);
      }),
      options,
    );
  });

  it("the quick comparison is as exact for ordinary globs", () => {
    fc.assert(
      fc.property(
        // The library reads `**` at the end of some globs as at least one component.
        glob.filter((one) => /[*?[{]/.test(one) && !one.endsWith("**")),
        name,
        (one, path) => {
          expect(mayCover(one, path)).toBe(compileGlob(one).matches(path));
        },
      ),
      options,
    );
  });
});
