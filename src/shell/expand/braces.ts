import type { Part, Parts } from "../parse/syntax.ts";

const MAX_WORDS = 256;
const MAX_DEPTH = 20;

/** Brace expansion of `a{b,c}` and `{1..3}`, the first expansion of all. Undefined when there are too many words. */
export function expandBraces(parts: Parts): readonly Parts[] | undefined {
  if (!parts.some((part) => part.kind === "text" && !part.quoted && part.text.includes("{"))) return [parts];
  const tokens = parts.flatMap(tokensOf);
  const words = combine(tokens, matching(tokens), 0, tokens.length, 0);
  return words && words.length > 1 ? words.map(rejoined) : words;
}

/** Bash expands braces as text: parts that become neighbours are read again as one text, as in `$a{b,c}`. */
function rejoined(parts: Parts): Parts {
  const joined: Part[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    const bare = part.kind === "text" && !part.quoted ? part : undefined;
    if (last?.kind === "variable" && bare && /^\$[A-Za-z_]\w*$/.test(last.text) && /^\w/.test(bare.text)) {
      const more = /^\w+/.exec(bare.text)?.[0] ?? "";
      joined[joined.length - 1] = { ...last, name: last.name + more, text: last.text + more };
      if (more.length < bare.text.length) joined.push({ ...bare, text: bare.text.slice(more.length) });
    } else if (last?.kind === "text" && !last.quoted && last.text.endsWith("$")) {
      const text = last.text + part.text;
      joined[joined.length - 1] = {
        kind: "opaque",
        text,
        quoted: false,
        inside: [part],
        script: undefined,
        assigns: [],
      };
    } else if (last?.kind === "text" && !last.quoted && bare) {
      joined[joined.length - 1] = { ...last, text: last.text + bare.text };
    } else {
      joined.push(part);
    }
  }
  return joined;
}

type Mark = "{" | "," | "}";
type Token = Part | Mark;

function tokensOf(part: Part): Token[] {
  if (part.kind !== "text" || part.quoted) return [part];
  return part.text
    .split(/([{},])/)
    .filter((piece) => piece !== "")
    .map((piece): Token => (isMark(piece) ? piece : { ...part, text: piece }));
}

function isMark(piece: Token | string): piece is Mark {
  return piece === "{" || piece === "," || piece === "}";
}

/** The closing brace of each opening brace. */
function matching(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>();
  const open: number[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token === "{") open.push(index);
    const start = token === "}" ? open.pop() : undefined;
    if (start !== undefined) pairs.set(start, index);
  }
  return pairs;
}

function combine(
  tokens: readonly Token[],
  pairs: ReadonlyMap<number, number>,
  from: number,
  to: number,
  depth: number,
): readonly Parts[] | undefined {
  let words: readonly Parts[] = [[]];
  for (let at = from; at < to; at++) {
    const token = tokens[at];
    const end = token === "{" ? pairs.get(at) : undefined;
    const choices = end === undefined ? "literal" : alternatives(tokens, pairs, at, end, depth);
    if (choices === undefined) return undefined;
    const next = choices === "literal" ? [[plain(token)]] : choices;
    if (words.length * next.length > MAX_WORDS) return undefined;
    // Appends in place: copying the list for each part of a long word would take quadratic time.
    if (next.length === 1) for (const word of words) (word as Part[]).push(...(next[0] ?? []));
    else words = words.flatMap((word) => next.map((choice) => [...word, ...choice]));
    if (choices !== "literal" && end !== undefined) at = end;
  }
  return words;
}

function alternatives(
  tokens: readonly Token[],
  pairs: ReadonlyMap<number, number>,
  start: number,
  end: number,
  depth: number,
): readonly Parts[] | "literal" | undefined {
  const commas: number[] = [];
  for (let at = start + 1; at < end; at++) {
    if (tokens[at] === ",") commas.push(at);
    else if (tokens[at] === "{") at = pairs.get(at) ?? at;
  }
  if (commas.length === 0) return range(tokens.slice(start + 1, end));
  if (depth >= MAX_DEPTH || commas.length >= MAX_WORDS) return undefined;
  const choices: Parts[] = [];
  for (const [index, edge] of [...commas, end].entries()) {
    const inner = combine(tokens, pairs, (index === 0 ? start : (commas[index - 1] ?? start)) + 1, edge, depth + 1);
    if (!inner) return undefined;
    choices.push(...inner);
  }
  return choices;
}

function range(tokens: readonly Token[]): readonly Parts[] | "literal" | undefined {
  const [only, more] = tokens;
  if (more !== undefined || only === undefined || isMark(only) || only.kind !== "text") return "literal";
  const numbers = /^(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.(-?\d{1,9}))?$/.exec(only.text);
  const letters = /^([a-z])\.\.([a-z])(?:\.\.(-?\d{1,9}))?$|^([A-Z])\.\.([A-Z])(?:\.\.(-?\d{1,9}))?$/.exec(only.text);
  if (numbers) {
    const [, first = "", last = "", step] = numbers;
    const width = [first, last].some((end) => /^-?0\d/.test(end)) ? Math.max(first.length, last.length) : 0;
    return steps(Number(first), Number(last), step, (value) => padded(value, width));
  }
  if (letters) {
    const [first = "", last = "", step] = letters.slice(1).filter((group) => group !== undefined);
    return steps(first.charCodeAt(0), last.charCodeAt(0), step, (code) => String.fromCharCode(code));
  }
  return /^[^.]+\.\.[^.]+/.test(only.text) ? undefined : "literal";
}

function steps(
  first: number,
  last: number,
  step: string | undefined,
  show: (value: number) => string,
): readonly Parts[] | undefined {
  const size = Math.abs(Number(step ?? 1)) || 1;
  const count = Math.floor(Math.abs(last - first) / size) + 1;
  if (count > MAX_WORDS) return undefined;
  const sign = last < first ? -1 : 1;
  return Array.from({ length: count }, (_, index) => [
    { kind: "text", text: show(first + sign * size * index), quoted: true },
  ]);
}

function padded(value: number, width: number): string {
  const digits = String(Math.abs(value));
  return value < 0 ? `-${digits.padStart(width - 1, "0")}` : digits.padStart(width, "0");
}

function plain(token: Token | undefined): Part {
  if (token === undefined) return { kind: "text", text: "", quoted: false };
  return isMark(token) ? { kind: "text", text: token, quoted: false } : token;
}

export function hasBrace(parts: Parts): boolean {
  return parts.some((part) => part.kind === "text" && !part.quoted && part.text.includes("{"));
}
