import { firstWord } from "./place.ts";
import { AFTER_WORD, oneOf } from "./words/word-patterns.ts";
import { workWord } from "./words/words-of-work.ts";

/** Verbs of a statement: `ralph fix failed`, `ralph that was strange`. */
const STATEMENT = oneOf(`
  is isn't are aren't was wasn't were weren't has hasn't have had do don't does doesn't did didn't should must can cannot
  can't could will won't would may might keeps keep kept fails failed failing crashes crashed broke breaks broken works
  worked needs says said looks seems got gets stops stopped starts started ends ended loops hangs hung runs ran goes went
  takes took never always`);
const STATEMENT_NEXT = new RegExp(`^[\\s,]*${STATEMENT}${AFTER_WORD}`, "iu");
const STATEMENT_SOON = new RegExp(
  `^(?:\\s+(?!${oneOf("so that until till and if because which")}${AFTER_WORD})[\\p{L}\\p{N}'-]+){0,3}\\s+${STATEMENT}${AFTER_WORD}`,
  "iu",
);
/** Behind a word that is a noun too, these make it one: `ralph test output`. */
const NOUN_NEXT = new RegExp(
  `^(?:[\\s]*[:=]|\\s+${oneOf(`
  for of in from by at error errors output outputs log logs crash crashes result results comment comments notes request
  requests hook hooks state file files mode loop count counter limit button command prompt prompts skill feature policy
  config option flag status report page time times number suite runner which`)}${AFTER_WORD})`,
  "iu",
);
const OBJECT_NEXT = new RegExp(
  `^\\s+${oneOf(`
  the a an this that these those it them all every each my our your its both whatever what everything any some me us`)}${AFTER_WORD}`,
  "iu",
);
const ROMANCE_OBJECT_NEXT = new RegExp(
  `^\\s+(?:l'|${oneOf(`
  le la les un une ce cet cette ces mon ma mes tous toutes el los las este esta estos estas mi mis todo toda todos todas
  o a os as um uma este essa meu minha todos il lo i gli uno questo questa tutti tutte`)}${AFTER_WORD})`,
  "iu",
);

/** `Do not fix it` orders nothing. */
export const NEGATED = /^\s*do\s+not(?!\p{L})/iu;

/** Does the text begin with an order to do work: `fix the login`? */
export function isOrder(text: string): boolean {
  if (NEGATED.test(text)) return false;
  const word = firstWord(text);
  const kind = workWord(word);
  if (kind === undefined) return false;
  const behind = text.trimStart().slice(word.length);
  if (kind === "romance") return ROMANCE_OBJECT_NEXT.test(behind);
  if (STATEMENT_NEXT.test(behind)) return false;
  if (kind === "plain") return true;
  return OBJECT_NEXT.test(behind) || (!NOUN_NEXT.test(behind) && !STATEMENT_SOON.test(behind));
}

const OBJECT = /^\s*(?:this|that|it|them|these|those|all|every|everything|each|the|my|our|both)(?![\p{L}\p{N}_'])/iu;

/** `The broken tests`: the participle belongs to the noun. */
const WITH_PARTICIPLE =
  /^(\s*(?:(?:all|the|my|our|these|those|every|each|both)\s+){1,2})(?:failing|failed|broken|stopped|hung|kept|needed)\s+(?=\p{L})/iu;

/** `Ralph this`, `ulw the failing tests`: the name is the verb. A statement follows where a verb follows soon. */
export function isObject(text: string): boolean {
  if (!OBJECT.test(text)) return false;
  const plain = text.replace(WITH_PARTICIPLE, "$1");
  const [phrase = ""] = plain.split(/\b(?:until|till|so that|because|if|while|and|which|who)\b|[,;:]/i);
  return !new RegExp(`^(?:\\s*[\\p{L}\\p{N}'-]+){1,5}\\s+${STATEMENT}${AFTER_WORD}`, "iu").test(phrase);
}
