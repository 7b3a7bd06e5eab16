import { expect, test } from "vitest";
import { shortened, shortenedPath, widthOf } from "./width.ts";

test.each([
  ["plain", 5],
  ["\u5b57\u5b57", 4],
  ["e\u0301", 1],
  ["\u{1f600}!", 3],
  ["\u2026", 1],
])("the width of %s is %i", (text, width) => {
  expect(widthOf(text)).toBe(width);
});

test.each([
  ["fits", 4, "fits", "fits"],
  ["too long", 5, "too \u2026", "\u2026long"],
  ["\u5b57\u5b57\u5b57", 6, "\u5b57\u5b57\u5b57", "\u5b57\u5b57\u5b57"],
  ["\u5b57\u5b57\u5b57", 4, "\u5b57\u2026", "\u2026\u5b57"],
  ["none", 0, "", ""],
])("%s in %i columns", (text, width, beginning, end) => {
  expect([shortened(text, width), shortenedPath(text, width)]).toEqual([beginning, end]);
});
