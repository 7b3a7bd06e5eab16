import type { Command, Word } from "../shell/command.ts";
import { type Effect, type EffectKind, effect, type Family, SETTLED, together } from "./effect.ts";

/**
 * What one form of a tool does: its words, and a phrase in which `{}` stands for what follows them. A form without a
 * phrase is harmless and ends the search. In the words `a|b` is a choice, `x-*` a beginning, `*-x` an ending, `*` any word and `**` any
 * number of words.
 */
export type Rule = readonly [words: string, why?: string, extra?: RuleExtra];

interface RuleExtra {
  readonly kind?: EffectKind;
  /** Options of which at least one must be given, some with a certain value: `mode=Complete`. */
  readonly needs?: string;
  /** Options with which nothing is lost. */
  readonly unless?: string;
  /** At least one word must follow. */
  readonly named?: true;
  readonly instead?: string;
}

/** A program with subcommands and more options than anyone lists. */
export interface Tool {
  readonly kind: EffectKind;
  /** Options whose value is the next word; every other option stands alone. */
  readonly values?: string;
  /** Options with which it only says what it would do. */
  readonly dry?: string;
  readonly rules: readonly Rule[];
}

/** No tool has its verb behind more words than these. */
const MAX_VERBS = 12;

export interface LooseReading {
  /** Options by name without dashes, a cluster of letters also by each letter. */
  readonly given: ReadonlyMap<string, readonly (Word | undefined)[]>;
  readonly operands: readonly Word[];
  /** What follows a lone `--`. */
  readonly rest: readonly Word[];
}

/** Reads options without a full list of them. */
export function readLoosely(words: readonly Word[], values = ""): LooseReading {
  const takes = namesIn(values);
  const given = new Map<string, (Word | undefined)[]>();
  const operands: Word[] = [];
  const put = (name: string, value: Word | undefined): void => {
    const known = given.get(name);
    if (known) known.push(value);
    else given.set(name, [value]);
  };
  let at = 0;
  for (; at < words.length; at++) {
    const word = words[at];
    if (!word || word.text === "--") break;
    if (!word.text.startsWith("-")) {
      operands.push(word);
      continue;
    }
    const [, dashes = "", name = "", value] = /^(--?)([A-Za-z0-9][^=]*)(?:=([\s\S]*))?$/.exec(word.text) ?? [];
    if (dashes === "") {
      operands.push(word);
    } else if (value !== undefined) {
      put(name, { ...word, text: value });
    } else if (takes.has(name)) {
      put(name, words[++at]);
    } else if (dashes === "-" && name.length > 1 && takes.has(name[0] ?? "")) {
      // `-XDELETE`: a letter with its value.
      put(name[0] ?? "", { ...word, text: name.slice(1) });
    } else {
      put(name, undefined);
      if (dashes === "-" && /^[A-Za-z0-9]{2,5}$/.test(name)) at += cluster(word, words[at + 1], takes, put);
    }
  }
  if (at >= words.length) return { given, operands, rest: [] };
  const rest = words.slice(at + 1);
  return { given, operands: [...operands, ...rest], rest };
}

const lists = new Map<string, ReadonlySet<string>>();

/** The lists are constants of the program, so each is taken apart once. */
function namesIn(list: string): ReadonlySet<string> {
  let names = lists.get(list);
  if (!names) {
    names = new Set(list.split(" "));
    lists.set(list, names);
  }
  return names;
}

/** `-Atc text`: how many further words the letters take. */
function cluster(
  word: Word,
  next: Word | undefined,
  takes: ReadonlySet<string>,
  put: (name: string, value: Word | undefined) => void,
): number {
  for (let at = 1; at < word.text.length; at++) {
    const letter = word.text[at] ?? "";
    const rest = word.text.slice(at + 1);
    put(letter, takes.has(letter) ? (rest === "" ? next : { ...word, text: rest }) : undefined);
    if (takes.has(letter)) return rest === "" ? 1 : 0;
  }
  return 0;
}

export function has(reading: Pick<LooseReading, "given">, names: string | undefined): boolean {
  if (names === undefined || reading.given.size === 0) return false;
  for (const name of namesIn(names)) {
    const [option = "", value] = name.split("=");
    const values = reading.given.get(option);
    if (value === undefined ? isOn(values) : values?.some((one) => one?.text === value)) return true;
  }
  return false;
}

/** The values that were given to any of these options. */
export function valuesOf(reading: Pick<LooseReading, "given">, names: string): readonly Word[] {
  if (reading.given.size === 0) return [];
  const found: Word[] = [];
  for (const name of namesIn(names)) for (const value of reading.given.get(name) ?? []) if (value) found.push(value);
  return found;
}

function isOn(values: readonly (Word | undefined)[] | undefined): boolean {
  return values?.some((value) => !value || !/^(?:false|none|no|0)$/i.test(value.text)) ?? false;
}

export function toolFamily(tool: Tool): Family {
  return (command) => toolEffects(tool, command, command.argv.slice(1));
}

/** Also for a tool that is started by another one, as `php artisan`. */
export function toolEffects(tool: Tool, command: Command, words: readonly Word[]): readonly Effect[] {
  const reading = readLoosely(words, tool.values);
  if (has(reading, "help h") || has(reading, tool.dry)) return SETTLED;
  const verbs = reading.operands.slice(0, MAX_VERBS);
  let isKnownForm = false;
  for (const [pattern, why, extra = {}] of tool.rules) {
    const length = matched(verbs, wordsIn(pattern));
    if (length === undefined) continue;
    // Words that only lose something with an option are harmless without it. Any words at all say nothing.
    isKnownForm ||= !/^[* ]+$/.test(pattern);
    if (extra.needs && !has(reading, extra.needs)) continue;
    const hit = reading.operands.slice(length);
    if (extra.named && hit.length === 0) continue;
    if (why === undefined || has(reading, extra.unless)) return SETTLED;
    return [ruleEffect(tool, why, extra, hit, reading.operands.slice(0, length), command)];
  }
  return isKnownForm ? SETTLED : [];
}

function ruleEffect(
  tool: Tool,
  why: string,
  extra: RuleExtra,
  hit: readonly Word[],
  verbs: readonly Word[],
  command: Command,
): Effect {
  const named = textsOf(hit);
  // What is hit stands in an option: the words themselves have to say it.
  const shown = named === "" && /^\w+ \{\}/.test(why) ? `what it names (${textsOf(verbs)})` : named;
  const phrase = why.replace(shown === "" ? / ?\{\}/ : "{}", () => shown);
  return effect(extra.kind ?? tool.kind, command, phrase, {
    target: named || textsOf(verbs),
    ...(hit.some((word) => !word.known) && { certainty: "possible" as const }),
    ...(extra.instead && { instead: extra.instead }),
  });
}

function textsOf(words: readonly Word[]): string {
  return words.map((word) => word.text).join(" ");
}

const patterns = new Map<string, readonly (readonly string[])[]>();

/** The choices for each word of a rule. */
function wordsIn(pattern: string): readonly (readonly string[])[] {
  let words = patterns.get(pattern);
  if (!words) {
    words = pattern.split(" ").map((word) => word.split("|"));
    patterns.set(pattern, words);
  }
  return words;
}

/** How many words the pattern took from the front, undefined when it does not fit. */
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

/** Families that each know a part of what a program does. */
export const both =
  (...families: readonly Family[]): Family =>
  (command, scene) =>
    together(families.map((family) => family(command, scene)));

/** The same family under several names. */
export function named(names: string, family: Family): Readonly<Record<string, Family>> {
  return Object.fromEntries(names.split(" ").map((name) => [name, family]));
}

/** `cargo +nightly --color always publish`: read without what stands before the subcommand. */
export const ofCargo =
  (family: Family): Family =>
  (command, scene) => {
    const takes = namesIn("color config C Z");
    let at = 1;
    for (let text = command.argv[at]?.text; text !== undefined && /^[+-]./.test(text); text = command.argv[at]?.text)
      at += takes.has(text.replace(/^-+/, "")) ? 2 : 1;
    if (at === 1) return family(command, scene);
    const argv = [...command.argv.slice(0, 1), ...command.argv.slice(at)];
    const plain = { ...command, argv, args: command.args.slice(at - 1) };
    return family(plain, scene).map((one) => ({ ...one, by: command }));
  };
