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

const WORD = /[\p{L}\d_$\uf000-\uf0ff]/u;

/** Reads an SQL text into pieces. Whatever is open at the end goes to the end. */
export function sqlTokens(text: string, dialect: SqlDialect): readonly SqlToken[] {
  const tokens: SqlToken[] = [];
  let at = 0;
  const put = (type: SqlToken["type"], content: string) => tokens.push({ type, text: content });
  const through = (end: string, from: number): number => {
    const found = text.indexOf(end, from);
    return found < 0 ? text.length : found + end.length;
  };
  while (at < text.length) {
    const char = text[at] ?? "";
    const two = text.slice(at, at + 2);
    if (/\s/.test(char)) at++;
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
    } else if (WORD.test(char)) {
      let end = at + 1;
      while (end < text.length && WORD.test(text[end] ?? "")) end++;
      put(/^\d+$/.test(text.slice(at, end)) ? "number" : "word", text.slice(at, end));
      at = end;
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
  for (let at = start + 1; at < text.length; at++) {
    if (escapes && text[at] === "\\") at++;
    else if (text[at] === quote && text[at + 1] === quote) at++;
    else if (text[at] === quote) return at + 1;
  }
  return text.length;
}
