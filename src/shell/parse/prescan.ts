/**
 * A look over a long text before the parser sees it: how much there is to read besides data in quotes and
 * here-documents, and where long rows of plain words stand, which need no parser. Everything goes from one sign that
 * matters to the next by a search: most of a long text is never looked at by the character.
 */
import { Unreadable } from "./syntax.ts";

/** Shorter texts cost little whatever they hold. */
export const SHORT = 6 * 1024;
/** Words and signs outside of data. Nobody writes so many on one line, and each costs some time. */
const MAX_PIECES = 8000;
export const TOO_LONG = "more than 8,000 words and signs";
/** What a row of plain words is written with; a text that uses it hides nothing. */
export const HIDDEN = "\x1f";

export interface Prescanned {
  /** The text with each row as a single word of the same length. */
  readonly text: string;
  /** The rows by where they begin. */
  readonly rows: ReadonlyMap<number, string>;
}

const NO_ROWS: ReadonlyMap<number, string> = new Map();

const STOP = /['"\\`()}#<$]/g;
const QUOTED_STOP = /["\\`$]/g;
const ANSI_END = /['\\]/g;
const PIECE = /[\w./:@%+,=~^\x80-\uffff-]+|[^\s\w./:@%+,=~^\x80-\uffff-]/g;
/** The same in arithmetic. */
const TERM = /\w+|[^\s\w]/g;
const ROW = / [\w./:@%+,= -]{200,}/g;
/** What stands before a row or ends it may give its words a meaning: those at its ends are left to the parser. */
const FIRST_WORDS = / +(?:[\w./:@%+,=-]+ +){8}/y;
const HEREDOC = /<<(-?)[ \t]*(?:'([^'\n]*)'|"([^"\n]*)"|\\?([^\s;&|<>()'"`$\\]+))/y;
const EXPANDS = /[$`]/g;
const SHORT_STRETCH = 24;
const COUNTED_AT_ONCE = 8 * 1024;
/** What stands in them is read by the parser once more. */
const MORE_FOR_EXPANSIONS = 2;
/** Here-documents whose end is not found; each costs a search through the rest of the text. */
const MAX_MISSES = 20;

/** Throws `Unreadable` when there is too much to read. */
export function prescan(text: string, hides: boolean): Prescanned {
  if (text.length <= SHORT) return { text, rows: NO_ROWS };
  return new Prescan(text, hides && !text.includes(HIDDEN)).read();
}

class Prescan {
  readonly #text: string;
  readonly #hides: boolean;
  /** What is open, innermost last: a quote, a parenthesis, a backtick, a brace after a dollar. */
  readonly #open: string[] = [];
  #at = 0;
  #pieces = 0;
  #misses = 0;
  /** The end of the line with here-documents, and of their texts. */
  #bodyFrom = Number.POSITIVE_INFINITY;
  #bodyTo = 0;
  /** How much was open when arithmetic began. */
  #arithmetic = Number.POSITIVE_INFINITY;
  readonly #rows = new Map<number, string>();
  #out = "";
  #copied = 0;

  constructor(text: string, hides: boolean) {
    this.#text = text;
    this.#hides = hides;
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
      if (stop < text.length) this.#sign(text[stop] as string, quoted);
    }
    return this.#copied === 0
      ? { text, rows: NO_ROWS }
      : { text: this.#out + text.slice(this.#copied), rows: this.#rows };
  }

  #count(pieces: number): void {
    this.#pieces += pieces;
    if (this.#pieces > MAX_PIECES) throw new Unreadable(TOO_LONG);
  }

  #sign(sign: string, quoted: boolean): void {
    const top = this.#open.at(-1);
    const start = this.#at++;
    // Signs inside of quotes are data, but for those that run something.
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

  /** What follows on the lines after this one is data, but for what is expanded in it. */
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

  /** The end of the line that is the delimiter. */
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

  /** Words with nothing between them that could begin or end anything but words and commands. */
  #stretch(from: number, to: number): void {
    const length = to - from;
    if (length <= SHORT_STRETCH) {
      this.#count(1 + (length >> 3));
      return;
    }
    const stretch = this.#text.slice(from, to);
    let counted = 0;
    if (this.#hides && this.#open.length === 0) {
      for (const { 0: row, index } of stretch.matchAll(ROW)) {
        FIRST_WORDS.lastIndex = 0;
        const start = FIRST_WORDS.test(row) ? FIRST_WORDS.lastIndex : row.length;
        const end = row.lastIndexOf(" ");
        if (start >= end) continue;
        this.#countIn(stretch.slice(counted, index + start));
        this.#rows.set(from + index + start, row.slice(start, end));
        this.#out += this.#text.slice(this.#copied, from + index + start) + HIDDEN.repeat(end - start);
        counted = index + end;
        this.#copied = from + counted;
      }
    }
    this.#countIn(counted === 0 ? stretch : stretch.slice(counted));
  }

  /** Bit by bit: of much too much not everything is counted. */
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
