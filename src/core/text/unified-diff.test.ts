import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { unifiedDiff } from "./unified-diff.ts";

it("shows a changed line between the lines around it", () => {
  const before = "a\nb\nc\nd\ne\nf\ng\nh\n";
  expect(unifiedDiff("x.yml", before, before.replace("e", "E"))).toBe(
    ["--- x.yml", "+++ x.yml", "@@ -2,7 +2,7 @@", " b", " c", " d", "-e", "+E", " f", " g", " h", ""].join("\n"),
  );
});

it("is empty for equal texts, and names no file where there was none", () => {
  expect(unifiedDiff("x", "a\n", "a\n")).toBe("");
  expect(unifiedDiff("x", "", "a\n")).toBe("--- /dev/null\n+++ x\n@@ -0,0 +1,1 @@\n+a\n");
  expect(unifiedDiff("x", "a", "a\n")).toContain("-a\n\\ No newline at end of file\n+a\n");
});

it("is a patch that makes the one text of the other", () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "hw-diff-"));
  const text = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 30 }).map((lines) => lines.join("\n"));
  try {
    fc.assert(
      fc.property(text, text, (before, after) => {
        fc.pre(before !== "" && after !== "" && before !== after);
        fs.writeFileSync(path.join(folder, "x"), before);
        const input = unifiedDiff("x", before, after);
        const done = spawnSync("git", ["apply", "--unidiff-zero", "-p0", "-"], {
          cwd: folder,
          input,
          encoding: "utf8",
        });
        expect(done.stderr).toBe("");
        expect(fs.readFileSync(path.join(folder, "x"), "utf8")).toBe(after);
      }),
      { seed: 7, numRuns: 40 },
    );
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
});

it("shows a very long change as a whole, in little time", () => {
  const lines = (word: string): string => Array.from({ length: 5_000 }, (_, at) => `${word} ${at}\n`).join("");
  const diff = unifiedDiff("x", lines("a"), lines("b"));
  expect(diff.split("\n")).toHaveLength(10_004);
});
