import { AFTER_WORD, oneOf } from "./words/word-patterns.ts";
import { FILLERS, POLITE_QUESTIONS, WISHES } from "./words/words-of-sentences.ts";

/** What may stand before an instruction without changing it: `ok, now please`, `could you`. */
export interface Lead {
  /** Where the words end that say nothing. */
  readonly fillersEnd: number;
  /** Where the instruction itself begins. */
  readonly end: number;
  /** A question that is a request: `can you …`. */
  readonly isRequest: boolean;
  readonly hasPlease: boolean;
}

const SPACE = "[\\s,，.!:：-]*";
const FILLER = new RegExp(`[\\s¿¡]*${oneOf(FILLERS)}${AFTER_WORD}${SPACE}|[\\s¿¡]+`, "iuy");
const REQUEST = new RegExp(`${oneOf(POLITE_QUESTIONS)}${AFTER_WORD}${SPACE}`, "iuy");
const WISH = new RegExp(`${oneOf(WISHES)}${AFTER_WORD}${SPACE}`, "iuy");
const PLEASE = /please|pls|plz|kindly|bitte|s'il (?:te|vous) pla[iî]t|por favor|per favore|пожалуйста/i;
/** `No ralph` is a refusal, `no, use ralph` is an answer. */
const NO = /\s*(?:no|nope|nein|non|não|нет)\s*[,.!]\s*/iuy;
/** Fillers are short; a text that is made of nothing else must not be walked to its end again and again. */
const MOST_WORDS = 12;

export function skipLead(text: string, from: number): Lead {
  const fillersEnd = skip(text, from, [FILLER, NO]);
  const requestEnd = skip(text, fillersEnd, [REQUEST, WISH]);
  const end = skip(text, requestEnd, [FILLER]);
  return {
    fillersEnd,
    end,
    isRequest: requestEnd > fillersEnd,
    hasPlease: PLEASE.test(text.slice(from, end)),
  };
}

function skip(text: string, from: number, patterns: readonly RegExp[]): number {
  let at = from;
  for (let count = 0; count < MOST_WORDS; count++) {
    const next = patterns.reduce((end, pattern) => Math.max(end, matchEnd(text, at, pattern)), at);
    if (next === at) break;
    at = next;
  }
  return at;
}

function matchEnd(text: string, from: number, pattern: RegExp): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
}
