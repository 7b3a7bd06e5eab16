import { expect, it } from "vitest";
import { rememberedNotes } from "./remember-tags.ts";

const CASES: readonly { name: string; message: string; working?: readonly string[]; priority?: readonly string[] }[] = [
  { name: "a note", message: "Done. <remember>use npm ci</remember>", working: ["use npm ci"] },
  {
    name: "with priority",
    message: "<remember priority>the API is frozen</remember>",
    priority: ["the API is frozen"],
  },
  { name: "in capitals, with blanks", message: "<Remember  Priority >\n a \n</REMEMBER>", priority: ["a"] },
  { name: "several", message: "<remember>a</remember> and <remember>b</remember>", working: ["a", "b"] },
  {
    name: "both kinds",
    message: "<remember>a</remember><remember priority>b</remember>",
    working: ["a"],
    priority: ["b"],
  },
  { name: "over several lines", message: "<remember>\n- a\n- b\n</remember>", working: ["- a\n- b"] },
  {
    name: "with code in it",
    message: "<remember>run `npm ci`\n```\nx\n```\n</remember>",
    working: ["run `npm ci`\n```\nx\n```"],
  },
  { name: "a tag that is only mentioned", message: "Write `<remember>x</remember>` to keep x." },
  { name: "a tag in a code block", message: "```xml\n<remember>x</remember>\n```" },
  { name: "a tag whose end is only mentioned", message: "<remember>x `</remember>`" },
  { name: "a tag that is never closed", message: "<remember>everything else is gone" },
  { name: "a second one after it", message: "<remember>lost <remember>kept</remember>", working: ["kept"] },
  { name: "an end without a beginning", message: "x</remember> <remember>a</remember>", working: ["a"] },
  { name: "nothing inside", message: "<remember> \n </remember><remember priority></remember>" },
  { name: "another tag", message: "<remembered>x</remembered><remember-this>y</remember-this>" },
  { name: "another word in the tag", message: "<remember forever>x</remember>" },
  { name: "no tag at all", message: "Remember to run the tests." },
];

it.each(CASES)("$name", ({ message, working = [], priority = [] }) => {
  const notes = rememberedNotes(message);
  expect(notes.filter((note) => !note.isPriority).map((note) => note.text)).toEqual(working);
  expect(notes.filter((note) => note.isPriority).map((note) => note.text)).toEqual(priority);
});

it("takes at most ten, and shortens a long one", () => {
  const many = Array.from({ length: 12 }, (_, index) => `<remember>${index}</remember>`).join("");
  expect(rememberedNotes(many).map(({ text }) => text)).toEqual(Array.from({ length: 10 }, (_, index) => `${index}`));
  const [long] = rememberedNotes(`<remember>${"word ".repeat(2_000)}</remember>`);
  expect(long?.text.length).toBeLessThan(2_010);
  expect(long?.text).toMatch(/word \[…\]$/);
});
