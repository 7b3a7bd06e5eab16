import { editDistance } from "../../core/text/nearest-name.ts";
import type { Skill } from "./skill.ts";

/** How well a skill fits a prompt. */
export type Fit = {
  /** 10 for each trigger in the prompt, and up to 10 for the most similar word; 0 when it does not fit. */
  readonly score: number;
  /** Decides between skills of the same score. */
  readonly tie: number;
};

const FOR_TRIGGER = 10;
const FOR_TAG = 5;
const QUALITY_SHARE = 20;
const LEAST_SIMILAR = 60;
const LONGEST_PROMPT = 20_000;
const MOST_WORDS = 500;
/** A shorter trigger has to be a whole word, and a shorter word is contained in many. */
const SHORT = 4;

export interface PromptWords {
  readonly text: string;
  readonly words: readonly string[];
}

export function promptWords(prompt: string): PromptWords {
  const text = prompt.slice(0, LONGEST_PROMPT).toLowerCase().replace(/\s+/g, " ");
  const words = [...new Set(text.match(/[\p{L}\p{N}_-]+/gu))].slice(0, MOST_WORDS);
  return { text, words };
}

export function fitOf(skill: Pick<Skill, "triggers" | "tags" | "isFuzzy" | "quality">, prompt: PromptWords): Fit {
  const exact = FOR_TRIGGER * skill.triggers.filter((trigger) => isNamed(trigger, prompt.text)).length;
  const best = skill.isFuzzy ? mostSimilar(skill.triggers, prompt.words) : 0;
  const score = exact + (best >= LEAST_SIMILAR ? best / 10 : 0);
  const tags = score === 0 ? 0 : FOR_TAG * skill.tags.filter((tag) => isNamed(tag, prompt.text)).length;
  return { score, tie: tags + (skill.quality ?? 0) / QUALITY_SHARE };
}

/** Does the text have this phrase where a word begins? So `test` is in "testing" and not in "latest". */
function isNamed(phrase: string, text: string): boolean {
  for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + 1)) {
    const isBegun = isBoundary(text.charAt(at - 1), phrase.charAt(0));
    const isEnded = phrase.length >= SHORT || isBoundary(phrase.slice(-1), text.charAt(at + phrase.length));
    if (isBegun && isEnded) return true;
  }
  return false;
}

const WORD = /[\p{L}\p{N}]/u;
/** Alphabets that are written without blanks between words. */
const NO_BLANKS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

function isBoundary(before: string, after: string): boolean {
  return !WORD.test(before) || !WORD.test(after) || NO_BLANKS.test(before) || NO_BLANKS.test(after);
}

function mostSimilar(triggers: readonly string[], words: readonly string[]): number {
  const own = triggers.flatMap((trigger) => trigger.split(" "));
  return Math.max(0, ...own.flatMap((one) => words.map((word) => similarity(one, word))));
}

/** In percent. */
function similarity(one: string, other: string): number {
  if (one === other) return 100;
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (short.length < SHORT) return 0;
  if (long.includes(short)) return 80;
  // So many letters more differ in any case.
  if (long.length > short.length / (LEAST_SIMILAR / 100)) return 0;
  return Math.round(100 * (1 - editDistance(one, other) / long.length));
}
