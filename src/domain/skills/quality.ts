import type { SkillDraft } from "./draft.ts";
import { ERROR_NAME, FILE_NAME, isGeneric, technicalWords } from "./words.ts";

const SHORTEST_PROBLEM = 10;
const SHORTEST_SOLUTION = 20;
const LONGEST_TEXT = 4_000;
const SHORTEST_TRIGGER = 3;
const LEAST_GATE = 50;

export interface Gate {
  /** 0 to 100. */
  readonly quality: number;
  /** Why it may not be written; empty when it may. */
  readonly refusal: string;
}

/** What every skill has to pass before it is written. */
export function qualityGate({ name, description, problem, solution, triggers }: SkillDraft): Gate {
  const faults: [isFault: boolean, points: number, what: string][] = [
    [problem.length < SHORTEST_PROBLEM, 30, `its problem has fewer than ${SHORTEST_PROBLEM} characters`],
    [solution.length < SHORTEST_SOLUTION, 30, `its solution has fewer than ${SHORTEST_SOLUTION} characters`],
    [triggers.length === 0, 20, "it has no trigger"],
    [problem.length + solution.length > LONGEST_TEXT, 10, `it has more than ${LONGEST_TEXT} characters`],
    [triggers.some((one) => one.length < SHORTEST_TRIGGER), 5, "a trigger is very short"],
    [triggers.some(isGeneric), 10, "a trigger is in nearly every prompt"],
  ];
  const found = faults.filter(([isFault]) => isFault);
  const quality = Math.max(0, 100 - found.reduce((sum, [, points]) => sum + points, 0));
  const fields = Object.entries({ name, description, problem, solution, triggers });
  const missing = fields.filter(([, value]) => value.length === 0).map(([field]) => `${field} is missing`);
  if (missing.length === 0 && quality >= LEAST_GATE) return { quality, refusal: "" };
  return { quality, refusal: (missing.length > 0 ? missing : found.map(([, , what]) => what)).join("; ") };
}

const LEAST_SUGGESTED = 70;
/** They say nothing that could be looked up. */
const HOLLOW = [/\btry again\b/i, /\bworks? (?:fine|now|as expected)\b/i, /\bas usual\b/i, /\ball (?:is )?good\b/i];

/** Is a moment worth a person's attention? `repeats`: how often it came up before. */
export function isWorthKeeping({ problem, solution, triggers }: SkillDraft, repeats: number): boolean {
  if (problem.length < SHORTEST_PROBLEM || solution.length < SHORTEST_SOLUTION) return false;
  const text = `${problem}\n${solution}`;
  const score =
    50 +
    (FILE_NAME.test(text) ? 15 : 0) +
    (ERROR_NAME.test(text) ? 15 : 0) +
    Math.min(20, 5 * technicalWords(text).length) +
    Math.min(30, 10 * repeats) +
    (solution.length > 100 ? 10 : 0) +
    (solution.length > 300 ? 10 : 0) -
    15 * HOLLOW.filter((phrase) => phrase.test(text)).length -
    (problem.length < 20 && solution.length < 50 ? 20 : 0) -
    (triggers.length === 0 ? 25 : 0);
  return score >= LEAST_SUGGESTED;
}

/** Two skills with as many triggers in common would always be told together. */
export function isDuplicate(triggers: readonly string[], other: readonly string[]): boolean {
  const shared = triggers.filter((one) => other.includes(one)).length;
  return triggers.length > 0 && shared / triggers.length >= 0.5;
}
