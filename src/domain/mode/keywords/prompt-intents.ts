import type { StartRequest } from "../machine.ts";
import type { ModeName } from "../modes.ts";
import { type Advice, adviceIn } from "./advice.ts";
import { cancellationIn, everydayCancellationIn, everydayResumptionIn, resumptionIn } from "./end-and-resume.ts";
import { instructionAt } from "./instruction.ts";
import { groupsOf, type Mention, mentionsIn, type NameGroup } from "./mode-names.ts";
import { personText } from "./person-text/person-text.ts";
import { type Phrase, phrasesIn } from "./phrases.ts";
import { type Instruction, placeOf } from "./place.ts";
import { inOrder, withoutConflicts } from "./precedence.ts";
import { requestWithout } from "./request.ts";
import { type Sentence, sentencesOf } from "./sentences.ts";
import { mayMeanAMode } from "./trigger-words.ts";

export type { Advice } from "./advice.ts";

/** A mode that a prompt asks for. Its request is empty where the prompt says nothing but the mode's name. */
export interface ModeRequest extends StartRequest {
  /** The words that ask for it, for the person. */
  readonly words: string;
}

/** What a prompt of a person means for the modes. */
export interface PromptIntents {
  /** The modes to cancel; none named means all. A prompt that cancels does nothing else. */
  readonly cancel?: readonly ModeName[];
  /** The mode to resume; none named means the last one that was interrupted. */
  readonly resume?: { readonly mode?: ModeName };
  /** `cancel` or `resume` names the mode by an everyday word, so it means nothing where that mode is not on. */
  readonly isEveryday?: true;
  readonly starts: readonly ModeRequest[];
  /** Phrases that would start a mode where they lead a sentence. */
  readonly suggestions: readonly { readonly mode: ModeName; readonly words: string }[];
  readonly advice: readonly Advice[];
}

/** What phrases such as `build me` do. */
export type PhraseUse = "activate" | "suggest" | "off";

export const NO_INTENTS: PromptIntents = { starts: [], suggestions: [], advice: [] };

interface SentenceParts {
  readonly sentence: Sentence;
  readonly groups: readonly NameGroup[];
}

/** Reads what a person wrote. A typed skill is read elsewhere. */
export function promptIntents(prompt: string, phraseUse: PhraseUse): PromptIntents {
  if (!mayMeanAMode(prompt)) return NO_INTENTS;
  const text = personText(prompt);
  if (!mayMeanAMode(text)) return NO_INTENTS;
  const parts = withNames(sentencesOf(text), mentionsIn(text));
  const cancelled = parts.flatMap(({ sentence, groups }) => cancellationIn(sentence, groups) ?? []);
  if (cancelled.length > 0) return { ...NO_INTENTS, cancel: modesOf(cancelled) };
  const [resumed] = parts.flatMap(({ sentence, groups }) => resumptionIn(sentence, groups) ?? []);
  if (resumed) return { ...NO_INTENTS, resume: { mode: resumed } };
  const named = parts.flatMap((part) => namedStarts(part));
  const phrases = phraseUse === "off" ? [] : parts.flatMap((part) => phrasesOf(part, named));
  const leading = phraseUse === "activate" ? phrases.filter((one) => one.leads) : [];
  const starts = withoutConflicts(
    named.map(({ mention }) => mention.mode),
    leading.map(({ mode }) => mode),
  );
  const spans = [...named.map(({ span }) => span), ...leading.flatMap(({ cut }) => (cut ? [cut] : []))];
  const request = requestWithout(prompt, spans);
  const advice = [...new Set(parts.flatMap(({ sentence }) => adviceIn(sentence)))];
  return {
    ...(starts.length > 0 ? {} : everydayEnd(parts.map(({ sentence }) => sentence))),
    starts: starts.map((mode) => modeRequest(mode, named, leading, request)),
    suggestions: suggestionsOf(phrases, starts),
    advice,
  };
}

/** `Stop the pipeline`, `swarm resume`. */
function everydayEnd(sentences: readonly Sentence[]): Pick<PromptIntents, "cancel" | "resume" | "isEveryday"> {
  const cancel = sentences.flatMap((sentence) => everydayCancellationIn(sentence) ?? []);
  if (cancel.length > 0) return { cancel: inOrder(cancel), isEveryday: true };
  const [mode] = sentences.flatMap((sentence) => everydayResumptionIn(sentence) ?? []);
  return mode === undefined ? {} : { resume: { mode }, isEveryday: true };
}

/** A mode that a sentence asks for by its name. */
interface NamedStart {
  readonly mention: Mention;
  readonly words: string;
  /** In the prompt: what only asks for the mode. */
  readonly span: readonly [from: number, to: number];
}

function withNames(sentences: readonly Sentence[], mentions: readonly Mention[]): SentenceParts[] {
  let next = 0;
  return sentences.map((sentence) => {
    const end = sentence.at + sentence.text.length;
    const own: Mention[] = [];
    for (; next < mentions.length; next++) {
      const mention = mentions[next];
      if (!mention || mention.at >= end) break;
      const isInside = mention.at >= sentence.at && mention.end <= end;
      if (isInside) own.push({ ...mention, at: mention.at - sentence.at, end: mention.end - sentence.at });
    }
    return { sentence, groups: groupsOf(sentence.text, own) };
  });
}

function namedStarts({ sentence, groups }: SentenceParts): NamedStart[] {
  return groups.flatMap((group) => {
    const found = instructionAt(placeOf(sentence, group));
    if (!found) return [];
    const span = spanOf(sentence, found);
    return group.mentions.map((mention) => ({ mention, words: found.words, span }));
  });
}

const spanOf = ({ at }: Sentence, { from, to }: Instruction): [number, number] => [at + from, at + to];

/** The phrases of a sentence. What follows `ralph:` or `use ralph to` at once is the request of that mode. */
function phrasesOf({ sentence }: SentenceParts, named: readonly NamedStart[]): Phrase[] {
  return phrasesIn(sentence).filter(({ at }) => !named.some(({ span: [from, to] }) => from <= at && at <= to));
}

function modeRequest(
  mode: ModeName,
  named: readonly NamedStart[],
  leading: readonly Phrase[],
  request: string,
): ModeRequest {
  const name = named.find((one) => one.mention.mode === mode);
  const phrase = leading.find((one) => one.mode === mode);
  const agents = name ? name.mention.agents : phrase?.agents;
  return {
    mode,
    request,
    words: name?.words ?? phrase?.words ?? "",
    ...(agents === undefined ? {} : { agents }),
  };
}

function suggestionsOf(phrases: readonly Phrase[], starts: readonly ModeName[]): PromptIntents["suggestions"] {
  const first = new Map<ModeName, string>();
  for (const { mode, words } of phrases) if (!first.has(mode) && !starts.includes(mode)) first.set(mode, words);
  // Where a mode starts anyway, the person has said how the work is to be done.
  return starts.length > 0 ? [] : [...first].map(([mode, words]) => ({ mode, words }));
}

/** Nothing named, or one of the cancellations named nothing: all of them. */
function modesOf(cancelled: readonly (ModeName | "all")[]): readonly ModeName[] {
  const modes = cancelled.flatMap((one) => (one === "all" ? [] : [one]));
  return modes.length < cancelled.length ? [] : inOrder(modes);
}
