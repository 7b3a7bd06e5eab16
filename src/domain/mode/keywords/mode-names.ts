import { isMode, type ModeName } from "../modes.ts";

/** A mode's name in the text, with the word for a mode that belongs to it. */
export interface Mention {
  readonly mode: ModeName;
  readonly at: number;
  readonly end: number;
  readonly words: string;
  /** `pipeline:` is only the name of a mode where a request follows, because the word is an everyday one. */
  readonly isLabel: boolean;
  readonly agents?: number;
}

/** Names with nothing between them but `and` or a comma: one instruction is about all of them. */
export interface NameGroup {
  readonly mentions: readonly Mention[];
  readonly at: number;
  readonly end: number;
  /** `ralph or autopilot` chooses nothing. */
  readonly isChoice: boolean;
}

const NAMES =
  "ralph|auto[ -]?pilot|full[ -]auto|fullsend|ultra-?pilot|ultra-?work|ulw|uw|eco-?mode|save-tokens|ultra-?qa";
/** Everyday words that are a mode's name only when they are written as one. */
const EVERYDAY = "pipeline|swarm|eco|autonomous|efficient|budget";
const MODE_WORD = "[ -]?(?:mode|modus|modo)|\\s?(?:模式|モード|모드)";
const SWARM_SIZE = "\\d{1,3}|two|three|four|five|six|seven|eight|nine|ten";
/** Signs that make a word a part of an identifier, an address or a flag. */
const BEFORE = "(?<![\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}\\p{N}_/@#$.\\\\=%&+*~^|<-])";
const AFTER =
  "(?![\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}\\p{N}_/@\\\\=(*]|-[\\p{L}\\p{N}]|\\.[\\p{L}\\p{N}]|'s?(?![\\p{L}])|'s\\b|::)";
const MENTION = new RegExp(
  `${BEFORE}(?:` +
    `swarm\\s+(?:(?:of|with)\\s+)?(?<size>${SWARM_SIZE})\\s+agents?` +
    `|(?<spoken>(?:${EVERYDAY})(?:${MODE_WORD})|(?:mode|modo|modus|modalità|режиме?)\\s+(?:${EVERYDAY}))` +
    `|(?<label>${EVERYDAY})(?=\\s?[:：])` +
    `|(?<name>${NAMES})(?:(?:${MODE_WORD})(?![\\p{Script=Latin}\\p{N}])|-loop\\b)?` +
    `)${AFTER}`,
  "giu",
);
/** These words stand for another mode's name. */
const ALIASES: Readonly<Record<string, ModeName>> = {
  fullauto: "autopilot",
  fullsend: "autopilot",
  autonomous: "autopilot",
  ulw: "ultrawork",
  uw: "ultrawork",
  eco: "ecomode",
  savetokens: "ecomode",
  efficient: "ecomode",
  budget: "ecomode",
};
const WRITTEN = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const JOINS = /^\s*(?:mode\s+)?(?:,|&|\+|and|und|et|y|e|i|и|和|与|と|와|과|plus|with)?\s*(?:and\s+)?$/iu;
const CHOOSES = /^\s*,?\s*(?:or|oder|ou|o|или|或者?|还是|か|vs\.?|versus|nor)\s*$/iu;
/** A document that names modes this often is no instruction; its beginning and end still may hold one. */
const MOST_MENTIONS = 60;

/** The mode that a name stands for. */
function modeOf(name: string): ModeName | undefined {
  const plain = name.toLowerCase().replace(/[\s-]/g, "");
  const mode = ALIASES[plain] ?? (plain === "ecomode" ? "ecomode" : plain);
  return isMode(mode) ? mode : undefined;
}

export function mentionsIn(text: string): Mention[] {
  const mentions: Mention[] = [];
  for (const { index, 0: words, groups = {} } of text.matchAll(MENTION)) {
    const { size, spoken, label, name } = groups;
    const everyday = spoken?.replace(new RegExp(MODE_WORD, "iu"), "").replace(/^\S+\s+(?=\S)/u, "");
    const mode = size === undefined ? modeOf(name ?? label ?? everyday ?? "") : "swarm";
    // Docker has a swarm mode of its own.
    if (!mode || (mode === "swarm" && /docker\s+$/i.test(text.slice(Math.max(0, index - 10), index)))) continue;
    mentions.push({
      mode,
      at: index,
      end: index + words.length,
      words,
      isLabel: label !== undefined,
      ...(size === undefined
        ? {}
        : { agents: /\d/.test(size) ? Number(size) : WRITTEN.indexOf(size.toLowerCase()) + 2 }),
    });
  }
  return mentions.length <= 2 * MOST_MENTIONS
    ? mentions
    : [...mentions.slice(0, MOST_MENTIONS), ...mentions.slice(-MOST_MENTIONS)];
}

const EVERYDAY_ARGUMENT = new RegExp(`${BEFORE}(?:${EVERYDAY})${AFTER}`, "giu");
const EVERYDAY_NAME = new RegExp(`${BEFORE}(?:swarm|pipeline)${AFTER}`, "giu");
const MOST_EVERYDAY = 5;

/** The everyday words of a text that are also a mode's own name, each in a group of its own. */
export function everydayGroups(text: string): NameGroup[] {
  const found = [...text.matchAll(EVERYDAY_NAME)].slice(0, MOST_EVERYDAY);
  return found.flatMap(({ index, 0: words }) => {
    const mode = modeOf(words);
    const end = index + words.length;
    const mention = mode && { mode, at: index, end, words, isLabel: false };
    return mention ? [{ mentions: [mention], at: index, end, isChoice: false }] : [];
  });
}

/** The modes that the argument of `/cancel` names. There an everyday word is a name as well. */
export function modesNamedIn(text: string): ModeName[] {
  const everyday = Array.from(text.matchAll(EVERYDAY_ARGUMENT), ({ 0: word }) => modeOf(word) ?? []).flat();
  return [...new Set([...mentionsIn(text).map(({ mode }) => mode), ...everyday])];
}

/** The mentions of one sentence, in groups. */
export function groupsOf(text: string, mentions: readonly Mention[]): NameGroup[] {
  const groups: NameGroup[] = [];
  for (const mention of mentions) {
    const last = groups.at(-1);
    const between = last && text.slice(last.end, mention.at);
    const isChoice = between !== undefined && CHOOSES.test(between);
    if (!last || between === undefined || (!isChoice && !JOINS.test(between))) {
      groups.push({ mentions: [mention], at: mention.at, end: mention.end, isChoice: false });
    } else {
      const mentions = [...last.mentions, mention];
      groups[groups.length - 1] = { mentions, at: last.at, end: mention.end, isChoice: last.isChoice || isChoice };
    }
  }
  return groups;
}
