import { skipLead } from "./lead.ts";
import { linesOf } from "./person-text/mask.ts";
import { AFTER_WORD, BEFORE_WORD, oneOf, phrases } from "./words/word-patterns.ts";
import {
  CONDITIONS,
  CONJUNCTIONS,
  EASTERN_QUESTIONS,
  PREPOSITIONS,
  QUESTION_STARTS,
} from "./words/words-of-sentences.ts";

/** A sentence of the person, with its place in the prompt. */
export interface Sentence {
  readonly text: string;
  readonly at: number;
  readonly clauses: readonly Clause[];
  /** An item of a list with bullets. */
  readonly isBullet: boolean;
  readonly isQuestion: boolean;
  /** What it says is to happen later or under a condition. */
  readonly isConditional: boolean;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

export interface Clause {
  /** Where it begins in the sentence. */
  readonly at: number;
  /** What parts it from the clause before: the beginning of the sentence, a mark such as a comma, or a word such as and. */
  readonly after: "start" | "mark" | "conjunction";
}

/** A line that is this long was broken by the width of a window, not by the person. */
const WRAPPED_LINE = 60;
const BULLET = /^\s*(?:[-*•+]|\d{1,2}[.)])\s+/;
const ENDS = /(?<![.!?…])[.!?…]+(?=["')\]]*(?:\s|$))|[。！？；]|;(?=\s)/g;
const ABBREVIATION = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|z\.B|bzw|ca|no|nr|p\.ej|ej|т\.е|т\.д)$/i;
/** `1. use ralph 2. test it`: the points belong to the numbers. */
const NUMBERED = /(?:^|[\s:])1[.)]\s[^\n]{0,300}?\s2[.)]\s/;
const CONTINUES = new RegExp(`^\\s*${oneOf(`${PREPOSITIONS} ${CONJUNCTIONS} to until`)}${AFTER_WORD}`, "iu");
const CLAUSE_MARK = new RegExp(
  `[,，、;:：—–()（）\\n]|\\s--?\\s|${BEFORE_WORD}${oneOf(CONJUNCTIONS)}${AFTER_WORD}|然后|接着|并且`,
  "giu",
);
const QUESTION_START = new RegExp(`^[\\s¿]*${oneOf(QUESTION_STARTS)}${AFTER_WORD}`, "iu");
const CONDITION_START = new RegExp(`^${oneOf(CONDITIONS)}${AFTER_WORD}`, "iu");
const EASTERN_CONDITION =
  /^(?:如果|要是|假如|当|等|以后|也许|明天|もし|만약|나중에)|たら|れば|なら|とき[、はに]|(?:으|[가-힣])면\s/;
/** `Fix it with ralph, ok?` asks for nothing. */
const TAG_QUESTION =
  /,?\s*(?:ok|okay|please|right|will you|would you|yes|alright|bitte|ja|oui|sí|sim|ок|好吗|好嗎)\s*[?？]\s*$/i;
const IS_BEFORE = phrases("don't_think do_not_think not_sure no_idea wonder wondering whether curious");

export function sentencesOf(text: string): Sentence[] {
  const parts = chunksOf(text).filter((part) => /[\p{L}\p{N}]/u.test(part.text));
  return parts.map((part, index) => sentence(part, index === 0, index === parts.length - 1));
}

function sentence({ text, at, isBullet }: Chunk, isFirst: boolean, isLast: boolean): Sentence {
  const { fillersEnd } = skipLead(text, 0);
  const head = text.slice(fillersEnd, fillersEnd + 80);
  return {
    text,
    at,
    isBullet,
    isFirst,
    isLast,
    clauses: clausesOf(text),
    isQuestion:
      (/[?？]["')\]\s]*$/.test(text) && !TAG_QUESTION.test(text.slice(-40))) ||
      QUESTION_START.test(head) ||
      EASTERN_QUESTIONS.test(text) ||
      IS_BEFORE.test(text.slice(0, 200)),
    isConditional: CONDITION_START.test(head) || EASTERN_CONDITION.test(text.slice(0, 400)),
  };
}

interface Chunk {
  readonly text: string;
  readonly at: number;
  readonly isBullet: boolean;
}

/** Sentences end with their sign or with the line, unless the line goes on in the next one. */
function chunksOf(text: string): Chunk[] {
  const chunks: Chunk[] = [];
  let open: { from: number; to: number; isBullet: boolean } | undefined;
  const close = (): void => {
    if (open) chunks.push(...splitAtEnds(text.slice(open.from, open.to), open.from, open.isBullet));
    open = undefined;
  };
  let before = "";
  for (const line of linesOf(text)) {
    const bullet = BULLET.exec(line.text)?.[0];
    const goesOn = open && bullet === undefined && isContinuation(before, line.text);
    if (!goesOn) close();
    if (line.text.trim() !== "") {
      open = open
        ? { ...open, to: line.to }
        : { from: line.from + (bullet?.length ?? 0), to: line.to, isBullet: bullet !== undefined };
    }
    before = line.text;
  }
  close();
  return chunks;
}

function isContinuation(before: string, line: string): boolean {
  if (line.trim() === "" || /[.!?:;。！？：；]["')\]]?\s*$/.test(before.slice(-10))) return false;
  return CONTINUES.test(line.slice(0, 40)) || (before.length >= WRAPPED_LINE && /^\s*[\p{Ll}\p{N}]/u.test(line));
}

function splitAtEnds(text: string, at: number, isBullet: boolean): Chunk[] {
  const chunks: Chunk[] = [];
  const isNumbered = NUMBERED.test(text);
  let from = 0;
  for (const { index, 0: sign } of text.matchAll(ENDS)) {
    if (isNumbered && sign === "." && /(?:^|\s)\d{1,2}$/.test(text.slice(Math.max(0, index - 3), index))) continue;
    if (sign === "." && ABBREVIATION.test(text.slice(Math.max(0, index - 8), index))) continue;
    chunks.push({ text: text.slice(from, index + sign.length), at: at + from, isBullet: isBullet && from === 0 });
    from = index + sign.length;
  }
  chunks.push({ text: text.slice(from), at: at + from, isBullet: isBullet && from === 0 });
  return chunks;
}

function clausesOf(text: string): Clause[] {
  const clauses: Clause[] = [{ at: 0, after: "start" }];
  const leadEnd = skipLead(text, 0).end;
  for (const { index, 0: mark } of text.matchAll(CLAUSE_MARK)) {
    // A line break inside a sentence only parts clauses where the next line does not go on.
    if (mark === "\n" || /\d[,.:]\d/.test(text.slice(index - 1, index + 2))) continue;
    const at = index + mark.length;
    clauses.push({ at, after: leadEnd >= at ? "start" : /\p{L}/u.test(mark) ? "conjunction" : "mark" });
  }
  return clauses;
}

/** Does the text begin as a question does, with or without its sign? */
export function startsAsQuestion(text: string): boolean {
  const { fillersEnd } = skipLead(text, 0);
  return QUESTION_START.test(text.slice(fillersEnd, fillersEnd + 80));
}

/** The clause that a place of the sentence lies in. */
export function clauseAt({ clauses }: Sentence, at: number): Clause {
  return clauses.findLast((clause) => clause.at <= at) ?? { at: 0, after: "start" };
}
