import { fingerprint } from "../../core/text/fingerprint.ts";
import { oneLine } from "../../core/text/one-line.ts";
import { maskText } from "../../state/masking.ts";
import type { Moment } from "./moments.ts";
import type { SkillSource } from "./skill.ts";
import { ERROR_NAME, FILE_NAME, isGeneric, technicalWords } from "./words.ts";

/** A skill that could be written. A type alias, because it is stored as JSON. */
export type SkillDraft = {
  readonly name: string;
  readonly description: string;
  readonly problem: string;
  readonly solution: string;
  readonly triggers: readonly string[];
  readonly tags: readonly string[];
  readonly source: SkillSource;
};

const LONGEST_NAME = 50;
const LONGEST_DESCRIPTION = 120;
const MOST_TRIGGERS = 10;
const MOST_TAGS = 5;
const SHORTEST_TRIGGER = 3;

/** Without its secrets. */
export function draftOf({ problem, solution }: Pick<Moment, "problem" | "solution">, source: SkillSource): SkillDraft {
  const what = maskText(plain(problem));
  const how = maskText(solution.trim());
  return {
    name: nameOf(what) || nameOf(plain(how)),
    description: oneLine(what, LONGEST_DESCRIPTION),
    problem: what,
    solution: how,
    triggers: triggersIn(what, how),
    tags: technicalWords(`${what} ${how}`).slice(0, MOST_TAGS),
    source,
  };
}

/** The same for the same problem in other words of little weight, whatever its solution. */
export function momentId({ problem }: Pick<SkillDraft, "problem">): string {
  const words = problem.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
  return fingerprint([...new Set(words)].sort().join(" ")).slice(0, 6);
}

/** By what the skill is found again, the most telling first: names of errors, files, code, tools. */
export function triggersIn(problem: string, solution: string): string[] {
  const text = `${problem}\n${solution}`;
  const all = [
    ...matches(text, ERROR_NAME),
    ...matches(text, FILE_NAME).map((file) => file.split("/").at(-1) ?? file),
    ...matches(text, /`([^`\n]{3,40})`/).map((code) => code.slice(1, -1)),
    ...technicalWords(text),
  ];
  const triggers = all.map((one) => one.toLowerCase().replace(/\s+/g, " ").trim());
  const usable = triggers.filter(
    (one) => one.length >= SHORTEST_TRIGGER && !isGeneric(one) && !one.includes("[masked]"),
  );
  return [...new Set(usable)].slice(0, MOST_TRIGGERS);
}

function matches(text: string, { source, flags }: RegExp): string[] {
  return text.match(new RegExp(source, `${flags}g`)) ?? [];
}

/** A line without the marks of Markdown. */
function plain(text: string): string {
  return text
    .replace(/^\s*(?:[-*+>]|\d+[.)])\s+/, "")
    .replaceAll("**", "")
    .replace(/\s+/g, " ")
    .trim();
}

const FILLING =
  /^(?:the|a|an|root|real|actual|main|cause|problem|issue|bug|error|reason|was|were|is|are|that|this|it|of|in|on|to|and|i|we)$/i;

function nameOf(text: string): string {
  const words = text.match(/[\p{L}\p{N}_.-]+/gu) ?? [];
  const telling = words.map((word) => word.replace(/[.-]+$/, "")).filter((word) => word !== "" && !FILLING.test(word));
  let name = "";
  for (const word of telling.slice(0, 7)) {
    if (name.length + word.length + 1 > LONGEST_NAME) break;
    name += `${name === "" ? "" : " "}${word}`;
  }
  return name;
}
