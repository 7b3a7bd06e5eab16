import { describe, expect, it } from "vitest";
import { toldWisdom, WISDOM_TAIL, wisdomText } from "./wisdom.ts";

const lines = (count: number): string => Array.from({ length: count }, (_, at) => `line ${at}\n`).join("");

describe("the end of a file", () => {
  it.each([
    ["an empty file", "", { text: "", isCut: false }],
    ["blanks", " \n\n", { text: "", isCut: false }],
    ["a short file", "one\ntwo\n", { text: "one\ntwo", isCut: false }],
  ])("of %s", (_name, tail, expected) => {
    expect(wisdomText(tail)).toEqual(expected);
  });

  it("begins with a whole line, also where the first one was read in part", () => {
    const tail = `alf a line\n${lines(2_000)}`.slice(0, WISDOM_TAIL);
    const { text, isCut } = wisdomText(tail);
    expect(isCut).toBe(true);
    expect(text).toMatch(/^line \d+\n/);
    expect(text.length).toBeLessThanOrEqual(2_000);
  });
  it("of one endless line has its last characters", () => {
    const { text, isCut } = wisdomText("\u{1F600}".repeat(2_000));
    expect([text.isWellFormed(), text.length <= 2_000, isCut]).toEqual([true, true, true]);
  });
  it("is that of a line that was cut while it was read", () => {
    expect(wisdomText(`\uFFFD${"x".repeat(WISDOM_TAIL)}\nlast\n`).text).toBe("last");
  });
});

describe("in words", () => {
  const file = (name: string, text: string, isCut = false) => ({ file: name, text, isCut });
  it.each([
    ["nothing", [], 100, ""],
    ["a whole file", [file("a", "one")], 200, "a:\none"],
    ["the end of one", [file("a", "one", true)], 200, "a (its end):\none"],
    ["two of three", [file("a", "1"), file("b", "2"), file("c", "3")], 240, "a:\n1\nb:\n2\nAlso to be read: c"],
  ])("%s", (_name, files, room, text) => {
    expect(toldWisdom(files, room)).toBe(text);
  });
  it("a long text is cut between words", () => {
    const text = toldWisdom([file("a", "word ".repeat(100).trim())], 200);
    expect(text).toMatch(/^a \(its end\):\n\[…\] word( word)+$/);
    expect(text.length).toBeLessThanOrEqual(230);
  });
});
