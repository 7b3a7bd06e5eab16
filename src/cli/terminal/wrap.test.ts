import { describe, expect, test } from "vitest";
import { styleFor } from "./style.ts";
import { joinedParagraphs, withoutColour, wrapped } from "./wrap.ts";

const DIM = styleFor({}, true).dim;

describe("lines for a narrow terminal", () => {
  test.each([
    ["one that fits", "as short as it is", "as short as it is"],
    ["a sentence", "one two three four five six", "one two three four\nfive six"],
    ["one that is moved to the right", "  one two three four five", "  one two three four\n  five"],
    ["an item of a list", "- one two three four five", "- one two three four\n  five"],
    ["a row of a table", "1  ab  one two three four", "1  ab  one two three\n       four"],
    [
      "a word that is longer than the line",
      "see /a/very/long/path/of/mine there",
      "see\n/a/very/long/path/of/mine\nthere",
    ],
    ["an object for programs", '{"a": "one two three four five"}', '{"a": "one two three four five"}'],
    ["an object that is moved to the right", '  {"a": "one two three four"}', '  {"a": "one two three four"}'],
    ["several lines", "one two three four five\nsix", "one two three four\nfive\nsix"],
    ["one that just fits", "one two three four fi", "one two three four fi"],
  ])("%s", (_, text, expected) => {
    expect(wrapped(text, 21)).toBe(expected);
  });

  test("a usage line goes on behind the program's name", () => {
    expect(wrapped("Usage: hookwright hook [--one] [--two]", 30)).toBe(
      "Usage: hookwright hook [--one]\n                  [--two]",
    );
  });

  test("a paragraph that was made for a wide terminal is filled anew", () => {
    const long = `${"word ".repeat(19)}end`;
    expect(joinedParagraphs(`Usage\n\n${long}\n${long}\nand more\n\n  ${long}\n  indented`)).toBe(
      `Usage\n\n${long} ${long} and more\n\n  ${long}\n  indented`,
    );
  });

  test("colours take no room and are kept", () => {
    const text = wrapped(`1  ${DIM("ab")}  ${DIM("one two three four")}`, 21);
    expect(withoutColour(text)).toBe("1  ab  one two three\n       four");
    expect(text.match(new RegExp(DIM("").slice(0, 4).replace("[", "\\["), "g"))).toHaveLength(2);
  });

  test("no line is longer than it has to be, and no word is lost", () => {
    const words = Array.from({ length: 200 }, (_, index) => "x".repeat((index % 9) + 1));
    const text = wrapped(`12  stage  ${words.join(" ")}`, 40);
    for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(40);
    expect(text.split(/\s+/)).toEqual(["12", "stage", ...words]);
  });
});
