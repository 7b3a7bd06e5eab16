/**
 * Scans a long text before it is parsed. It counts how much there is to parse besides data in quotes and
 * here-documents, and replaces long runs of literal words, which need no parser, by one filler word each. It searches
 * from one significant character to the next, so that most characters of a long text are never looked at.
 */
import { Unreadable } from "./syntax.ts";

/** Shorter texts are cheap to parse whatever they contain, and are not scanned. */
export const SHORT = 6 * 1024;
/** Words and operators outside of data; each costs time. Nobody writes so many on one line. */
const MAX_PIECES = 8000;
export const TOO_LONG = "more than 8,000 words and signs";
/** The character of a filler word. Of a text that contains it nothing is replaced. */
export const FILLER = "\x1f";

export interface Prescanned {
  /** The text with a filler word of the same length for each run of words. */
  readonly text: string;
  /** The replaced runs by their position. */
  readonly runs: ReadonlyMap<number, string>;
}

const NO_RUNS: ReadonlyMap<number, string> = new Map();

const STOP = /['"\\`()}#<$]/g;
const QUOTED_STOP = /["\\`$]/g;
const ANSI_END = /['\\]/g;
const PIECE = /[\w./:@%+,=~^\x80-\uffff-]+|[^\s\w./:@%+,=~^\x80-\uffff-]/g;
/** The pieces of arithmetic. */
const TERM = /\w+|[^\s\w]/g;
const RUN = / [\w./:@%+,= -]{200,}/g;
/** The text around a run may give its first and last words another meaning, so the parser gets those. */
const FIRST_WORDS = / +(?:[\w./:@%+,=-]+ +){8}/y;
const HEREDOC = /<<(-?)[ \t]*(?:'([^'\n]*)'|"([^"\n]*)"|\\?([^\s;&|<>()'"`$\\]+))/y;
const EXPANDS = /[$`]/g;
const SHORT_STRETCH = 24;
const COUNTED_AT_ONCE = 8 * 1024;
/** The parser reads the inside of an expansion a second time. */
const MORE_FOR_EXPANSIONS = 2;
/** Here-documents without an end; each costs a search through the rest of the text. */
const MAX_MISSES = 20;

/** Throws `Unreadable` when there is too much to parse. */
export function prescan(text: string, hideRuns: boolean): Prescanned {
  if (text.length <= SHORT) return { text, runs: NO_RUNS };
  return new Prescan(text, hideRuns && !text.includes(FILLER)).read();
}

class Prescan {
  readonly #text: string;
  readonly #hideRuns: boolean;
  /** Open constructs, innermost last: a double quote, a parenthesis, a backtick, a brace after a dollar sign. */
  readonly #open: string[] = [];
  #at = 0;
  #pieces = 0;
  #misses = 0;
  /** The bodies of the here-documents of this line. */
  #bodyFrom = Number.POSITIVE_INFINITY;
  #bodyTo = 0;
  /** The number of open constructs where arithmetic began. */
  #arithmetic = Number.POSITIVE_INFINITY;
  readonly #runs = new Map<number, string>();
  #out = "";
  #copied = 0;

  constructor(text: string, hideRuns: boolean) {
    this.#text = text;
    this.#hideRuns = hideRuns;
  }

  read(): Prescanned {
    const text = this.#text;
    while (this.#at < text.length) {
      const quoted = this.#open.at(-1) === '"';
      const stops = quoted ? QUOTED_STOP : STOP;
      stops.lastIndex = this.#at;
      const stop = stops.test(text) ? stops.lastIndex - 1 : text.length;
      const end = Math.min(stop, this.#bodyFrom);
      if (!quoted && end > this.#at) this.#stretch(this.#at, end);
      if (end < stop || (stop === text.length && this.#bodyFrom <= stop)) {
        this.#at = this.#bodyTo;
        this.#bodyFrom = Number.POSITIVE_INFINITY;
        continue;
      }
      this.#at = stop;
      if (stop < text.length) this.#special(text[stop] as string, quoted);
    }
    return this.#copied === 0
      ? { text, runs: NO_RUNS }
      : { text: this.#out + text.slice(this.#copied), runs: this.#runs };
  }

  #count(pieces: number): void {
    this.#pieces += pieces;
    if (this.#pieces > MAX_PIECES) throw new Unreadable(TOO_LONG);
  }

  /** One significant character. Between double quotes only those count that begin an expansion. */
  #special(sign: string, quoted: boolean): void {
    const top = this.#open.at(-1);
    const start = this.#at++;
    if (sign === "\\") {
      this.#at++;
      if (!quoted) this.#count(1);
      return;
    }
    if (sign === "#") {
      if (start === 0 || " \t\n;&|(".includes(this.#text[start - 1] as string)) this.#at = this.#find("\n", start);
      return;
    }
    this.#count(1);
    if (sign === "'") this.#at = this.#find("'", this.#at) + 1;
    else if (sign === '"' || sign === "`") {
      if (top === sign) this.#open.pop();
      else this.#open.push(sign);
    } else if (sign === "(") {
      if (this.#text[start - 1] === "(" && top === "(")
        this.#arithmetic = Math.min(this.#arithmetic, this.#open.length);
      this.#open.push("(");
    } else if (sign === ")" || sign === "}") {
      if (top === (sign === ")" ? "(" : "{")) this.#open.pop();
      if (this.#open.length < this.#arithmetic) this.#arithmetic = Number.POSITIVE_INFINITY;
    } else if (sign === "<") this.#heredoc(start);
    else this.#dollar(quoted);
  }

  #dollar(quoted: boolean): void {
    const next = this.#text[this.#at];
    if (next === "(" || next === "{") {
      this.#open.push(next);
      this.#count(MORE_FOR_EXPANSIONS);
    } else if (next !== "'" || quoted) return;
    this.#at++;
    if (next !== "'") return;
    ANSI_END.lastIndex = this.#at;
    while (ANSI_END.test(this.#text)) {
      this.#at = ANSI_END.lastIndex;
      if (this.#text[this.#at - 1] === "'") return;
      ANSI_END.lastIndex = this.#at + 1;
    }
    this.#at = this.#text.length;
  }

  /** The lines after this one are the body: data, except for the expansions in it. */
  #heredoc(start: number): void {
    if (this.#text[this.#at] !== "<" || this.#misses > MAX_MISSES) return;
    if (this.#text[this.#at + 1] === "<") {
      this.#at += 2;
      return;
    }
    HEREDOC.lastIndex = start;
    const found = HEREDOC.exec(this.#text);
    if (!found) return;
    const [whole, dash, single, double, bare] = found;
    const line = this.#bodyFrom === Number.POSITIVE_INFINITY ? this.#find("\n", start) : this.#bodyFrom;
    const from = this.#bodyFrom === Number.POSITIVE_INFINITY ? line : this.#bodyTo;
    const end = this.#endOf(from, single ?? double ?? bare ?? "", dash === "-");
    if (end < 0) {
      this.#misses++;
      return;
    }
    this.#at = start + whole.length;
    this.#bodyFrom = line;
    this.#bodyTo = end;
    if (bare !== undefined) this.#count(2 * (this.#text.slice(from, end).match(EXPANDS)?.length ?? 0));
  }

  /** The end of the line that consists of the delimiter. */
  #endOf(from: number, delimiter: string, tabs: boolean): number {
    const text = this.#text;
    for (let at = text.indexOf(delimiter, from + 1); at >= 0; at = text.indexOf(delimiter, at + 1)) {
      const after = text[at + delimiter.length];
      if (after !== undefined && after !== "\n") continue;
      let begins = at;
      while (tabs && text[begins - 1] === "\t") begins--;
      if (text[begins - 1] === "\n") return at + delimiter.length;
    }
    return -1;
  }

  /** Counts a stretch without significant characters, and replaces the runs of literal words in it. */
  #stretch(from: number, to: number): void {
    const length = to - from;
    if (length <= SHORT_STRETCH) {
      this.#count(1 + (length >> 3));
      return;
    }
    const stretch = this.#text.slice(from, to);
    let counted = 0;
    if (this.#hideRuns && this.#open.length === 0) {
      for (const { 0: run, index } of stretch.matchAll(RUN)) {
        FIRST_WORDS.lastIndex = 0;
        const start = FIRST_WORDS.test(run) ? FIRST_WORDS.lastIndex : run.length;
        const end = run.lastIndexOf(" ");
        if (start >= end) continue;
        this.#countIn(stretch.slice(counted, index + start));
        this.#runs.set(from + index + start, run.slice(start, end));
        this.#out += this.#text.slice(this.#copied, from + index + start) + FILLER.repeat(end - start);
        counted = index + end;
        this.#copied = from + counted;
      }
    }
    this.#countIn(counted === 0 ? stretch : stretch.slice(counted));
  }

  /** Counts part by part, so that a text far over the limit is not counted to its end. */
  #countIn(stretch: string): void {
    const piece = this.#arithmetic < Number.POSITIVE_INFINITY ? TERM : PIECE;
    for (let at = 0; at < stretch.length; at += COUNTED_AT_ONCE)
      this.#count(stretch.slice(at, at + COUNTED_AT_ONCE).match(piece)?.length ?? 0);
  }

  #find(what: string, from: number): number {
    const found = this.#text.indexOf(what, from);
    return found < 0 ? this.#text.length : found;
  }
}
