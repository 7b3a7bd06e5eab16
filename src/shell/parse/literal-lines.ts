import type { Connector, Node, Parts, RedirectNode, Script, SimpleNode, Statement } from "./syntax.ts";
import { MAX_COMMANDS } from "./syntax.ts";

/** Reserved words: they have another meaning where a command begins. */
const RESERVED = new Set(
  "if then elif else fi for while until do done case esac in select function time coproc".split(" "),
);
const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/;
/** A redirection with a file descriptor of up to three digits; `>&` only when it copies a descriptor. */
const REDIRECTION = /(\d{0,3})(>>|>&(?=\d)|>(?![>&|(])|<(?![<>&(]))[ \t]*|&>>?[ \t]*/y;
const NONE: readonly never[] = [];
const [BLANK, LITERAL] = [1, 2];
const CLASSES = new Uint8Array(128);
for (const letter of " \t") CLASSES[letter.charCodeAt(0)] = BLANK;
for (let code = 33; code < 127; code++) {
  if (/[\w./:@%+,=~^-]/.test(String.fromCharCode(code))) CLASSES[code] = LITERAL;
}
const [NEWLINE, DOUBLE, AMPERSAND, SINGLE, ZERO, NINE] = [10, 34, 38, 39, 48, 57];
const [SEMICOLON, LESS, GREATER, BAR] = [59, 60, 62, 124];

/**
 * The tree of a line of literal words, fully quoted words without expansions, pipes, lists and common redirections;
 * undefined for any other line, which is left to the parser. Most lines are literal. A process that decides one event
 * need not load the parser for them, which halves the time of its first line (2.5 ms to 1.3 ms for `ls -la src`).
 */
export function parseLiteralLine(text: string): Script | undefined {
  const line = new LiteralLine(text);
  const statements: Statement[] = [];
  let joined: Connector = "";
  for (line.skip(true); !line.isOver; line.skip(true)) {
    const node = line.chain();
    if (!node) return undefined;
    statements.push({ node, joined, background: false });
    if (line.isOver) break;
    if (line.takes(SEMICOLON)) joined = ";";
    else if (line.takes(NEWLINE)) joined = "\n";
    else return undefined;
  }
  return statements.length === 0 ? undefined : { statements };
}

/** Each method reads on from where the last one ended, and returns undefined for what is not literal. */
class LiteralLine {
  readonly #text: string;
  #at = 0;
  #commands = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isOver(): boolean {
    return this.#at >= this.#text.length;
  }

  takes(code: number): boolean {
    if (this.#text.charCodeAt(this.#at) !== code) return false;
    this.#at += 1;
    return true;
  }

  skip(newlines = false): void {
    for (; this.#at < this.#text.length; this.#at++) {
      const code = this.#text.charCodeAt(this.#at);
      if (CLASSES[code] !== BLANK && !(newlines && code === NEWLINE)) return;
    }
  }

  chain(): Node | undefined {
    const first = this.#pipeline();
    if (!first) return undefined;
    const items = [first];
    const operators: ("&&" | "||")[] = [];
    for (let operator = this.#operator(); operator; operator = this.#operator()) {
      this.skip();
      const item = this.#pipeline();
      if (!item) return undefined;
      operators.push(operator);
      items.push(item);
    }
    return operators.length === 0 ? first : { kind: "chain", items, operators };
  }

  #operator(): "&&" | "||" | undefined {
    const code = this.#text.charCodeAt(this.#at);
    if ((code !== AMPERSAND && code !== BAR) || this.#text.charCodeAt(this.#at + 1) !== code) return undefined;
    this.#at += 2;
    return code === BAR ? "||" : "&&";
  }

  #pipeline(): Node | undefined {
    const first = this.#simple();
    if (!first) return undefined;
    const items = [first];
    while (this.#text.charCodeAt(this.#at) === BAR && this.#text.charCodeAt(this.#at + 1) !== BAR) {
      this.#at += 1;
      this.skip();
      const item = this.#simple();
      if (!item) return undefined;
      items.push(item);
    }
    if (items.length === 1) return first;
    return { kind: "pipeline", items, operators: items.slice(1).map(() => "|" as const), negated: false };
  }

  #simple(): SimpleNode | undefined {
    const start = this.#at;
    const words: Parts[] = [];
    const redirects: RedirectNode[] = [];
    let end = start;
    for (; ; this.skip()) {
      const head = this.#redirection();
      if (!head && this.#isAtEnd()) break;
      const word = this.#word(words.length === 0 && !head);
      if (!word) return undefined;
      if (head) redirects.push({ ...head, target: word, body: undefined });
      else words.push(word);
      end = this.#at;
    }
    if (words.length === 0 || ++this.#commands > MAX_COMMANDS) return undefined;
    return { kind: "simple", at: { start, end }, assignments: NONE, redirects, words };
  }

  #redirection(): Pick<RedirectNode, "operator" | "fd"> | undefined {
    const code = this.#text.charCodeAt(this.#at);
    if (code !== LESS && code !== GREATER && code !== AMPERSAND && !(code >= ZERO && code <= NINE)) return undefined;
    REDIRECTION.lastIndex = this.#at;
    const found = REDIRECTION.exec(this.#text);
    if (!found) return undefined;
    this.#at = REDIRECTION.lastIndex;
    const [whole, fd, operator] = found;
    return { operator: operator ?? whole.trimEnd(), fd: fd ? Number(fd) : undefined };
  }

  #isAtEnd(): boolean {
    const code = this.#text.charCodeAt(this.#at);
    return code === BAR || code === AMPERSAND || code === SEMICOLON || code === NEWLINE || this.isOver;
  }

  #word(isFirst: boolean): Parts | undefined {
    const text = this.#text;
    const start = this.#at;
    const code = text.charCodeAt(start);
    if (code === DOUBLE || code === SINGLE) {
      const close = text.indexOf(code === DOUBLE ? '"' : "'", start + 1);
      if (close < 0) return undefined;
      const inside = text.slice(start + 1, close);
      if (code === DOUBLE && /[$`\\]/.test(inside)) return undefined;
      this.#at = close + 1;
      return this.#ends() ? [{ kind: "text", text: inside, quoted: true }] : undefined;
    }
    while (this.#at < text.length && CLASSES[text.charCodeAt(this.#at)] === LITERAL) this.#at++;
    const word = text.slice(start, this.#at);
    if (word === "" || !this.#ends() || ASSIGNMENT.test(word) || (isFirst && RESERVED.has(word))) return undefined;
    return [{ kind: "text", text: word, quoted: false }];
  }

  /** A word with another part after this one is not literal. */
  #ends(): boolean {
    return this.#isAtEnd() || CLASSES[this.#text.charCodeAt(this.#at)] === BLANK;
  }
}
