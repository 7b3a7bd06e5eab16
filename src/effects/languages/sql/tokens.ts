/** One piece of an SQL text. A `meta` line is for the client, not for the server. */
export interface SqlToken {
  readonly type: "word" | "name" | "string" | "number" | "mark" | "meta" | "end";
  readonly text: string;
}

export interface SqlDialect {
  /** A backslash in a string hides the next character. */
  readonly backslash?: true;
  /** `#` begins a comment. */
  readonly hash?: true;
  /** `[name]` is a name. */
  readonly brackets?: true;
  /** What begins a line for the client: `\` or `.`. */
  readonly meta?: string;
  /** DROP and TRUNCATE end a transaction, so ROLLBACK brings nothing back. */
  readonly schemaCommits?: true;
}

const ESCAPED_END = /['\\]/g;
const BLANKS = /\s+/y;
const WORD = /[\p{L}\d_$\uf000-\uf0ff]+/uy;
/** A limit on tokens, because each costs time. */
const MAX_TOKENS = 12_000;

/** One more than are read: what follows is not known. */
export function isCut(tokens: readonly SqlToken[]): boolean {
  return tokens.length > MAX_TOKENS;
}

/** Where a text begins a statement that may matter. */
const MATTERS =
  /(?:^|[;()]|\*\/|\/\*!\d*|\$\$)\s*(?:DROP|TRUNCATE|DELETE|UPDATE|ALTER|RESET|PURGE|EXEC|DO|COPY|WITH|EXPLAIN|REMOVE|MATCH|CALL|system|source|\.)|\\[!ig.]/im;

/** Whether a text that is too long to be read may remove anything. */
export function mayRemove(text: string): boolean {
  return MATTERS.test(text);
}

/** Reads an SQL text into pieces. Whatever is open at the end goes to the end. */
export function sqlTokens(text: string, dialect: SqlDialect): readonly SqlToken[] {
  const tokens: SqlToken[] = [];
  let at = 0;
  const put = (type: SqlToken["type"], content: string) => tokens.push({ type, text: content });
  const through = (end: string, from: number): number => {
    const found = text.indexOf(end, from);
    return found < 0 ? text.length : found + end.length;
  };
  const past = (pattern: RegExp): number => {
    pattern.lastIndex = at;
    return pattern.test(text) ? pattern.lastIndex : at;
  };
  while (at < text.length && tokens.length <= MAX_TOKENS) {
    const char = text[at] ?? "";
    const two = text.slice(at, at + 2);
    const begun = at;
    if (past(BLANKS) > at) at = past(BLANKS);
    else if (two === "--" || (char === "#" && dialect.hash)) at = through("\n", at);
    else if (two === "/*") {
      // MySQL runs what stands in `/*! … */`.
      const runs = text[at + 2] === "!" && dialect.hash;
      at = runs ? at + 3 + (/^\d*/.exec(text.slice(at + 3, at + 12))?.[0].length ?? 0) : through("*/", at + 2);
    } else if (two === "*/") at += 2;
    else if (dialect.meta?.includes(char) && startsStatement(tokens, char)) {
      const end = through("\n", at);
      put("meta", text.slice(at, end).trim());
      at = end;
    } else if (dialect.hash && startsStatement(tokens, "") && /^(?:system|source)\s/i.test(text.slice(at, at + 7))) {
      // The MySQL client's own words for its `\!` and `\.`.
      const end = through("\n", at);
      const sign = /^sy/i.test(text.slice(at, at + 2)) ? "!" : ".";
      put("meta", `\\${sign} ${text.slice(at + 7, end).trim()}`);
      at = end;
    } else if (char === "'" || char === '"' || char === "`") {
      const escapes = char === "'" && (dialect.backslash === true || /^e$/i.test(gluedWord(tokens, text, at)));
      const end = quoteEnd(text, at, char, escapes);
      put(char === "'" ? "string" : "name", text.slice(at + 1, Math.max(at + 1, end - 1)));
      at = end;
    } else if (char === "$" && /^\$\w*\$/.test(text.slice(at, at + 64))) {
      const tag = /^\$\w*\$/.exec(text.slice(at, at + 64))?.[0] ?? "$$";
      const end = through(tag, at + tag.length);
      put("string", text.slice(at + tag.length, Math.max(at + tag.length, end - tag.length)));
      at = end;
    } else if (char === "[" && dialect.brackets) {
      const end = through("]", at);
      put("name", text.slice(at + 1, end - 1));
      at = end;
    } else if (past(WORD) > at) {
      at = past(WORD);
      const word = text.slice(begun, at);
      put(/^\d+$/.test(word) ? "number" : "word", word);
    } else if (char === ";") {
      put("end", ";");
      at++;
    } else {
      put("mark", char);
      at++;
    }
  }
  return tokens;
}

/** psql knows `\g` anywhere, the dot of SQLite only at the beginning. */
function startsStatement(tokens: readonly SqlToken[], char: string): boolean {
  const last = tokens.at(-1)?.type;
  return char === "\\" || last === undefined || last === "end" || last === "meta";
}

function gluedWord(tokens: readonly SqlToken[], text: string, at: number): string {
  const last = tokens.at(-1);
  return last?.type === "word" && text.startsWith(last.text, at - last.text.length) ? last.text : "";
}

function quoteEnd(text: string, start: number, quote: string, escapes: boolean): number {
  const stops = escapes ? ESCAPED_END : new RegExp(quote, "g");
  for (let at = start + 1; ; at += 2) {
    stops.lastIndex = at;
    if (!stops.test(text)) return text.length;
    at = stops.lastIndex - 1;
    if (text[at] === quote && text[at + 1] !== quote) return at + 1;
  }
}
