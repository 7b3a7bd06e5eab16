import { expect, test } from "vitest";
import { literalPrefix, mayMatchName, mayMatchPath } from "./may-match.ts";

test.each([
  ["*.json", "settings.json", true],
  ["settings*", "settings.json", true],
  ["s?ttings.json", "settings.json", true],
  ["[rst]ettings.json", "settings.json", true],
  ["*t*t*s.j*n", "settings.json", true],
  ["**", "settings.json", true],
  ["@(settings|x).json", "settings.json", true],
  ["*.md", "settings.json", false],
  ["settings", "settings.json", false],
  ["?", "settings.json", false],
  ["*.json?", "settings.json", false],
  ["", "settings.json", false],
  ["*", ".git", false],
  ["?git", ".git", false],
  ["!(keep)", ".git", false],
  [".*", ".git", true],
  [".g[a-z]t", ".git", true],
  ["@(.git|x)", ".git", true],
])("%s may be %s: %s", (part, name, may) => {
  expect(mayMatchName(part, name)).toBe(may);
});

test.each([
  ["/h/.claude/*", "/h/.claude/settings.json", "it"],
  ["/h/.s*/keys", "/h/.ssh", "inside"],
  ["/h/.cl*", "/h/.claude/settings.json", "above"],
  ["/h/*", "/h/.claude/settings.json", undefined],
  ["/h/*/x", "/h/app/.claude/settings.json", undefined],
  ["/h/**", "/h/app/conf/a.yml", "it"],
  ["/h/**/*.yml", "/h/app/conf/a.yml", "it"],
  ["/h/**/**/*.json", "/h/app/conf/a.yml", "inside"],
  ["/h/**/*.json", "/other/a.yml", undefined],
  ["/h/**", "/h/.claude/settings.json", "above"],
  ["/other/*", "/h/app", undefined],
])("%s, seen from %s: %s", (pattern, place, reach) => {
  expect(mayMatchPath(pattern, place)).toBe(reach);
});

test("a pattern that is made to be slow costs no more than its length", () => {
  const cost = (size: number): number => {
    const times = Array.from({ length: 5 }, () => {
      const began = performance.now();
      mayMatchName(`${"*a".repeat(size)}b`, "a".repeat(255));
      mayMatchPath(`/${"**/*/".repeat(size / 4)}x`, `/${"a/".repeat(12)}y`);
      return performance.now() - began;
    });
    return Math.min(...times);
  };
  cost(500);
  // For four times the pattern, with room for a busy machine; exponential time would be far over it.
  expect(cost(2_000)).toBeLessThan(40 * cost(500));
});

test("what is written out before the first special character", () => {
  expect(["/a/b*/c", "/a/b/*", "/*", "/a/b"].map(literalPrefix)).toEqual(["/a", "/a/b", "/", "/a/b"]);
});
