import { isAtOrBelow, isGlob } from "./patterns.ts";

/**
 * Can one path be covered by both patterns? As in claims, a plain pattern also covers everything below it, unless its
 * name ends as the name of a file does. Where the answer is not certain it is yes. Both patterns are relative and
 * normalized.
 */
export function patternsMeet(one: string, other: string): boolean {
  if (!isGlob(one) && !isGlob(other)) return isAtOrBelow(one, other) || isAtOrBelow(other, one);
  return anyMeet(covering(one), covering(other));
}

/** Can this pattern cover this path? Without a library for globs; where the answer is not certain it is yes. */
export function mayCover(pattern: string, name: string): boolean {
  if (!isGlob(pattern)) return isAtOrBelow(pattern, name);
  return anyMeet(covering(pattern), [literalParts(name)]);
}

/** Does a path or a pattern end as the name of a file does, so that nothing is below it? */
export function isFileName(pattern: string): boolean {
  return /[^/]\.[A-Za-z][A-Za-z0-9]*$/.test(pattern);
}

/** `*` is any number of characters; `?`, a set, a character, or a backslash and a character stand for one character. */
type Token = string;
/** The components of a path; `**` is any number of them. */
type Parts = readonly (readonly Token[] | "**")[];

/** More alternatives than this in the braces of one pattern are not told apart. */
const MOST_ALTERNATIVES = 128;
const ANYTHING: Parts = ["**"];

function covering(pattern: string): readonly Parts[] {
  if (pattern === ".") return [ANYTHING];
  if (!isGlob(pattern)) return [isFileName(pattern) ? literalParts(pattern) : [...literalParts(pattern), "**"]];
  const alternatives = withoutBraces(pattern);
  if (alternatives.length > MOST_ALTERNATIVES) return [ANYTHING];
  return alternatives.map((text) => text.split("/").map((part) => (part === "**" ? part : tokensOf(part))));
}

function literalParts(name: string): Parts {
  return name.split("/").map((part) => [...part].map((char) => (char === "*" || char === "?" ? `\\${char}` : char)));
}

/** Each text that the braces of a pattern stand for; more than `MOST_ALTERNATIVES` when there are too many. */
function withoutBraces(pattern: string): readonly string[] {
  let done: string[] = [];
  let open = [pattern];
  while (open.length > 0 && open.length + done.length <= MOST_ALTERNATIVES) {
    const next = open.map((text) => ({ text, braces: firstBraces(text) }));
    done = done.concat(next.flatMap(({ text, braces }) => (braces ? [] : [text])));
    open = next.flatMap(({ text, braces }) =>
      (braces?.choices ?? []).map((choice) => text.slice(0, braces?.from) + choice + text.slice(braces?.to)),
    );
  }
  return [...done, ...open];
}

/** The first braces with a comma; other braces are ordinary characters. */
function firstBraces(text: string): { from: number; to: number; choices: readonly string[] } | undefined {
  for (let from = text.indexOf("{"); from >= 0; from = text.indexOf("{", from + 1)) {
    const commas: number[] = [];
    let depth = 0;
    for (let at = from; at < text.length; at++) {
      if (text[at] === "{") depth++;
      else if (text[at] === "," && depth === 1) commas.push(at);
      else if (text[at] === "}" && --depth === 0) {
        if (commas.length === 0) break;
        const ends = [...commas, at];
        return { from, to: at + 1, choices: ends.map((end, nth) => text.slice((ends[nth - 1] ?? from) + 1, end)) };
      }
    }
  }
  return undefined;
}

function tokensOf(part: string): readonly Token[] {
  // In a shell's pattern `@(a|b)` can be any text.
  const plain = part.replace(/[?*+@!]\(.*\)/g, "*");
  return plain.match(/\\.|\[[!^]?\]?[^\]]*\]|[\s\S]/gu) ?? [];
}

function anyMeet(some: readonly Parts[], others: readonly Parts[]): boolean {
  return some.some((one) => others.some((other) => sequencesMeet(one, other, (part) => part === "**", partsMeet)));
}

function partsMeet(one: readonly Token[] | "**", other: readonly Token[] | "**"): boolean {
  return one === "**" || other === "**" || sequencesMeet(one, other, (token) => token === "*", tokensMeet);
}

/**
 * Is there a sequence that both patterns describe? `isMany` says which elements stand for any number of others. Takes
 * time proportional to the product of both lengths.
 */
function sequencesMeet<T extends object | string>(
  one: readonly T[],
  other: readonly T[],
  isMany: (element: T) => boolean,
  isPair: (a: T, b: T) => boolean,
): boolean {
  // `row[j]`: do the elements of `one` from `i` on and those of `other` from `j` on meet? `next` is the row of `i + 1`.
  let next: readonly boolean[] = [];
  for (let i = one.length; i >= 0; i--) {
    const row: boolean[] = [];
    for (let j = other.length; j >= 0; j--) {
      const a = one[i];
      const b = other[j];
      if (a === undefined && b === undefined) row[j] = true;
      else if ((a !== undefined && isMany(a)) || (b !== undefined && isMany(b))) {
        row[j] = next[j] === true || row[j + 1] === true;
      } else row[j] = a !== undefined && b !== undefined && next[j + 1] === true && isPair(a, b);
    }
    next = row;
  }
  return next[0] === true;
}

function tokensMeet(one: Token, other: Token): boolean {
  if (one === "?" || other === "?") return true;
  const a = rangesOf(one);
  const b = rangesOf(other);
  // A set of excluded characters leaves some character for any other set.
  if (a.isExcluded && b.isExcluded) return true;
  const share = a.ranges.some(([from, to]) => b.ranges.some(([start, end]) => from <= end && start <= to));
  if (!a.isExcluded && !b.isExcluded) return share;
  const single = [a, b].find(({ isExcluded }) => !isExcluded)?.ranges ?? [];
  return single.length > 1 || single.some(([from, to]) => from !== to) || !share;
}

interface Characters {
  readonly ranges: readonly (readonly [string, string])[];
  readonly isExcluded: boolean;
}

function rangesOf(token: Token): Characters {
  if (token.length < 3 || !token.startsWith("[")) {
    const char = token.replace(/^\\(?=.)/u, "");
    return { ranges: [[char, char]], isExcluded: false };
  }
  const isExcluded = token[1] === "!" || token[1] === "^";
  const inside = token.slice(isExcluded ? 2 : 1, -1);
  const ranges = inside.match(/[\s\S]-[\s\S]|[\s\S]/gu)?.map((text): [string, string] => {
    const [from = "", dash, to] = [...text];
    return dash === "-" && to !== undefined ? [from, to] : [from, from];
  });
  return { ranges: ranges ?? [], isExcluded };
}
