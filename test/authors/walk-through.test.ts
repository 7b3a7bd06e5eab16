/** Does what CONTRIBUTING.md says about adding a policy and a program, word for word. It builds twice, so CI alone runs it. */
import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { IS_LONG } from "../support/long.ts";
import { checkout, type Finished, ROOT, run, runNode, tool, writeFile } from "./support.ts";

interface Block {
  readonly language: string;
  readonly exit: number;
  readonly text: string;
  /** The line of the page before the block. */
  readonly before: string;
}

/** A checkout for each walk, also for one that is tried again. */
let folder = "";
beforeEach(() => {
  folder = checkout();
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

/** `sh` is run and ends with 0 or its `exit=`; `text` is what the last command said; `ts` is the file named above it. */
function blocksOf(title: string): Block[] {
  const page = fs.readFileSync(path.join(ROOT, "CONTRIBUTING.md"), "utf8");
  const [, section = ""] = new RegExp(`^## ${title}\\n(.*?)^## `, "ms").exec(page) ?? [];
  return [...section.matchAll(/([^\n]*(?:\n[^\n]+)*)\n\n```(\w+)(?: exit=(\d+))?\n(.*?)^```$/gms)].map(
    ([, before = "", language = "", exit = "0", text = ""]) => ({ language, exit: Number(exit), text, before }),
  );
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

/** Takes every step; gives what the last command said, and the files that were written on the way. */
function walk(blocks: readonly Block[]): { last: Finished; files: readonly string[] } {
  let last: Finished = { exit: null, output: "" };
  const files: string[] = [];
  for (const { language, exit, text, before } of blocks) {
    if (language === "sh") {
      last = run(folder, "sh", ["-e", "-c", text]);
      expect(last.exit, `${text}\n${last.output}`).toBe(exit);
    } else if (language === "text") {
      for (const line of text.trim().split("\n")) expect(oneLine(last.output)).toContain(oneLine(line));
    } else {
      const [, file = ""] = /`(src\/\S+\.ts)`/.exec(before) ?? [];
      // Walking must lead to files that a script made, or the page names the wrong ones.
      expect(fs.existsSync(path.join(folder, file)), before).toBe(true);
      writeFile(folder, file, text);
      files.push(file);
    }
  }
  return { last, files };
}

/** What every author's files must be besides: well formed, typed, and in all generated files. */
function expectFinished(files: readonly string[]): void {
  const project = { extends: "./tsconfig.json", files, include: [] };
  writeFile(folder, "tsconfig.walk.json", JSON.stringify(project));
  expect(runNode(folder, tool.tsc, "--noEmit", "--project", "tsconfig.walk.json")).toEqual({ exit: 0, output: "" });
  const formatted = runNode(folder, tool.biome, "check", ...files);
  expect(formatted.exit, formatted.output).toBe(0);
  const check = runNode(folder, "scripts/generate.mjs", "--check");
  expect(check).toEqual({ exit: 0, output: "" });
}

it.runIf(IS_LONG)("ends with the policy denying a real event", { timeout: 600_000 }, () => {
  const blocks = blocksOf("A new policy");
  expect(blocks.map(({ language }) => language)).toEqual(["sh", "sh", "text", "ts", "ts", "sh", "sh", "text"]);
  const { last, files } = walk(blocks);
  expect(last.output).toContain(path.join(folder, "vendor/lib.js"));
  expectFinished(files);
  expect(fs.existsSync(path.join(folder, "docs/policies/safety/vendored-code.md"))).toBe(true);
});

// A second build and three more starts of vitest: `.ci/run` has the long form of this file as a step of its own.
it.runIf(IS_LONG)("ends with a question about a new program", { timeout: 600_000 }, () => {
  const blocks = blocksOf("A new program");
  expect(blocks.map(({ language }) => language)).toEqual(["sh", "sh", "text", "ts", "sh", "sh", "text"]);
  expectFinished(walk(blocks).files);
  const page = fs.readFileSync(path.join(folder, "docs/programs.md"), "utf8");
  expect(page).toContain("| `skiff` | destroys …; removes every row of …; what a command that it starts would do");
});
