import type { ModeName } from "../modes.ts";
import { skipLead } from "./lead.ts";
import { isOrder } from "./order.ts";
import { beginsAnInstruction, REACH } from "./place.ts";
import { clauseAt, type Sentence } from "./sentences.ts";
import { oneOf } from "./words/word-patterns.ts";

/** Everyday words that mean a mode where they lead an instruction. */
export interface Phrase {
  readonly mode: ModeName;
  /** Its place in the prompt. */
  readonly at: number;
  readonly words: string;
  /** It leads a sentence or a part of one, as the person's own instruction. Elsewhere it only suggests the mode. */
  readonly leads: boolean;
  /** The part of the prompt that is no request. */
  readonly cut?: readonly [from: number, to: number];
  readonly agents?: number;
}

interface PhraseRule {
  readonly mode: ModeName;
  readonly words: RegExp;
  /** What must follow for the words to mean anything. */
  readonly follows: RegExp;
  /** What must follow where they lead, if that is not the same. */
  readonly followsLeading?: RegExp;
  /** Only at the beginning of a sentence, because the words are a usual statement elsewhere. */
  readonly onlyFirst?: true;
  /** At the end of an order instead: `keep fixing them until done`. */
  readonly endsAnOrder?: true;
  /** The words are no part of the request. */
  readonly isName?: true;
  readonly agents?: number;
}

const START = "(?<![\\p{L}\\p{N}_/@.-])";
const END = "(?![\\p{L}\\p{N}_/'-])";
const words = (pattern: string): RegExp => new RegExp(`${START}(?:${pattern})${END}`, "giu");

/** What is written into an answer or done at once, and not built. */
const ANSWERS = oneOf(`
  admin administrator owner member moderator user account branch commit tag ticket issue pr pull_request folder directory
  file patch backup
  list lists table summary summaries overview explanation explanations description answer answers opinion look review
  reminder note notes comparison report favor favour coffee sandwich tea joke poem story suggestion suggestions proposal
  recommendation recommendations estimate question copy screenshot promise cup hint idea ideas reason understanding sense
  clarification confirmation outline translation diff break chance way bit lot few couple plan quote definition
  explainer walkthrough breakdown feel sample example examples refund raise pony good solid clear better deeper second
  third fresh quick short brief simple detailed full complete rough small honest`);
/** Adjectives do not say what it is: the noun behind them does. */
const ADJECTIVES = oneOf(`
  good solid clear better deeper second third fresh quick short brief simple detailed full complete rough small honest
  nice new little tiny big large proper real`);
const ANSWER_NEXT = new RegExp(
  `^\\s+(?:an?|the|some|my|one|your)?\\s*(?:${ADJECTIVES}\\s+){0,3}${ANSWERS}(?=\\s*(?:$|[.,;:!?)])|\\s+(?:of|that|which|for|about|on|to|with|in|how|why|what|and|from|between|at|please|if|when)(?!\\p{L}))`,
  "iu",
);
const THING_NEXT =
  /^\s+(?:an?|the|some|my|our|one|two|three|four|five|six|this|that|another|your)\s+[\p{L}\p{N}"'`\uFFFC]/iu;
const UNTIL_OR_END =
  /^(?:\s+(?:working|going|fixing|iterating|trying|now|early))?(?:\s*(?:$|[.!…,;:)–—])|\s+(?:until|till|before|unless)(?!\p{L}))/iu;
const OBJECT_NEXT = /^\s*[:,–—]\s*\S|^\s+(?:the|a|an|my|our|these|those|all|both|this|every|it|to|for)(?!\p{L})/iu;
/** `Must complete is a bad name` is a statement about the words. */
const COMPLETED_NEXT = /^\s+(?!(?:is|are|was|were|has|should|means|does)(?!\p{L}))[\p{L}\p{N}\uFFFC"'`]/u;
const SOMETHING_NEXT = /^\s+[\p{L}\p{N}\uFFFC"'`]/u;
const NO_NOUN_NEXT = /^\s*(?:$|[.,;:!?)–—]|(?:and|with|for|from|by|until|till|using|now|please)(?!\p{L}))/iu;

const ANYTHING_NEXT = /^/;
const COLON_NEXT = /^\s*[:,–—]\s*\S/;

const RULES: readonly PhraseRule[] = [
  { mode: "ralph", words: words("(?:don't|dont|do not|never) stop"), follows: UNTIL_OR_END },
  { mode: "ralph", words: words("must complete"), follows: COMPLETED_NEXT },
  {
    mode: "ralph",
    words: words("until (?:it is |it's |everything is |all is |they are |they're |all are )?(?:all )?done"),
    follows: NO_NOUN_NEXT,
    endsAnOrder: true,
  },
  { mode: "autopilot", words: words("(?:build|create|make) me"), follows: THING_NEXT },
  { mode: "autopilot", words: words("i want an?"), follows: SOMETHING_NEXT, onlyFirst: true },
  { mode: "autopilot", words: words("handle it all|e2e this"), follows: NO_NOUN_NEXT },
  { mode: "autopilot", words: words("end[ -]to[ -]end"), follows: NO_NOUN_NEXT, followsLeading: COLON_NEXT },
  {
    mode: "ultrapilot",
    words: words("(?:parallel|swarm) build"),
    follows: ANYTHING_NEXT,
    followsLeading: OBJECT_NEXT,
    isName: true,
  },
  {
    mode: "swarm",
    words: words("coordinated agents"),
    follows: ANYTHING_NEXT,
    followsLeading: OBJECT_NEXT,
    isName: true,
    agents: 3,
  },
  {
    mode: "pipeline",
    words: words("chain agents"),
    follows: ANYTHING_NEXT,
    followsLeading: OBJECT_NEXT,
    isName: true,
  },
];

/** `Build me a parser is what he said`. */
const ANOTHERS_WORDS =
  /\b(?:is|was) what (?:he|she|they|it)\b|[,"\u201d]?\s(?:he|she|they)\s+(?:said|says|wrote|writes|asked|told)\b/i;
const REFUSED = /(?:don't|do not|dont|not|never|no|without|instead of|rather than)\s+(?:\w+\s+)?$/i;
/** Between the beginning of an instruction and words that name a way to work. */
const USE = /^(?:use|with|using|run|start|launch|do)\s+(?:a |the )?$/i;
/** `You must complete it`: said to the agent. */
const SUBJECT = /^(?:you|we)\s+$/i;

export function phrasesIn(sentence: Sentence): Phrase[] {
  if (sentence.isConditional) return [];
  return RULES.flatMap((rule) =>
    Array.from(sentence.text.matchAll(rule.words), ({ index, 0: found }) => phraseAt(sentence, rule, index, found)),
  ).flatMap((phrase) => phrase ?? []);
}

function phraseAt(sentence: Sentence, rule: PhraseRule, at: number, found: string): Phrase | undefined {
  const { text } = sentence;
  const after = text.slice(at + found.length, at + found.length + REACH);
  // `I want a` has its article already.
  const behind = rule.onlyFirst ? ` a${after}` : after;
  if (!rule.follows.test(after) || (rule.mode === "autopilot" && ANSWER_NEXT.test(behind))) return undefined;
  const clause = clauseAt(sentence, at);
  const lead = skipLead(text, rule.endsAnOrder ? 0 : clause.at);
  if ((sentence.isQuestion && !lead.isRequest) || ANOTHERS_WORDS.test(after)) return undefined;
  const before = text.slice(Math.min(lead.end, at), at);
  if (before.length < REACH && REFUSED.test(before)) return undefined;
  const isLeading = rule.endsAnOrder
    ? isOrder(text.slice(lead.end, lead.end + REACH))
    : beginsAnInstruction(sentence, clause) &&
      (before === "" || (rule.isName ? USE : SUBJECT).test(before)) &&
      (!rule.onlyFirst || clause.after === "start");
  const leads = isLeading && (rule.followsLeading ?? rule.follows).test(after);
  const to = at + found.length + (/^[\s:,]*(?:(?:to|for|and)\s+)?/iu.exec(after)?.[0].length ?? 0);
  return {
    mode: rule.mode,
    at: sentence.at + at,
    words: found,
    leads,
    ...(rule.isName ? { cut: [sentence.at + at - before.length, sentence.at + to] as const } : {}),
    ...(rule.agents === undefined ? {} : { agents: rule.agents }),
  };
}
