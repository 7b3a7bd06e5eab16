import { cutBetweenWords } from "./context-budget.ts";
import { fingerprint } from "./text/fingerprint.ts";

/** A text is sent in short form for this long after it was sent in full. */
const WINDOW_MS = 10 * 60_000;
/** After so many repetitions a sentence is cut to `LONGEST_WHEN_OFTEN` characters. */
const OFTEN = 3;
const LONGEST_WHEN_OFTEN = 64;
/** The oldest are forgotten first. */
const MOST_KEPT = 40;

/** One text that an agent was sent in full, and how it was repeated since. */
interface SentText {
  /** When it was last sent in full. */
  readonly at: number;
  /** How often it was sent in short form since. */
  readonly again: number;
  /** Fingerprint of the first sentence as it was last sent. */
  readonly sentence: string;
}

/** Keyed by the policy and the text after the first sentence. */
export type SentTexts = Readonly<Record<string, SentText>>;

/** The form in which a text is sent. */
export interface Words {
  readonly text: string;
  readonly isBrief: boolean;
}

/** The words in which the merge sends denials. */
export interface Wording {
  headline(policy: string, text: string): Words;
  /** The line for a denial that is not the headline; undefined where naming its policy is enough. */
  also(policy: string, text: string): string | undefined;
  /** Was a note with the same first sentence sent lately? */
  isSaid(policy: string, text: string): boolean;
}

/** Every text as the policies wrote it. */
export const IN_FULL: Wording = {
  headline: (_policy, text) => ({ text, isBrief: false }),
  also: (_policy, text) => firstSentence(text),
  isSaid: () => false,
};

/**
 * Shortens texts that the agent was sent in full lately to their first sentence, which names what is denied and its
 * target. The rest of a text is left out only if it was sent before; other numbers in it do not make it another text.
 */
export class RepeatedTexts implements Wording {
  readonly #load: () => SentTexts;
  readonly #now: number;
  #given: Map<string, SentText> | undefined;
  #isChanged = false;

  constructor(load: () => SentTexts, now: number) {
    this.#load = load;
    this.#now = now;
  }

  headline(policy: string, text: string): Words {
    const words = this.#briefly(policy, text, " (In full before: `hookwright journal --denied`.)");
    this.#remember(policy, text, words);
    return words;
  }

  also(policy: string, text: string): string | undefined {
    const sentence = firstSentence(text);
    const key = `${policy} also`;
    const print = fingerprint(sentence);
    if (this.#recentText(key)?.sentence === print) return undefined;
    this.#keep(key, { at: this.#now, again: 0, sentence: print });
    return sentence;
  }

  isSaid(policy: string, text: string): boolean {
    return this.#recentText(keyOf(policy, text))?.sentence === fingerprint(firstSentence(text));
  }

  note(policy: string, text: string): Words {
    return this.#briefly(policy, text, " (In full before.)");
  }

  /** Notes may still be cut or left out for want of room, so they are remembered once they are sent. */
  noteSent(policy: string, text: string, words: Words): void {
    this.#remember(policy, text, words);
  }

  /** What has to be stored for the next event; undefined when no text was sent. */
  get next(): SentTexts | undefined {
    if (!this.#isChanged || !this.#given) return undefined;
    const recent = [...this.#given].filter(([, { at }]) => this.#isRecent(at));
    return Object.fromEntries(recent.sort(([, a], [, b]) => a.at - b.at).slice(-MOST_KEPT));
  }

  #briefly(policy: string, text: string, pointer: string): Words {
    const before = this.#recentText(keyOf(policy, text));
    const full = { text, isBrief: false };
    if (!before) return full;
    const sentence = firstSentence(text);
    const brief = this.isSaid(policy, text) ? clauseOf(sentence, before.again >= OFTEN) : sentence;
    if (brief.length >= text.length) return full;
    const withPointer = before.again === 0 ? brief + pointer : brief;
    return { text: withPointer.length < text.length ? withPointer : brief, isBrief: true };
  }

  #remember(policy: string, text: string, { isBrief }: Words): void {
    const key = keyOf(policy, text);
    const sentence = fingerprint(firstSentence(text));
    const before = isBrief ? this.#recentText(key) : undefined;
    this.#keep(key, before ? { ...before, again: before.again + 1, sentence } : { at: this.#now, again: 0, sentence });
  }

  #recentText(key: string): SentText | undefined {
    const given = this.#texts.get(key);
    return given && this.#isRecent(given.at) ? given : undefined;
  }

  #isRecent(at: number): boolean {
    // A time in the future means that the clock was set back.
    return at <= this.#now && this.#now - at < WINDOW_MS;
  }

  #keep(key: string, given: SentText): void {
    this.#texts.set(key, given);
    this.#isChanged = true;
  }

  get #texts(): Map<string, SentText> {
    this.#given ??= new Map(Object.entries(this.#load()));
    return this.#given;
  }
}

export function firstSentence(text: string): string {
  const end = text.search(/[.!?](\s|$)/);
  return end < 0 ? text : text.slice(0, end + 1);
}

function keyOf(policy: string, text: string): string {
  const rest = text.slice(firstSentence(text).length);
  return `${policy} ${fingerprint(rest.replace(/\d+/g, "#"))}`;
}

/** The first clause names what is denied; of a list it contains the first item. */
function clauseOf(sentence: string, isOften: boolean): string {
  const end = sentence.search(/[,;]\s/);
  const clause = end < 0 ? sentence : sentence.slice(0, end);
  const head = isOften && clause.length > LONGEST_WHEN_OFTEN ? cutBetweenWords(clause, LONGEST_WHEN_OFTEN) : clause;
  return head === sentence || head === "" ? sentence : `${head} …`;
}
