import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { intentsOfPrompt } from "./intents-of-event.ts";

/** Of the prompts that ask for something, this share must be understood. Of the others none may be misunderstood. */
const RECALL = 0.95;

interface Labelled {
  readonly label: string;
  readonly about: string;
  readonly prompt: string;
}

const HEADING = /^\[(start|suggest|cancel|resume|nothing)((?: \w+)*)\] (.+)$/;

function labelled(): Labelled[] {
  const text = fs.readFileSync(path.join(import.meta.dirname, "prompts.samples.txt"), "utf8");
  const prompts: Labelled[] = [];
  let heading: Omit<Labelled, "prompt"> | undefined;
  for (const line of text.split("\n")) {
    const [, what, modes, about] = HEADING.exec(line) ?? [];
    if (what !== undefined && about !== undefined) heading = { label: `${what}${modes}`, about };
    else if (heading && line !== "" && !line.startsWith("# ")) {
      prompts.push({ ...heading, prompt: line.replaceAll("\\n", "\n") });
    }
  }
  return prompts;
}

/** What a prompt means, in the words of the headings. */
function meaningOf(prompt: string): string {
  const { cancel, resume, starts, suggestions } = intentsOfPrompt(prompt, "activate");
  if (cancel) return ["cancel", ...cancel].join(" ");
  if (resume) return ["resume", ...(resume.mode ? [resume.mode] : [])].join(" ");
  if (starts.length > 0) return ["start", ...starts.map(({ mode }) => mode)].join(" ");
  if (suggestions.length > 0) return ["suggest", ...suggestions.map(({ mode }) => mode)].join(" ");
  return "nothing";
}

describe("labelled prompts", () => {
  const all = labelled();
  const asking = all.filter(({ label }) => label !== "nothing");
  const others = all.filter(({ label }) => label === "nothing");

  it("are many of both kinds", () => {
    expect(asking.length).toBeGreaterThan(150);
    expect(others.length).toBeGreaterThan(150);
  });

  it("that ask for nothing start, cancel and resume nothing", () => {
    const wrong = others.filter(({ prompt }) => !/^(?:nothing|suggest)/.test(meaningOf(prompt)));
    expect(wrong.map(({ prompt, about }) => `${about}: ${prompt} -> ${meaningOf(prompt)}`)).toEqual([]);
  });

  it(`that ask for something are understood, ${RECALL * 100} of 100`, () => {
    const missed = asking.filter(({ label, prompt }) => meaningOf(prompt) !== label);
    const text = missed.map(({ label, prompt }) => `[${label}] ${prompt} -> ${meaningOf(prompt)}`).join("\n");
    expect(1 - missed.length / asking.length, text).toBeGreaterThanOrEqual(RECALL);
  });

  it("never start another mode than the one that was asked for", () => {
    const wrong = asking.filter(({ label, prompt }) => {
      const meaning = meaningOf(prompt);
      return meaning !== label && meaning.startsWith("start");
    });
    expect(wrong.map(({ label, prompt }) => `[${label}] ${prompt} -> ${meaningOf(prompt)}`)).toEqual([]);
  });
});
