import type { Command } from "../command.ts";
import { PLACEHOLDER } from "../placeholders.ts";
import { Unreadable } from "./syntax.ts";
import { TOO_LARGE } from "./text-guard.ts";

/** No system has longer paths, so a longer word names no program and no file. */
const LONGEST_WORD = 4096;
const LONGEST_STRETCH = 16 * 1024;
const KEPT = 1024;
const MAX_BODIES = 200;
/** With an unquoted delimiter the body must not contain expansions. */
const HEREDOC = /<<[ \t]*(?:'([\w.-]+)'|"([\w.-]+)"|([A-Za-z_]\w*)(?![\w.'"\\$`-]))/y;
const PRIVATE = /[\uf000-\uf0ff]/;
/** Programs that print, write or count their words and input, and run none of it. */
export const HANDLE_DATA: ReadonlySet<string> = new Set(
  ["", "echo", "printf", "cat", "tee", ":", "true", "false", "wc", "ls", "pwd", "cd", "mkdir", "test", "["].concat(
    "head tail grep date touch".split(" "),
  ),
);

/** A text that was too large to parse, without the parts that are only data. */
export interface ShortenedText {
  readonly text: string;
  /** The stand-ins for bodies of here-documents; parsing must show that each of them is one. */
  readonly bodies: readonly string[];
}

/** Replaces each removed part by a placeholder, the same for the same text. Takes linear time. */
export function shortenText(text: string): ShortenedText {
  if (PRIVATE.test(text)) throw new Unreadable(TOO_LARGE);
  const bodies: string[] = [];
  const short = withoutBodies(text, bodies);
  return { text: withoutPadding(short), bodies };
}

/** Throws unless every command of a shortened text only handles data, and every removed part was data. */
export function checkShortened({ bodies }: ShortenedText, commands: readonly Command[]): void {
  if (!commands.every(({ program }) => HANDLE_DATA.has(program ?? "?"))) throw new Unreadable(TOO_LARGE);
  const found = new Set(commands.flatMap(({ redirections }) => redirections.map(({ body }) => body?.shape)));
  if (!bodies.every((body) => found.has(`${body}\n`))) throw new Unreadable(TOO_LARGE);
}

function withoutBodies(text: string, bodies: string[]): string {
  let short = "";
  let from = 0;
  for (let at = text.indexOf("<<"); at >= 0 && bodies.length < MAX_BODIES; at = text.indexOf("<<", at + 2)) {
    HEREDOC.lastIndex = at;
    const [, single, double, bare] = HEREDOC.exec(text) ?? [];
    const delimiter = single ?? double ?? bare;
    const start = delimiter === undefined ? -1 : text.indexOf("\n", at) + 1;
    const end = start <= 0 ? -1 : endOf(text, start, delimiter ?? "");
    if (end < 0) {
      // A body without an end swallows the rest of the text.
      if (delimiter !== undefined) break;
      continue;
    }
    if (end - start > LONGEST_WORD && (bare === undefined || !/[$`\\]/.test(text.slice(start, end)))) {
      const stand = `${PLACEHOLDER}body${bodies.length}`;
      bodies.push(stand);
      short += `${text.slice(from, start)}${stand}\n`;
      from = end;
    }
    at = end;
  }
  return short + text.slice(from);
}

/** The start of the line with the delimiter, or -1. */
function endOf(text: string, start: number, delimiter: string): number {
  for (let at = text.indexOf(`\n${delimiter}`, start - 1); at >= 0; at = text.indexOf(`\n${delimiter}`, at + 1)) {
    const after = text[at + 1 + delimiter.length];
    if (after === undefined || after === "\n") return at + 1;
  }
  return -1;
}

/** Shortens long words, and long runs of words between spaces, which cannot begin or end a construct. */
function withoutPadding(text: string): string {
  const cut = new Map<string, string>();
  const standFor = (part: string): string => {
    const stand = cut.get(part) ?? `${PLACEHOLDER}${cut.size}${PLACEHOLDER}`;
    cut.set(part, stand);
    return stand;
  };
  let short = "";
  let from = 0;
  for (let start = 0; start + LONGEST_WORD < text.length; ) {
    // Searches backwards from the least end of a long word, so that most characters are never looked at.
    let at = start + LONGEST_WORD;
    while (at >= start && isPlain(text.charCodeAt(at))) at--;
    if (at < start) {
      PLAIN.lastIndex = start;
      PLAIN.test(text);
      at = PLAIN.lastIndex;
      short += text.slice(from, start) + shortened(text.slice(start, at), standFor);
      from = at;
    }
    start = at + 1;
  }
  return short + text.slice(from);
}

/** The same characters as in `isPlain`. */
const PLAIN = /[\w ]*/y;

function isPlain(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 32
  );
}

function shortened(stretch: string, standFor: (part: string) => string): string {
  const head = stretch.indexOf(" ", KEPT);
  const tail = stretch.lastIndexOf(" ", stretch.length - KEPT);
  const words = (part: string): string =>
    part
      .split(" ")
      .map((word) =>
        word.length <= LONGEST_WORD
          ? word
          : word.slice(0, KEPT) + standFor(word.slice(KEPT, -KEPT)) + word.slice(-KEPT),
      )
      .join(" ");
  if (stretch.length <= LONGEST_STRETCH || head < 0 || tail <= head) return words(stretch);
  return `${words(stretch.slice(0, head))} ${standFor(stretch.slice(head, tail))}${words(stretch.slice(tail))}`;
}
