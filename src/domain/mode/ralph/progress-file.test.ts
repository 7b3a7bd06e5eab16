import { describe, expect, it } from "vitest";
import { PROJECT } from "../../../testing/events.ts";
import { progressOf, readProgress } from "./progress-file.ts";
import { PROGRESS, readerOf } from "./ralph.samples.ts";

const HEADER = "# Progress Log\nStarted: 2026-01-02 03:04\n\n";
const PATTERNS = "## Codebase Patterns\n- Use `sql` for queries\n* Export types from types.ts\n\n---\n\n";
const entry = (story: string, ...lines: string[]): string =>
  [`## [2026-01-02 03:04] - ${story}`, ...lines, "---", ""].join("\n");
const learned = (story: string, ...learnings: string[]): string =>
  entry(story, "- Implemented: it", "- Learnings:", ...learnings.map((line) => `  - ${line}`));

describe("reading progress.txt", () => {
  const cases: readonly [name: string, text: string, expected: Partial<ReturnType<typeof readProgress>>][] = [
    ["nothing", "", { patterns: [], learnings: [], entries: [] }],
    ["only a header", HEADER, { patterns: [], learnings: [], entries: [] }],
    ["patterns", HEADER + PATTERNS, { patterns: ["Use `sql` for queries", "Export types from types.ts"] }],
    ["patterns end at the next heading", "## Codebase Patterns\n- a\n## Other\n- b", { patterns: ["a"] }],
    ["the same pattern twice", "## codebase patterns\n- a\n- A\n- b", { patterns: ["a", "b"] }],
    [
      "the last two entries, the newest first",
      ["US-001", "US-002", "US-003"].map((id) => entry(id, "- Implemented: the form")).join(""),
      { entries: ["US-003 (2026-01-02 03:04): the form", "US-002 (2026-01-02 03:04): the form"] },
    ],
    [
      "an entry with headings in bold",
      entry(
        "US-001",
        "**What was implemented:**",
        "- a",
        "- b",
        "**Files changed:**",
        "- c.ts",
        "**Learnings for future iterations:**",
        "- d",
      ),
      { entries: ["US-001 (2026-01-02 03:04): a; b"], learnings: ["d"] },
    ],
    [
      "headings without a colon",
      entry("US-001", "- a", "- Files changed", "- b.ts", "- Learnings", "- c"),
      { learnings: ["c"] },
    ],
    [
      "a word that only looks like a heading",
      entry("x", "- Learnings:", "  - Files are cached", "  - b"),
      { learnings: ["Files are cached", "b"] },
    ],
    ["a learning on the line of its heading", entry("x", "- Learnings: cache it"), { learnings: ["cache it"] }],
    [
      "learnings newest first, each once",
      learned("a", "one", "two") + learned("b", "Two", "three"),
      { learnings: ["Two", "three", "one"] },
    ],
    [
      "only the last ten entries",
      Array.from({ length: 12 }, (_, index) => learned(`s${index}`, `learned ${index}`)).join(""),
      { learnings: Array.from({ length: 10 }, (_, index) => `learned ${11 - index}`) },
    ],
    ["Windows line ends", (PATTERNS + learned("a", "one")).replaceAll("\n", "\r\n"), { learnings: ["one"] }],
    ["text of other tools", "deploy 12 % done\n[====>     ]\n", { patterns: [], entries: [] }],
  ];
  it.each(cases)("%s", (_name, text, expected) => {
    expect(readProgress(text)).toMatchObject(expected);
  });

  it("reads the start and the end of a large file", () => {
    const old = entry("old", `- ${"x".repeat(400)}`).repeat(1_000);
    const digest = readProgress(HEADER + PATTERNS + old + learned("US-009", "the last one"));
    expect(digest.patterns).toHaveLength(2);
    expect(digest.learnings).toEqual(["the last one"]);
    expect(JSON.stringify(digest).length).toBeLessThan(2_000);
  });

  it.each([
    ["the root's", { [PROGRESS]: "", [`${PROJECT}/.omc/progress.txt`]: PATTERNS }, "prd.json", "progress.txt"],
    ["else that in .omc", { [`${PROJECT}/.omc/progress.txt`]: PATTERNS }, "prd.json", ".omc/progress.txt"],
    ["without any beside the PRD in .omc", {}, ".omc/prd.json", ".omc/progress.txt"],
    ["without any beside the PRD at the root", {}, "prd.json", "progress.txt"],
  ])("takes %s", (_name, files, prd, file) => {
    expect(progressOf(readerOf(files as Record<string, string>), prd).file).toBe(file);
  });
});
