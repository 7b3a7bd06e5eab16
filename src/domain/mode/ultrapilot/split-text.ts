import { MOST_WORKERS, type Subtask, subtaskOf } from "./split.ts";

const LONGEST_REQUEST = 20_000;
const LONGEST_DESCRIPTION = 2_000;
/** Shorter sentences are greetings and fragments. */
const SHORTEST_SENTENCE = 11;
const ITEM = /^[ \t]*(?:\d{1,3}[.)]|[-*+•])[ \t]+(\S.*)$/;
const CHECKBOX = /^\[[ xX]\][ \t]+/;
const FENCE = /^[ \t]*(?:```|~~~)/;
/** A dot inside `a.ts` or `1.2` ends no sentence, nor does the dot of an abbreviation. */
const SENTENCE_END = /;|\n|(?<!\b(?:e\.g|i\.e|etc|vs|cf))\.(?=\s|$)/i;

/** The items of a list in the request, else its sentences, else the whole request, as at most `MOST_WORKERS` subtasks. */
export function splitFromText(request: string): Subtask[] {
  const text = request.slice(0, LONGEST_REQUEST).replace(/\r\n?/g, "\n");
  if (text.trim() === "") return [];
  const parts = partsOf(text);
  // No part may be lost, so the parts that are too many are handed out one by one.
  const shares = parts.slice(0, MOST_WORKERS).map((_, at) => parts.filter((_part, nth) => nth % MOST_WORKERS === at));
  return shares.map((share, at) => subtaskOf(String(at + 1), shortened(share.join("\n"))));
}

function partsOf(text: string): readonly string[] {
  const items = itemsOf(text);
  if (items.length > 0) return items;
  // Code is not cut into sentences.
  const sentences = text.split("\n").some((line) => FENCE.test(line)) ? [] : sentencesOf(text);
  return sentences.length > 0 ? sentences : [text.trim()];
}

interface Line {
  readonly text: string;
  readonly indent: number;
  readonly isItem: boolean;
}

/**
 * The items of the list, each with the lines that belong to it: those that follow at once, and those that are indented
 * more. Empty without a list; one item beside other text is no list either.
 */
function itemsOf(text: string): readonly string[] {
  const lines = linesOf(text);
  const outermost = Math.min(...lines.filter(({ isItem }) => isItem).map(({ indent }) => indent));
  const items: string[][] = [];
  let isInItem = false;
  let isAfterBlank = false;
  for (const { text: line, indent, isItem } of lines) {
    if (isItem && (indent === outermost || items.length === 0)) {
      items.push([line]);
      isInItem = true;
    } else if (line !== "") {
      isInItem &&= !isAfterBlank || indent > outermost;
      if (isInItem) items.at(-1)?.push(line);
    }
    isAfterBlank = line === "";
  }
  const isAll = items.flat().length === lines.filter((line) => line.text !== "").length;
  return items.length > 1 || isAll ? items.map((item) => item.join("\n")) : [];
}

/** The lines outside of code blocks, without the signs of a list. */
function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  let isCode = false;
  for (const line of text.split("\n")) {
    if (FENCE.test(line)) isCode = !isCode;
    else if (!isCode) {
      const blanks = /^[ \t]*/.exec(line)?.[0] ?? "";
      const isItem = /[\p{L}\p{N}]/u.test(ITEM.exec(line)?.[1] ?? "");
      lines.push({ text: withoutSigns(line), indent: blanks.replaceAll("\t", "    ").length, isItem });
    }
  }
  return lines;
}

function sentencesOf(text: string): readonly string[] {
  const sentences: string[] = [];
  let sentence = "";
  // Code between backticks stays whole.
  for (const [at, piece] of text.split(/(`[^`\n]*`)/).entries()) {
    const [first = "", ...others] = at % 2 === 1 ? [piece] : piece.split(SENTENCE_END);
    sentence += first;
    for (const other of others) {
      sentences.push(sentence);
      sentence = other;
    }
  }
  return [...sentences, sentence].map(withoutSigns).filter(({ length }) => length >= SHORTEST_SENTENCE);
}

function withoutSigns(line: string): string {
  return (ITEM.exec(line)?.[1] ?? line).trim().replace(CHECKBOX, "");
}

function shortened(text: string): string {
  return text.length <= LONGEST_DESCRIPTION ? text : `${text.slice(0, LONGEST_DESCRIPTION).trimEnd()}…`;
}
