import { skipLead } from "../mode/keywords/lead.ts";
import { personText } from "../mode/keywords/person-text/person-text.ts";
import { type Sentence, sentencesOf } from "../mode/keywords/sentences.ts";
import { AFTER_WORD, BEFORE_WORD, oneOf } from "../mode/keywords/words/word-patterns.ts";
import { SPACED, type ThinkingWords, UNSPACED } from "./words.ts";

/** Words that mean it by themselves where they are no topic. */
const ULTRATHINK = `${BEFORE_WORD}ultra[- ]?think${AFTER_WORD}(?!-|\\.\\p{L})`;
const HOW =
  "(?:(?:more|very|really|super|extra|extremely|as|so|long\\s+and|much)\\s+){0,2}(?:hard|harder|hardest|deep|deeper|deeply|intensely)";
/** Another word makes `hard` and `deep` belong to a thing: hard limits, deeply nested loops. */
const FOLLOWS =
  "(?=\\s*(?:$|[^\\s\\p{L}\\p{N}_-])|\\s-|\\s+(?:about|on|over|of|for|through|before|after|and|but|then|until|when|while|as|if|in|at|with|to|how|what|why|which|whether|where|who|here|now|again|enough|please|first|next|this|regarding|because|so|once)(?![\\p{L}-]))";
const ENGLISH = `${BEFORE_WORD}think\\s+(?:(?:about|on|over)\\s+(?:this|it|that|these|them)\\s+)?${HOW}${FOLLOWS}`;

const MARKS = "[\\p{L}\\p{M}'’-]";
const NEGATIONS =
  "don't do_not dont no not never without instead_of rather_than stop doesn't nicht nie niemals ohne kein keine ne pas sans nunca sin não nao sem non senza не без nie bez niet zonder inte utan ikke uden uten älä ei nem ne nu fără değil đừng không jangan tanpa μην δεν χωρίς لا بدون אל לא בלי मत";
const NEGATION = `${oneOf(NEGATIONS)}${AFTER_WORD}`;
const GAP = `(?:(?!${NEGATION})${MARKS}+,?\\s+){0,3}`;

function spaced({ verbs, how, near }: ThinkingWords): string[] {
  const verb = oneOf(verbs);
  const beside = near === undefined ? [] : [`${verb}\\s+${oneOf(near)}`, `${oneOf(near)}\\s+${verb}`];
  return [`${verb}\\s+${GAP}${oneOf(how)}`, `${oneOf(how)}\\s+${GAP}${verb}`, ...beside];
}

const OTHERS = `(?<![\\p{L}\\p{M}\\p{N}_])(?:${Object.values(SPACED).flatMap(spaced).join("|")})(?![\\p{L}\\p{M}\\p{N}_])`;
const EASTERN = Object.values(UNSPACED).join("|");
const ASKED = new RegExp(
  `(?<ultra>${ULTRATHINK})|(?<english>${ENGLISH})|(?<other>${OTHERS})|(?<eastern>${EASTERN})`,
  "giu",
);

/** Most prompts have none of these in them, and are not read any further. */
const TRIGGER = new RegExp(ASKED.source, "iu");

/** The words with which a person asks for thorough thinking; undefined where a prompt does not. */
export function askedToThink(prompt: string): string | undefined {
  if (!TRIGGER.test(prompt)) return undefined;
  const found = sentencesOf(personText(prompt)).flatMap((sentence) => askedIn(sentence) ?? []);
  return found[0];
}

function askedIn(sentence: Sentence): string | undefined {
  for (const { 0: words, index, groups = {} } of sentence.text.matchAll(ASKED)) {
    const before = sentence.text.slice(Math.max(0, index - REACH), index);
    const after = sentence.text.slice(index + words.length, index + words.length + REACH);
    const isAsked =
      groups.eastern === undefined
        ? isAskedWith(before, after, groups)
        : !REFUSED_BEHIND.test(after) && !REFUSED_AHEAD.test(before);
    if (isAsked && (groups.eastern !== undefined || mayAsk(sentence, index, after))) return words.replace(/\s+/g, " ");
  }
  return undefined;
}

/** How much of a sentence is looked at on either side. */
const REACH = 80;

const REFUSED = new RegExp(`${BEFORE_WORD}${NEGATION}\\s+(?:${MARKS}+\\s+){0,2}$`, "iu");
const REFUSED_BEHIND = /^(?:ないで|なくて|なくても|る必要は|하지\s?(?:마|말|않))/u;
const REFUSED_AHEAD = /(?:不要|不用|别|別|无需|無需|不必|อย่า|ไม่ต้อง)[^，。]{0,4}$/u;
/** Who thinks is the person or somebody else: nobody is asked to. */
const ADVERBS = "(?:\\s+(?:also|always|often|really|still|just|usually|actually))?";
const SOMEBODY = new RegExp(
  `(?<!\\p{L})(?:(?:i|we|they|he|she|it|people|users?|everyone|who)(?:\\s+(?:will|would|must|should|can|do|did))?${ADVERBS}|` +
    `(?<!(?:can|could|would|will|should|must)\\s)you${ADVERBS}|` +
    "(?:i|we|they)\\s+(?:have|had|need|used|got)\\s+to|let\\s+me|makes?\\s+(?:me|us|you|people))\\s+$",
  "iu",
);
const SOMEBODY_ELSEWHERE =
  /(?<![\p{L}])(?:ich|wir|man|je|nous|yo|nosotros|eu|nós|io|noi|я|мы|ja|jag|jeg|ik|wij|ben|biz|én|minä)\s+(?:\p{L}+\s+){0,2}$/iu;
/** The word itself is the topic. */
const TOPIC_BEFORE =
  /(?<![\p{L}])(?:the|an?|of|about|called|named|word|keyword|command|does|did|is|was|like|what's|whats)\s+$/iu;
const TOPIC_AFTER =
  /^\s+(?:mode\s+)?(?:keyword|word|hook|detection|detector|trigger|feature|option|flag|setting|prompt|button|is|was|does|doesn't|did|didn't|has|had|isn't|wasn't|works?|costs?|takes|seems|means|should|vs)(?![\p{L}])/iu;

function isAskedWith(before: string, after: string, { ultra, other }: Readonly<Record<string, string>>): boolean {
  if (REFUSED.test(before)) return false;
  if (ultra !== undefined) return !TOPIC_BEFORE.test(before) && !TOPIC_AFTER.test(after);
  return !(other === undefined ? SOMEBODY : SOMEBODY_ELSEWHERE).test(before);
}

/** A question asks for it politely, or has the words beside it: "think hard: why does it fail?" */
function mayAsk({ text, isQuestion }: Sentence, at: number, after: string): boolean {
  const lead = skipLead(text, 0);
  if (!isQuestion || lead.isRequest || at <= lead.end) return true;
  return /[,;:—–(-]\s*(?:please\s+)?$/i.test(text.slice(0, at)) && /^[\s\p{P}]*$/u.test(after);
}
