import { withTemporary } from "./temporary.ts";

/** One word of PowerShell: bare or quoted, with a hole for what a variable brings. */
export interface PowerWord {
  readonly text: string;
  readonly quoted: boolean;
  /** Behind a comma: one more of the list that the word before it belongs to. */
  readonly listed?: true;
  /** Variables in it, in small letters. */
  readonly names: readonly string[];
}

/** A command of a PowerShell text with its words; `piped` when it reads what the one before it gives. */
export interface PowerCommand {
  readonly words: readonly PowerWord[];
  readonly piped: boolean;
  /** The same number for all commands of a statement: those in its brackets and in its pipe. */
  readonly statement: number;
  /** How many brackets it stands in. */
  readonly depth: number;
}

const HOLE = "\uf0ff";
const VARIABLE = /\$\{?(?:env:)?(\w+)/gi;
const BLANKS = /[\s,]+/y;
const HERE = /@['"][ \t]*\r?\n/y;
const BARE = /(?:[^\s;|{}()&,'"`]|`[\s\S]?)+/y;

/** Nobody writes so many words, and each costs some time. */
const MAX_WORDS = 6000;

/** Splits a text into commands; none when there are too many. Brackets of all kinds begin a command of their own. */
export function powerCommands(script: string, home: string): readonly PowerCommand[] | undefined {
  const text = withTemporary(script);
  const commands: { words: PowerWord[]; piped: boolean; statement: number; depth: number }[] = [];
  const open: string[] = [];
  let statement = 0;
  const begin = (piped: boolean) => commands.push({ words: [], piped, statement, depth: open.length });
  begin(false);
  let count = 0;
  let listed = false;
  const put = (raw: string, quoted: boolean, literal = false) => {
    count++;
    const names = literal ? [] : [...raw.matchAll(VARIABLE)].map(([, name = ""]) => name.toLowerCase());
    const word = { text: literal ? raw : expanded(raw, home), quoted, names };
    commands.at(-1)?.words.push(listed ? { ...word, listed } : word);
    listed = false;
  };
  let at = 0;
  while (at < text.length) {
    if (count > MAX_WORDS || commands.length > MAX_WORDS) return undefined;
    const char = text[at] ?? "";
    if (char === "#" && /^$|\s/.test(text[at - 1] ?? "")) at = until(text, "\n", at);
    else if (text.startsWith("<#", at)) at = until(text, "#>", at) + 2;
    else if (past(HERE, text, at) > at) {
      // A text of several lines, which ends where a line begins with its mark.
      const from = past(HERE, text, at);
      const end = until(text, `\n${text[at + 1]}@`, from - 1);
      put(text.slice(from, end), true, text[at + 1] === "'");
      at = end + 3;
    } else if (/[;\n|{}()&]/.test(char)) {
      const before = text[at - 1] ?? "";
      // A block holds statements of its own; a table, a list, a bracket and what each of a pipe goes through do not.
      const isBlock = char === "{" && before !== "@" && !commands.at(-1)?.piped;
      if (/[({]/.test(char)) open.push(isBlock ? "{" : "(");
      if (/[)}]/.test(char)) open.pop();
      const ends = /[;\n]/.test(char) || /^(?:\|\||&&)/.test(text.slice(at, at + 2));
      if ((ends && open.at(-1) !== "(") || (/[{}]/.test(char) && open.at(-1) !== "(" && before !== "@")) statement++;
      if (char !== "&" || text[at + 1] === "&") begin(char === "|" && text[at + 1] !== "|");
      at += /^(?:\|\||&&)/.test(text.slice(at, at + 2)) ? 2 : 1;
      listed = false;
    } else if (/\s|,/.test(char)) {
      const end = past(BLANKS, text, at);
      listed = text.slice(at, end).includes(",");
      at = end;
    } else if (char === "'" || char === '"') {
      const end = closing(text, at, char);
      const raw = text.slice(at + 1, end);
      if (char === "'") put(raw.replaceAll("''", "'"), true, true);
      else put(raw.replace(/`(.)/g, "$1").replaceAll('""', '"'), true);
      at = end + 1;
    } else {
      const end = bareEnd(text, at);
      put(text.slice(at, end).replaceAll("`", ""), false);
      at = end;
    }
  }
  return commands.filter((command) => command.words.length > 0);
}

/** `$x=1` is a variable, a sign and a value. */
const ASSIGNED = /\$[\w:]+(?=[+]?=)|[+]?=(?=[^=])/y;

function bareEnd(text: string, from: number): number {
  const assigned = past(ASSIGNED, text, from);
  if (assigned > from) return assigned;
  return Math.min(text.length, past(BARE, text, from + 1));
}

function past(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

function closing(text: string, from: number, quote: string): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === "`" && quote === '"') at++;
    else if (text[at] === quote && text[at + 1] === quote) at++;
    else if (text[at] === quote) return at;
  }
  return text.length;
}

function until(text: string, end: string, from: number): number {
  const found = text.indexOf(end, from);
  return found < 0 ? text.length : found;
}

function expanded(text: string, home: string): string {
  if (!/[~$]/.test(text)) return text;
  return text
    .replace(/^~(?=[\\/]|$)/, home)
    .replace(/\$(?:env:)?(?:HOME|USERPROFILE)\b/gi, home)
    .replace(/\$(?:true|false|null)\b/gi, (word) => word.slice(1))
    .replace(/\$\{[^{}]*\}|\$[\w:]+/g, HOLE);
}
