import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { askedToThink } from "./asked-to-think.ts";
import { SPACED, UNSPACED } from "./words.ts";

interface Sample {
  readonly isAsked: boolean;
  readonly about: string;
  readonly prompt: string;
}

function samples(): Sample[] {
  const text = fs.readFileSync(path.join(import.meta.dirname, "prompts.samples.txt"), "utf8");
  const found: Sample[] = [];
  let heading = { isAsked: false, about: "" };
  for (const line of text.split("\n")) {
    const [, label, about] = /^\[(asked|nothing)\] (.+)$/.exec(line) ?? [];
    if (about !== undefined) heading = { isAsked: label === "asked", about };
    else if (line !== "" && !line.startsWith("# ")) found.push({ ...heading, prompt: line.replaceAll("\\n", "\n") });
  }
  return found;
}

const all = samples();

describe("thinking", () => {
  it.each(all.filter(({ isAsked }) => isAsked))("is asked for ($about): $prompt", ({ prompt }) => {
    expect(askedToThink(prompt)).toBeDefined();
  });
  it.each(all.filter(({ isAsked }) => !isAsked))("is not asked for ($about): $prompt", ({ prompt }) => {
    expect(askedToThink(prompt)).toBeUndefined();
  });
  it("has samples of every language", () => {
    const about = new Set(all.filter(({ isAsked }) => isAsked).map((one) => one.about.toLowerCase()));
    expect([...Object.keys(SPACED), ...Object.keys(UNSPACED)].filter((language) => !about.has(language))).toEqual([]);
  });
  it.each([
    ["Fix it.\nThink  very hard about it.", "Think very hard"],
    ["fix it, ultrathink", "ultrathink"],
    ["Denk bitte gründlich nach", "Denk bitte gründlich"],
    ["请仔细思考", "仔细思考"],
    ["no ultrathink yet. Think hard now.", "Think hard"],
  ])("is asked for in words that can be quoted: %j", (prompt, words) => {
    expect(askedToThink(prompt)).toBe(words);
  });
  it("is found in a very long prompt, without reading it again and again", () => {
    expect(askedToThink(`${"think about the denk an nicht ".repeat(5_000)}\n\nUltrathink.`)).toBe("Ultrathink");
    expect(askedToThink(`${"think ".repeat(20_000)}`)).toBeUndefined();
  });
});
