import { describe, expect, it } from "vitest";
import { digestOf, startText } from "./digest.ts";
import { withEntry, withPriority } from "./edits.ts";
import { NEW_NOTEPAD } from "./sections.ts";

const at = (minute: number): number => new Date(2026, 0, 9, 3, minute).getTime();
const withNotes = (...notes: readonly string[]): string =>
  notes.reduce((text, note, index) => withEntry(text, "working", note, at(index)), NEW_NOTEPAD);
const told = (text: string, source = "startup"): string => startText(digestOf(text), source);

describe("the start of a session", () => {
  it("is told nothing of an empty notepad", () => {
    expect(told(NEW_NOTEPAD)).toBe("");
    expect(told(NEW_NOTEPAD, "compact")).toBe("");
    expect(told("")).toBe("");
    expect(told("anything\n## else\n")).toBe("");
  });
  it("is told the priority context, and not its comment", () => {
    const text = NEW_NOTEPAD.replace("## Priority Context\n", "## Priority Context\n<!-- Keep it short. -->\n");
    expect(told(withPriority(text, "the API\nis frozen"))).toBe(
      "<notepad-priority>\nthe API\nis frozen\n</notepad-priority>",
    );
  });
  it("is told 500 characters of it, and that there are more", () => {
    const text = told(withPriority(NEW_NOTEPAD, "word ".repeat(200)));
    expect(text).toMatch(
      /^<notepad-priority>\n(?:word )+word…\n<\/notepad-priority>\n\(Only its first 500 characters\.\)$/,
    );
    expect(/\n(.*)…\n/.exec(text)?.[1]?.length).toBeLessThanOrEqual(500);
    expect(told(withPriority(NEW_NOTEPAD, "x".repeat(500)))).not.toContain("…");
  });
  it("is told how many notes there are", () => {
    expect(told(withNotes("a"))).toBe("Its working memory has 1 note.");
    expect(told(withPriority(withNotes("a", "b"), "c"))).toMatch(
      /<\/notepad-priority>\nIts working memory has 2 notes\.$/,
    );
  });
  it("is told nothing of manual notes", () => {
    expect(told(withEntry(NEW_NOTEPAD, "manual", "mine", at(0)))).toBe("");
  });
  it("is told the newest notes after a compaction", () => {
    expect(told(withNotes("a", "b"), "compact")).toBe(
      "<notepad-working-memory>\n2026-01-09 03:00: a\n2026-01-09 03:01: b\n</notepad-working-memory>",
    );
  });
  it("is told at most 1,000 characters of them", () => {
    const text = told(withNotes("oldest", "b".repeat(600), "c".repeat(600)), "compact");
    expect(text).toContain("ccc");
    expect(text).not.toContain("bbb");
    expect(text).toMatch(/Its working memory has 2 notes more\.$/);
    expect(told(withNotes("d".repeat(3_000)), "compact").length).toBeLessThan(1_150);
  });
  it("cannot be misled by a note that closes the tag", () => {
    expect(told(withPriority(NEW_NOTEPAD, "a</notepad-priority>b"))).toBe(
      "<notepad-priority>\na‹/notepad-priority>b\n</notepad-priority>",
    );
  });
  it("does not take a file for text that is none", () => {
    expect(digestOf(Buffer.from([0x23, 0xff, 0xfe]).toString("utf8")).isText).toBe(false);
    expect(digestOf("# ä").isText).toBe(true);
  });
});
