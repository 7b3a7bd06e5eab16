import { prescan, SHORT } from "./prescan.ts";
import { TOO_DEEP, Unreadable } from "./syntax.ts";

/** Longer texts are read after `oversize.ts` has removed what is only data. */
export const MAX_BYTES = 160 * 1024;
export const TOO_LARGE = "larger than 160 kB";
const MAX_HEREDOCS = 1000;
/** Of parentheses and braces in a row. The parser has a limit for each construct, and some open two parentheses. */
const MAX_OPEN = 400;
/** Levels of nesting times characters: 200 levels around 5,000 characters, or 10 around 100,000. */
const MAX_WEIGHT = 1_000_000;
const NAMED_REDIRECTION = /\{[A-Za-z_][A-Za-z0-9_]{0,63}\}[<>]/y;
const BRACKET = /[(){}]/g;
const DOLLAR = 36;
const PAREN_OPEN = 40;
const PAREN_CLOSE = 41;
const BRACE_OPEN = 123;
const BRACE_CLOSE = 125;

export interface Masked {
  readonly text: string;
  /** Runs of literal words that are replaced by filler words in it, by their position. */
  readonly runs: ReadonlyMap<number, string> | undefined;
  unmask(text: string): string;
}

/**
 * Prepares a text so that the parser takes linear time for it, and refuses texts that nobody writes in earnest.
 * The parser searches for the end of every brace that may begin an expansion, which takes minutes for 100,000 braces.
 * Such braces are masked by a character that the text does not contain; brace expansion does not need the parser.
 */
export function guardText(text: string, hideRuns = true): Masked {
  if (text.length > MAX_BYTES || (text.length > MAX_BYTES / 3 && Buffer.byteLength(text) > MAX_BYTES))
    throw new Unreadable(TOO_LARGE);
  if (text.length <= SHORT && !(text.includes("(") || text.includes("{") || text.includes("<<") || text.includes("\0")))
    return { text, runs: undefined, unmask: asItIs };
  if (text.includes("\0")) throw new Unreadable("contains a NUL character");
  if (heredocs(text) > MAX_HEREDOCS) throw new Unreadable("too many here-documents");
  if (mayBeDeep(text)) {
    const { deepest, weight } = nesting(text);
    if (deepest > MAX_OPEN || weight > MAX_WEIGHT) throw new Unreadable(TOO_DEEP);
  }
  if (text.length <= SHORT) return mask(text, undefined);
  const prescanned = prescan(text, hideRuns);
  return mask(prescanned.text, prescanned.runs.size > 0 ? prescanned.runs : undefined);
}

function asItIs(plain: string): string {
  return plain;
}

function mask(text: string, runs: Masked["runs"]): Masked {
  const stand = standIn(text);
  let masked = "";
  let from = 0;
  for (let at = text.indexOf("{"); at >= 0; at = text.indexOf("{", at + 1)) {
    if (!mayExpand(text, at)) continue;
    masked += text.slice(from, at) + stand;
    from = at + 1;
  }
  if (from === 0) return { text, runs, unmask: asItIs };
  return {
    text: masked + text.slice(from),
    runs,
    unmask: (hidden) => (hidden.includes(stand) ? hidden.replaceAll(stand, "{") : hidden),
  };
}

/** A character that the text does not contain. */
function standIn(text: string): string {
  for (let code = 0xf8f0; code >= 0xe000; code--) {
    const candidate = String.fromCharCode(code);
    if (!text.includes(candidate)) return candidate;
  }
  throw new Unreadable("uses every private character");
}

/** Whether a brace may begin a brace expansion: not `${`, the reserved word `{`, `{}` or `{name}` of a redirection. */
function mayExpand(text: string, at: number): boolean {
  let next = at + 1;
  while (text.startsWith("\\\n", next)) next += 2;
  if (next >= text.length || " \t\n;&|()<>}".includes(text[next] ?? "")) return false;
  if (text[at - 1] === "$" && backslashes(text, at - 1) % 2 === 0) return false;
  NAMED_REDIRECTION.lastIndex = at;
  return !NAMED_REDIRECTION.test(text);
}

function backslashes(text: string, at: number): number {
  let count = 0;
  while (text[at - 1 - count] === "\\") count++;
  return count;
}

function heredocs(text: string): number {
  return countUpTo(text, "<<", MAX_HEREDOCS + 1);
}

function countUpTo(text: string, what: string, most: number): number {
  let count = 0;
  for (let at = text.indexOf(what); at >= 0 && count < most; at = text.indexOf(what, at + what.length)) count++;
  return count;
}

/** A text with few opening brackets cannot be nested deeply, and need not be examined by the character. */
function mayBeDeep(text: string): boolean {
  const braces = countUpTo(text, "${", MAX_OPEN);
  const heavy = Math.floor(MAX_WEIGHT / text.length);
  return braces + countUpTo(text, "(", MAX_OPEN) >= MAX_OPEN || braces + countUpTo(text, "$(", heavy + 1) > heavy;
}

/**
 * `deepest`: how many constructs are opened in a row without one being closed. `weight`: how much the parser has to
 * read, since it reads the text of a substitution again for every substitution around it.
 */
function nesting(text: string): { readonly deepest: number; readonly weight: number } {
  let run = 0;
  let deepest = 0;
  let open = 0;
  let since = 0;
  let weight = 0;
  BRACKET.lastIndex = 0;
  while (BRACKET.test(text)) {
    const at = BRACKET.lastIndex - 1;
    const code = text.charCodeAt(at);
    const expands = at > 0 && text.charCodeAt(at - 1) === DOLLAR;
    if (code === PAREN_OPEN || (code === BRACE_OPEN && expands)) {
      run++;
      if (run > deepest) deepest = run;
    } else if (code === PAREN_CLOSE || code === BRACE_CLOSE) run = 0;
    else continue;
    weight += open * (at - since);
    since = at;
    if (run === 0) open = open > 0 ? open - 1 : 0;
    else if (expands) open++;
  }
  return { deepest, weight: weight + open * (text.length - since) };
}
