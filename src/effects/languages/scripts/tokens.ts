/**
 * Reads a script of another language into pieces: names, strings, marks. Only as much of each language as decides what
 * is a string, what is a comment and what is code; whatever is open at the end goes to the end.
 */
export type Language = "python" | "js" | "perl" | "ruby" | "php" | "lua" | "awk" | "applescript";

export interface ScriptToken {
  /** A `shell` piece is a text in backticks, which these languages hand to a shell. */
  readonly type: "name" | "string" | "number" | "mark" | "shell" | "words" | "line";
  /** Of a string its value; a piece computed at run time stands between OPEN and CLOSE. */
  readonly text: string;
}

export const OPEN = "\uf0fe";
export const CLOSE = "\uf0fd";
const UNKNOWN = "\uf0ff";

const COMMENTS: Readonly<Record<Language, readonly string[]>> = {
  python: ["#"],
  js: ["//"],
  perl: ["#"],
  ruby: ["#"],
  php: ["//", "#"],
  lua: ["--"],
  awk: ["#"],
  applescript: ["--", "#"],
};
const CLOSERS: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "<": ">" };
const SIGILS: Readonly<Partial<Record<Language, string>>> = { perl: "$@", php: "$", ruby: "@$", js: "$", awk: "$" };
const BLOCK_COMMENTS: ReadonlySet<Language> = new Set(["js", "php"]);
const NO_PATTERNS: ReadonlySet<Language> = new Set(["python", "lua", "applescript"]);
const LITERAL_QUOTES: ReadonlySet<Language> = new Set(["perl", "ruby", "php"]);

// Each goes over a whole stretch at once: a script may be a hundred thousand characters, read by a process that has
// just started.
const BLANKS = /[^\S\n]+/y;
const NUMBER = /[\w.]+/y;
const MARK = /=>|->|::|\?\.|\.\.\.?|\|\||&&|[=!<>]=/y;
const ASCII_NAME = /\w+/y;
const NAME_START = /[\p{L}_\uf000-\uf0ff]/u;
const ANY_NAME = /[\p{L}\d_\uf000-\uf0ff]*/uy;
const PERL_QUOTE = /(qq|qx|qw|qr|q|m|s|tr|y)\s*([^\w\s=,;)])/y;
const RUBY_QUOTE = /%([xwqQiW]?)([([{<|!])/y;
const PATTERN_END = /[\\[\]\n/]/g;
/** Where a text in quotes may end. */
const STOPS: Readonly<Record<string, RegExp>> = {
  '"': /["\\]/g,
  "'": /['\\]/g,
  "`": /[`\\]/g,
  '"""': /"""|\\/g,
  "'''": /'''|\\/g,
};

/** A limit on tokens, because each costs time. */
const MAX_TOKENS = 12_000;

/** One more than are read: what follows is not known. */
export function isCut(tokens: readonly unknown[]): boolean {
  return tokens.length > MAX_TOKENS;
}

export function scriptTokens(text: string, language: Language): readonly ScriptToken[] {
  return new Lexer(text, language).read();
}

class Lexer {
  readonly #text: string;
  readonly #language: Language;
  readonly #comments: readonly string[];
  readonly #sigils: string;
  readonly #tokens: ScriptToken[] = [];
  #at = 0;

  constructor(text: string, language: Language) {
    this.#text = text;
    this.#language = language;
    this.#comments = COMMENTS[language];
    this.#sigils = SIGILS[language] ?? "";
  }

  read(): readonly ScriptToken[] {
    while (this.#at < this.#text.length && this.#tokens.length <= MAX_TOKENS) this.#one();
    return this.#tokens;
  }

  /** Moves over what the pattern finds right here; whether it is anything. */
  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) return false;
    this.#at = pattern.lastIndex;
    return true;
  }

  #one(): void {
    const start = this.#at;
    const char = this.#text[start] ?? "";
    if (char === "\n") {
      this.#put("line", "\n");
      this.#at++;
    } else if (char === " " || isBlank(char)) this.#skip(BLANKS);
    else if (this.#startsComment(char)) this.#at = this.#find("\n", start);
    else if (char === "/" && BLOCK_COMMENTS.has(this.#language) && this.#text[start + 1] === "*")
      this.#at = this.#find("*/", start) + 2;
    else if (this.#quoteLike(char)) return;
    else if (isLetter(char)) this.#name(ASCII_NAME);
    else if (char === '"' || char === "'") this.#string(char, "");
    else if (char === "`") this.#backtick();
    else if (char === "/" && this.#expectsValue() && !NO_PATTERNS.has(this.#language)) this.#regex();
    else if (char >= "0" && char <= "9") {
      this.#skip(NUMBER);
      this.#put("number", this.#text.slice(start, this.#at));
    } else if ((this.#sigils !== "" && this.#sigils.includes(char)) || (char > "\x7f" && NAME_START.test(char))) {
      this.#at++;
      this.#name(ASCII_NAME, start);
    } else {
      this.#at = this.#skip(MARK) ? this.#at : start + 1;
      this.#put("mark", this.#text.slice(start, this.#at));
    }
  }

  #startsComment(char: string): boolean {
    for (const start of this.#comments)
      if (start === char || (start[0] === char && this.#text.startsWith(start, this.#at))) return true;
    return false;
  }

  #name(letters: RegExp, start = this.#at): void {
    this.#skip(letters);
    // Most names are plain letters, and the others cost much more to look at.
    if ((this.#text[this.#at] ?? "") > "\x7f") this.#skip(ANY_NAME);
    const name = this.#text.slice(start, this.#at);
    const quote = this.#text[this.#at];
    // r"…", f'…', b"…": the letters say how the string is read.
    if (
      (quote === '"' || quote === "'") &&
      name.length <= 2 &&
      this.#language === "python" &&
      /^[rbfu]{1,2}$/i.test(name)
    ) {
      this.#string(quote, name.toLowerCase());
      return;
    }
    this.#put("name", name);
  }

  /** q{}, qw(), %x{} and their like. */
  #quoteLike(char: string): boolean {
    const perl = this.#language === "perl" && isLetter(char);
    if (!perl && !(char === "%" && this.#language === "ruby" && this.#expectsValue())) return false;
    const pattern = perl ? PERL_QUOTE : RUBY_QUOTE;
    pattern.lastIndex = this.#at;
    const [whole, kind, open] = pattern.exec(this.#text) ?? [];
    if (whole === undefined || open === undefined || whole.length > 16) return false;
    if (perl && this.#tokens.at(-1)?.text === "->") return false;
    this.#at += whole.length;
    const body = this.#delimited(open);
    if (kind === "s" || kind === "tr" || kind === "y") {
      if (CLOSERS[open]) this.#at = this.#find(open, this.#at) + 1;
      this.#delimited(open);
    }
    if (kind === "qx" || kind === "x") this.#put("shell", this.#interpolated(body));
    else if (kind === "qw" || kind === "w" || kind === "W" || kind === "i") this.#put("words", body);
    else if (/^(?:qq|Q|)$/.test(kind ?? "")) this.#put("string", this.#interpolated(body));
    else this.#put("string", kind === "q" ? body : UNKNOWN);
    return true;
  }

  #delimited(open: string): string {
    const close = CLOSERS[open] ?? open;
    const start = this.#at;
    for (let depth = 1; this.#at < this.#text.length; this.#at++) {
      const char = this.#text[this.#at];
      if (char === "\\") this.#at++;
      else if (char === close && --depth === 0) break;
      else if (char === open) depth++;
    }
    return this.#text.slice(start, this.#at++);
  }

  #string(quote: string, prefix: string): void {
    const triple = quote.repeat(3);
    const end = this.#language === "python" && this.#text.startsWith(triple, this.#at) ? triple : quote;
    this.#put("string", this.#value(this.#upTo(end), quote, prefix));
  }

  /** What stands between two marks, the first of which is here; the end of the text ends it as well. */
  #upTo(end: string): string {
    const start = this.#at + end.length;
    const stops = STOPS[end] ?? /$/g;
    stops.lastIndex = start;
    let found = stops.exec(this.#text);
    while (found?.[0] === "\\") {
      stops.lastIndex = found.index + 2;
      found = stops.exec(this.#text);
    }
    const stop = found?.index ?? this.#text.length;
    this.#at = stop + end.length;
    return this.#text.slice(start, stop);
  }

  #value(raw: string, quote: string, prefix: string): string {
    if (prefix.includes("f")) return filled(unescaped(raw), "{", /\{(\w+)\}|\{[^{}]*\}/g);
    if (prefix.includes("r")) return raw;
    if (quote === "'" && LITERAL_QUOTES.has(this.#language))
      return raw.includes("\\") ? raw.replace(/\\([\\'])/g, "$1") : raw;
    return quote === '"' ? this.#interpolated(raw) : unescaped(raw);
  }

  #interpolated(raw: string): string {
    if (this.#language === "ruby") return filled(unescaped(raw), "#{", /#\{(\w+)\}|#\{[^{}]*\}/g);
    if ((this.#language === "perl" || this.#language === "php") && /[$@]/.test(raw))
      return filled(unescaped(raw), "", /(?:\{)?(\$\w+)(?:\})?(?:(?:->)?[[{][^\]}]{0,80}[\]}])?|@\w+/g);
    return unescaped(raw);
  }

  #backtick(): void {
    const raw = this.#upTo("`");
    if (this.#language === "js") this.#put("string", filled(unescaped(raw), "${", /\$\{(\w+)\}|\$\{[^{}]*\}/g));
    else if (LITERAL_QUOTES.has(this.#language)) this.#put("shell", this.#interpolated(raw));
  }

  #regex(): void {
    let inClass = false;
    PATTERN_END.lastIndex = this.#at + 1;
    let end = this.#text.length;
    for (let found = PATTERN_END.exec(this.#text); found; found = PATTERN_END.exec(this.#text)) {
      const [char] = found;
      if (char === "\\") PATTERN_END.lastIndex++;
      else if (char === "[") inClass = true;
      else if (char === "]") inClass = false;
      else if (char === "\n" || !inClass) {
        end = found.index;
        break;
      }
    }
    this.#at = end + 1;
    this.#put("string", UNKNOWN);
  }

  /** Whether a value begins here, rather than an operator. */
  #expectsValue(): boolean {
    const last = this.#tokens.at(-1);
    return !last || last.type === "line" || (last.type === "mark" && !/^[)\]}]$/.test(last.text));
  }

  #find(text: string, from: number): number {
    const found = this.#text.indexOf(text, from);
    return found < 0 ? this.#text.length : found;
  }

  #put(type: ScriptToken["type"], text: string): void {
    this.#tokens.push({ type, text });
  }
}

function isLetter(char: string): boolean {
  return (char >= "a" && char <= "z") || (char >= "A" && char <= "Z") || char === "_";
}

function isBlank(char: string): boolean {
  return char < "!" || char > "\x7f" ? /\s/.test(char) : false;
}

/** Puts names between marks and gives up on other expressions, which all begin with the same characters. */
function filled(text: string, begins: string, pattern: RegExp): string {
  if (!text.includes(begins)) return text;
  return text.replace(pattern, (_, name: unknown) => (typeof name === "string" ? `${OPEN}${name}${CLOSE}` : UNKNOWN));
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "\n": "" };

function unescaped(raw: string): string {
  if (!raw.includes("\\")) return raw;
  return raw.replace(/\\(x[\da-fA-F]{2}|u[\da-fA-F]{4}|[0-7]{3}|[\s\S])/g, (_, code: string) => {
    if (/^[xu].{2}/.test(code)) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    if (/^[0-7]{3}$/.test(code)) return String.fromCharCode(Number.parseInt(code, 8));
    return ESCAPES[code] ?? code;
  });
}
