import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sized } from "../../../test/support/long.ts";
import { cleared, withEntry, withoutOldEntries, withPriority } from "./edits.ts";
import { readNotes } from "./notes.ts";
import { NEW_NOTEPAD } from "./sections.ts";

/** Times of entries are local ones. */
const at = (day: number, hour = 3, minute = 4): number => new Date(2026, 0, day, hour, minute).getTime();
const NOW = at(10);
const OWN = "## My own section\n\nkept  as it is \t\n### 2020-01-01 00:00\nnot an entry of ours\n";

/** What an edit does to a whole file. */
interface EditCase {
  readonly name: string;
  readonly before: string;
  readonly edit: (text: string) => string;
  readonly after: string;
}
const working =
  (note: string, when = NOW) =>
  (text: string) =>
    withEntry(text, "working", note, when);
const manual =
  (note: string, when = NOW) =>
  (text: string) =>
    withEntry(text, "manual", note, when);
const priority = (note: string) => (text: string) => withPriority(text, note);
const pruned = (text: string): string => withoutOldEntries(text, NOW);

const EDITS: readonly EditCase[] = [
  {
    name: "the first entry",
    before: "## Working Memory\n\n## MANUAL\n",
    edit: working("use npm ci"),
    after: "## Working Memory\n\n### 2026-01-10 03:04\nuse npm ci\n\n## MANUAL\n",
  },
  {
    name: "a second entry goes below the first",
    before: "## Working Memory\n\n### 2026-01-09 03:04\nfirst\n\n## MANUAL\n",
    edit: working("second"),
    after: "## Working Memory\n\n### 2026-01-09 03:04\nfirst\n\n### 2026-01-10 03:04\nsecond\n\n## MANUAL\n",
  },
  {
    name: "several lines",
    before: "## Working Memory\n",
    edit: working("one\n\ntwo"),
    after: "## Working Memory\n\n### 2026-01-10 03:04\none\n\ntwo\n",
  },
  {
    name: "other sections stay, byte for byte",
    before: `${OWN}\n## Working Memory\n\n${OWN}`,
    edit: working("x"),
    after: `${OWN}\n## Working Memory\n\n### 2026-01-10 03:04\nx\n\n${OWN}`,
  },
  {
    name: "a heading that only begins alike is another section",
    before: "## Working Memory Notes\nmine\n\n## Working Memory\n",
    edit: working("x"),
    after: "## Working Memory Notes\nmine\n\n## Working Memory\n\n### 2026-01-10 03:04\nx\n",
  },
  {
    name: "a heading of another level is another one",
    before: "# Working Memory\n### Working Memory\n",
    edit: working("x"),
    after: "# Working Memory\n### Working Memory\n\n## Working Memory\n\n### 2026-01-10 03:04\nx\n",
  },
  {
    name: "a missing section is added at the end",
    before: "my notes",
    edit: manual("x"),
    after: "my notes\n\n## MANUAL\n\n### 2026-01-10 03:04\nx\n",
  },
  {
    name: "an empty file",
    before: "",
    edit: manual("x"),
    after: "## MANUAL\n\n### 2026-01-10 03:04\nx\n",
  },
  {
    name: "a last line without an end",
    before: "## MANUAL\nmine",
    edit: manual("x"),
    after: "## MANUAL\nmine\n\n### 2026-01-10 03:04\nx\n",
  },
  {
    name: "line ends of Windows",
    before: "## Working Memory\r\n\r\n## MANUAL\r\n",
    edit: working("one\ntwo"),
    after: "## Working Memory\r\n\r\n### 2026-01-10 03:04\r\none\r\ntwo\r\n\r\n## MANUAL\r\n",
  },
  {
    name: "a heading right below",
    before: "## Working Memory\n## MANUAL\n",
    edit: working("x"),
    after: "## Working Memory\n\n### 2026-01-10 03:04\nx\n\n## MANUAL\n",
  },
  {
    name: "a heading inside a code block is none",
    before: "## Working Memory\n\n```md\n## MANUAL\n```\n\n## MANUAL\n",
    edit: manual("x"),
    after: "## Working Memory\n\n```md\n## MANUAL\n```\n\n## MANUAL\n\n### 2026-01-10 03:04\nx\n",
  },
  {
    name: "a code block without an end hides no heading",
    before: "## Working Memory\n```\n\n## MANUAL\n",
    edit: manual("x"),
    after: "## Working Memory\n```\n\n## MANUAL\n\n### 2026-01-10 03:04\nx\n",
  },
  {
    name: "a note with headings makes no section",
    before: "## Working Memory\n",
    edit: working("## MANUAL\n### 2026-01-01 00:00\ntext\n#tag"),
    after: "## Working Memory\n\n### 2026-01-10 03:04\n\\## MANUAL\n\\### 2026-01-01 00:00\ntext\n#tag\n",
  },
  {
    name: "a note with code makes no code block of what follows",
    before: "## Working Memory\n\n## MANUAL\n",
    edit: working("run\n```sh\nnpm ci"),
    after: "## Working Memory\n\n### 2026-01-10 03:04\nrun\n\\```sh\nnpm ci\n\n## MANUAL\n",
  },
  {
    name: "control characters are left out",
    before: "## MANUAL\n",
    edit: manual("a\u0000b\u001b[31m\tc\r\nd"),
    after: "## MANUAL\n\n### 2026-01-10 03:04\nab[31m\tc\nd\n",
  },
  {
    name: "the same note of the same minute is added once",
    before: "## Working Memory\n\n### 2026-01-10 03:04\nsame\n",
    edit: working("same"),
    after: "## Working Memory\n\n### 2026-01-10 03:04\nsame\n",
  },
  {
    name: "the same note of another minute is another one",
    before: "## Working Memory\n\n### 2026-01-09 03:04\nsame\n",
    edit: working("same"),
    after: "## Working Memory\n\n### 2026-01-09 03:04\nsame\n\n### 2026-01-10 03:04\nsame\n",
  },
  {
    name: "a file of oh-my-claudecode with its comments",
    before: "## Working Memory\n<!-- Session notes. Auto-pruned after 7 days. -->\n\n## MANUAL\n",
    edit: working("x"),
    after:
      "## Working Memory\n<!-- Session notes. Auto-pruned after 7 days. -->\n\n### 2026-01-10 03:04\nx\n\n## MANUAL\n",
  },
  {
    name: "a priority context",
    before: "## Priority Context\n\n## Working Memory\n",
    edit: priority("the API is frozen"),
    after: "## Priority Context\nthe API is frozen\n\n## Working Memory\n",
  },
  {
    name: "it is replaced as a whole",
    before: "## Priority Context\n\nold\n### part\n- old\n\n## Working Memory\n",
    edit: priority("new"),
    after: "## Priority Context\nnew\n\n## Working Memory\n",
  },
  {
    name: "but the comment above it stays",
    before: "## Priority Context\n<!-- Keep under 500 chars. -->\nold\n\n## MANUAL\n",
    edit: priority("new"),
    after: "## Priority Context\n<!-- Keep under 500 chars. -->\nnew\n\n## MANUAL\n",
  },
  {
    name: "a priority context that looks like a comment or a heading",
    before: "## Priority Context\n",
    edit: priority("<!-- x -->\n## MANUAL"),
    after: "## Priority Context\n\\<!-- x -->\n\\## MANUAL\n",
  },
  {
    name: "entries older than seven days go",
    before: "## Working Memory\n\n### 2026-01-02 03:04\nold\n\n### 2026-01-03 03:05\nyoung\n\n## MANUAL\n",
    edit: pruned,
    after: "## Working Memory\n\n### 2026-01-03 03:05\nyoung\n\n## MANUAL\n",
  },
  {
    name: "whichever stand between",
    before:
      "## Working Memory\n\n### 2026-01-09 00:00\na\n\n### 2026-01-01 00:00\nb\n\n### 2026-01-08 00:00\nc\n\n## MANUAL\n",
    edit: pruned,
    after: "## Working Memory\n\n### 2026-01-09 00:00\na\n\n### 2026-01-08 00:00\nc\n\n## MANUAL\n",
  },
  {
    name: "what has no time, or none that exists, stays",
    before:
      "## Working Memory\nmine\n\n### some heading\nmine too\n\n### 2020-13-45 00:00\nx\n\n### 2020-01-01 00:00 was a day\ny\n",
    edit: pruned,
    after:
      "## Working Memory\nmine\n\n### some heading\nmine too\n\n### 2020-13-45 00:00\nx\n\n### 2020-01-01 00:00 was a day\ny\n",
  },
  {
    name: "a heading of one's own ends an old entry",
    before: "## Working Memory\n\n### 2020-01-01 00:00\nold\n\n### mine\nkept\n",
    edit: pruned,
    after: "## Working Memory\n\n### mine\nkept\n",
  },
  {
    name: "manual notes are never too old",
    before: "## MANUAL\n\n### 2020-01-01 00:00\nold\n",
    edit: pruned,
    after: "## MANUAL\n\n### 2020-01-01 00:00\nold\n",
  },
  {
    name: "a section is emptied, and what a person wrote above its notes stays",
    before:
      "## Working Memory\nmine\n\n### 2026-01-09 03:04\na\n\n### 2026-01-10 03:04\nb\n\n## MANUAL\n\n### 2026-01-10 03:04\nc\n",
    edit: (text) => cleared(text, "working"),
    after: "## Working Memory\nmine\n\n## MANUAL\n\n### 2026-01-10 03:04\nc\n",
  },
  {
    name: "the priority context is emptied",
    before: "## Priority Context\n<!-- what it is for -->\nold\n\n## MANUAL\n",
    edit: (text) => cleared(text, "priority"),
    after: "## Priority Context\n<!-- what it is for -->\n\n## MANUAL\n",
  },
  {
    name: "nothing to empty",
    before: "my file\n",
    edit: (text) => cleared(text, "manual"),
    after: "my file\n",
  },
];

describe("an edit", () => {
  it.each(EDITS)("$name", ({ before, edit, after }) => {
    expect(edit(before)).toBe(after);
  });

  it("fifty notes stand in the file one below the other, and nothing else has changed", () => {
    const start = NEW_NOTEPAD.replace("## MANUAL\n", `${OWN}\n## MANUAL\n\nmy own line  \n`);
    let text = withPriority(start, "the API is frozen");
    for (let i = 0; i < 50; i++) text = withEntry(text, i % 2 === 0 ? "working" : "manual", `note ${i}`, at(9, 0, i));
    const entry = (i: number): string => `\n### 2026-01-09 00:${String(i).padStart(2, "0")}\nnote ${i}\n`;
    const entries = (rest: number): string =>
      Array.from({ length: 25 }, (_, index) => entry(2 * index + rest)).join("");
    expect(text).toBe(
      start
        .replace("## Priority Context\n", "## Priority Context\nthe API is frozen\n")
        .replace("## Working Memory\n", `## Working Memory\n${entries(0)}`) + entries(1),
    );
    expect(readNotes(text).working.map((one) => one.text)).toEqual(
      Array.from({ length: 25 }, (_, index) => `note ${2 * index}`),
    );
    expect(withoutOldEntries(text, at(30))).toBe(
      text.replace(entries(0).trimStart(), "").replace("## Working Memory\n\n\n", "## Working Memory\n\n"),
    );
  });

  it("a note reads as it was written, whatever is in it", () => {
    const notes = [
      "## a\n### b\n# c",
      "\\## a",
      "<!-- x -->",
      "```\n## a\n```",
      "#!/bin/sh\n\\\\# x",
      "- [ ] a\n\n  b",
    ];
    let text = NEW_NOTEPAD;
    for (const [index, note] of notes.entries()) {
      text = withEntry(text, "working", note, at(9, 0, index));
      text = withPriority(text, note);
      expect(readNotes(text).priority).toBe(note);
    }
    expect(readNotes(text).working.map((one) => one.text)).toEqual(notes);
    expect(readNotes(text).manual).toEqual([]);
  });

  it("adding a note inserts one run of characters, whatever the file looks like", () => {
    const piece = fc.constantFrom(
      ...[
        "## Working Memory",
        "## MANUAL",
        "## mine",
        "### 2026-01-09 03:04",
        "```",
        "~~~",
        "text",
        "",
        "<!-- x -->",
        "#",
      ],
    );
    const file = fc.tuple(fc.array(piece, { maxLength: 14 }), fc.constantFrom("\n", "\r\n"), fc.boolean());
    fc.assert(
      fc.property(file, fc.array(piece, { minLength: 1, maxLength: 4 }), ([lines, end, isEnded], note) => {
        fc.pre(note.join("").trim() !== "");
        const before = lines.join(end) + (isEnded ? end : "");
        const after = withEntry(before, "working", note.join("\n"), NOW);
        fc.pre(after !== before);
        const same = [...before].findIndex((char, index) => char !== after[index]);
        const head = same < 0 ? before.length : same;
        expect(after.endsWith(before.slice(head))).toBe(true);
        const texts = (file: string, name: "working" | "manual") => readNotes(file)[name].map(({ text }) => text);
        expect(texts(after, "working").length).toBe(texts(before, "working").length + 1);
        expect(texts(after, "manual")).toEqual(texts(before, "manual"));
      }),
      { numRuns: sized(300, 5_000), seed: 27 },
    );
  });
});
