import { type Command, knownWord, type Word } from "../shell/command.ts";
import { readOptions } from "../shell/options.ts";
import { type Effect, type EffectKind, effect, KNOWN_HARMLESS } from "./effect.ts";
import { isRawDevice } from "./line/devices.ts";
import { operandsOf } from "./line/words.ts";
import { has, type LooseReading, readLoosely, valuesOf } from "./loose-options.ts";
import type { ProgramUnit } from "./program.ts";
import { readSlashOptions } from "./slash-options.ts";

/**
 * What one form of a program does: its words, and a phrase in which `{}` stands for what follows them. A form without a
 * phrase is harmless and ends the search. In the words `a|b` is a choice, `x-*` a beginning, `*-x` an ending, `*` any
 * word and `**` any number of words.
 */
export type Rule = readonly [words: string, why?: string, extra?: RuleExtra];

export interface RuleExtra {
  readonly kind?: EffectKind;
  /** Options of which at least one must be given; `mode=Complete` demands a value. Of several lists, one of each. */
  readonly needs?: string | readonly string[];
  /** Options with which nothing is lost. */
  readonly unless?: string;
  /** At least one word must follow. */
  readonly named?: true;
  /**
   * What is hit, where it is not the words that follow: only the first of them, the last word of the line, the disk among
   * its words, only a disk by its path below /dev, the value of an option, or a name of ours for it.
   */
  readonly target?:
    | "first"
    | "last"
    | "device"
    | "device-path"
    | { readonly option: string }
    | { readonly text: string };
  readonly instead?: string;
}

/** How the words of a program are read. */
export type WordTable = Pick<ProgramUnit, "values" | "dry" | "options" | "slashOptions">;

export interface RuleMatch {
  readonly rule: Rule;
  /** Its place among the rules. */
  readonly at: number;
  readonly verbs: readonly Word[];
  /** What follows the verbs. */
  readonly hit: readonly Word[];
  readonly reading: LooseReading;
  /** The rule is harmless, or an option makes it so. */
  readonly isHarmless: boolean;
}

/** No program has its verb behind more words than these. */
const MAX_VERBS = 12;

export function rulesEffects(
  unit: WordTable & Pick<ProgramUnit, "kind">,
  rules: readonly Rule[],
  command: Command,
): readonly Effect[] {
  const found = matchedRule(unit, rules, command.argv.slice(1));
  if (found === undefined) return [];
  if (found === "harmless" || found.isHarmless) return KNOWN_HARMLESS;
  return ruleEffect(unit, found, command);
}

/** The first rule that fits; `harmless` where none does, although the words are known or an option asks for help. */
export function matchedRule(
  table: WordTable,
  rules: readonly Rule[],
  words: readonly Word[],
): RuleMatch | "harmless" | undefined {
  const reading = readWords(table, words);
  if (has(reading, helpOf(table)) || has(reading, table.dry)) return "harmless";
  const verbs = reading.operands.slice(0, MAX_VERBS).map((word) => lowered(word, table));
  let isKnownForm = false;
  for (const [at, rule] of rules.entries()) {
    const [pattern, why, extra = {}] = rule;
    const length = matchedLength(verbs, pattern);
    if (length === undefined) continue;
    // Words that only lose something with an option are harmless without it. Any words at all say nothing.
    isKnownForm ||= !/^[* ]+$/.test(pattern);
    if (!hasAll(reading, extra.needs)) continue;
    const hit = reading.operands.slice(length);
    if (extra.named && hit.length === 0) continue;
    const isHarmless = why === undefined || has(reading, extra.unless);
    return { rule, at, verbs: reading.operands.slice(0, length), hit, reading, isHarmless };
  }
  return isKnownForm ? "harmless" : undefined;
}

/** With options of its own a program may call a host `-h`. */
function helpOf({ slashOptions, options }: WordTable): string {
  if (slashOptions) return "?";
  return options ? "help" : "help h";
}

export function readWords({ values, options, slashOptions }: WordTable, words: readonly Word[]): LooseReading {
  if (slashOptions) return readSlashOptions(words, values);
  return options ? { ...readOptions(words, options, true), rest: [] } : readLoosely(words, values);
}

function lowered(word: Word, { slashOptions }: WordTable): Word {
  return slashOptions ? { ...word, text: word.text.toLowerCase() } : word;
}

function hasAll(reading: LooseReading, needs: RuleExtra["needs"]): boolean {
  if (needs === undefined) return true;
  return typeof needs === "string" ? has(reading, needs) : needs.every((names) => has(reading, names));
}

function ruleEffect(
  { kind, slashOptions, options }: WordTable & Pick<ProgramUnit, "kind">,
  match: RuleMatch,
  command: Command,
): readonly Effect[] {
  const { verbs } = match;
  const [, why = "", extra = {}] = match.rule;
  const words =
    slashOptions && !extra.target ? match.reading.operands.slice(-1) : targetOf(match, command, extra.target);
  const isSure = extra.target === undefined && (slashOptions || options);
  if (words === undefined) return [];
  const named = textsOf(words);
  // What is hit stands in an option: the words themselves have to say it.
  const shown = named === "" && /^\w+ \{\}/.test(why) ? `what it names (${textsOf(verbs)})` : named;
  const phrase = why.replace(shown === "" ? / ?\{\}/ : "{}", () => shown);
  return [
    effect(extra.kind ?? kind, command, phrase, {
      target: named || textsOf(verbs),
      ...(!isSure && words.some((word) => !word.known) && { certainty: "possible" as const }),
      ...(extra.instead && { instead: extra.instead }),
    }),
  ];
}

/** Undefined where there is no disk, and so nothing to lose. */
function targetOf(
  { hit, reading }: RuleMatch,
  command: Command,
  target: RuleExtra["target"],
): readonly Word[] | undefined {
  if (target === undefined) return hit;
  if (target === "first") return hit.slice(0, 1);
  if (typeof target === "object" && "text" in target) return [knownWord(target.text)];
  if (typeof target === "object") return valuesOf(reading, target.option).slice(0, 1).map(surely);
  const operands = operandsOf(command);
  if (target === "last")
    return [operands.at(-1) ?? command.argv.at(-1)].flatMap((word) => (word ? [surely(word)] : []));
  const device =
    operands.find(({ text }) => isRawDevice(text)) ??
    operands.find(({ text }) => text.startsWith("/")) ??
    operands.at(-1);
  if (!device || (target === "device-path" && !DEVICE_PATH.test(device.text))) return undefined;
  return [surely(device)];
}

/** A disk in a variable, or the path of one. */
const DEVICE_PATH = /^(?:\/dev\/|\$)/;

/** A target that is unknown, while the loss is certain. */
function surely(word: Word): Word {
  return { ...word, known: true };
}

function textsOf(words: readonly Word[]): string {
  return words.map((word) => word.text).join(" ");
}

const patterns = new Map<string, readonly (readonly string[])[]>();

/** How many words the pattern takes from the front, undefined when it does not fit. */
export function matchedLength(words: readonly Word[], pattern: string): number | undefined {
  return matched(words, choicesOf(pattern));
}

/** The choices for each word of a rule. */
function choicesOf(pattern: string): readonly (readonly string[])[] {
  let words = patterns.get(pattern);
  if (!words) {
    words = pattern.split(" ").map((word) => word.split("|"));
    patterns.set(pattern, words);
  }
  return words;
}

function matched(
  words: readonly Word[],
  pattern: readonly (readonly string[])[],
  from = 0,
  at = 0,
): number | undefined {
  const choices = pattern[at];
  if (choices === undefined) return from;
  if (choices[0] === "**") {
    for (let skip = from; skip <= words.length; skip++) {
      const end = matched(words, pattern, skip, at + 1);
      if (end !== undefined) return end;
    }
    return undefined;
  }
  const word = words[from];
  if (!word || !choices.some((one) => fits(word, one))) return undefined;
  return matched(words, pattern, from + 1, at + 1);
}

function fits(word: Word, pattern: string): boolean {
  if (pattern === "*") return true;
  if (!word.known) return false;
  if (pattern.startsWith("*")) return word.text.endsWith(pattern.slice(1));
  return pattern.endsWith("*") ? word.text.startsWith(pattern.slice(0, -1)) : word.text === pattern;
}
