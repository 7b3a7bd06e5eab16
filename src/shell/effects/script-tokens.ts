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

export function scriptTokens(text: string, language: Language): readonly ScriptToken[] {
  return new Lexer(text, language).read();
}

class Lexer {
  readonly #text: string;
  readonly #language: Language;
  readonly #tokens: ScriptToken[] = [];
  #at = 0;

  constructor(text: string, language: Language) {
    this.#text = text;
    this.#language = language;
  }

  read(): readonly ScriptToken[] {
    while (this.#at < this.#text.length) this.#one();
    return this.#tokens;
  }

  #one(): void {
    const char = this.#text[this.#at] ?? "";
    const rest = this.#text.slice(this.#at, this.#at + 16);
    if (char === "\n") {
      this.#put("line", "\n");
      this.#at++;
    } else if (/\s/.test(char)) this.#at++;
    else if (COMMENTS[this.#language].some((start) => rest.startsWith(start))) this.#at = this.#find("\n", this.#at);
    else if (rest.startsWith("/*") && /^(?:js|php)$/.test(this.#language)) this.#at = this.#find("*/", this.#at) + 2;
    else if (this.#quoteLike(rest)) return;
    else if (char === '"' || char === "'") this.#string(char, "");
    else if (char === "`") this.#backtick();
    else if (char === "/" && this.#expectsValue() && !/^(?:python|lua|applescript)$/.test(this.#language))
      this.#regex();
    else if (/\d/.test(char)) this.#run("number", /[\w.]/);
    else if (this.#startsName(char)) this.#name();
    else {
      const mark = /^(?:=>|->|::|\?\.|\.\.\.|\|\||&&|[=!<>]=)/.exec(rest)?.[0] ?? char;
      this.#put("mark", mark);
      this.#at += mark.length;
    }
  }

  #startsName(char: string): boolean {
    return /[\p{L}_\uf000-\uf0ff]/u.test(char) || (SIGILS[this.#language]?.includes(char) ?? false);
  }

  #name(): void {
    const start = this.#at++;
    while (/[\p{L}\d_\uf000-\uf0ff]/u.test(this.#text[this.#at] ?? "")) this.#at++;
    const name = this.#text.slice(start, this.#at);
    const quote = this.#text[this.#at] ?? "";
    // r"…", f'…', b"…": the letters say how the string is read.
    if (this.#language === "python" && /^[rbfu]{1,2}$/i.test(name) && /["']/.test(quote)) {
      this.#string(quote, name.toLowerCase());
      return;
    }
    this.#put("name", name);
  }

  /** q{}, qw(), %x{} and their like. */
  #quoteLike(rest: string): boolean {
    const perl = this.#language === "perl" ? /^(qq|qx|qw|qr|q|m|s|tr|y)\s*([^\w\s=,;)])/.exec(rest) : null;
    const ruby = this.#language === "ruby" && this.#expectsValue() ? /^%([xwqQiW]?)([([{<|!])/.exec(rest) : null;
    const [whole, kind, open] = perl ?? ruby ?? [];
    if (whole === undefined || open === undefined || (perl && this.#tokens.at(-1)?.text === "->")) return false;
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
    this.#at += end.length;
    const start = this.#at;
    while (this.#at < this.#text.length && !this.#text.startsWith(end, this.#at)) {
      if (this.#text[this.#at] === "\\") this.#at++;
      this.#at++;
    }
    const raw = this.#text.slice(start, this.#at);
    this.#at += end.length;
    this.#put("string", this.#value(raw, quote, prefix));
  }

  #value(raw: string, quote: string, prefix: string): string {
    if (prefix.includes("f")) return filled(unescaped(raw), /\{(\w+)\}|\{[^{}]*\}/g);
    if (prefix.includes("r")) return raw;
    const literal = quote === "'" && /^(?:perl|ruby|php)$/.test(this.#language);
    if (literal) return raw.replace(/\\([\\'])/g, "$1");
    return quote === '"' ? this.#interpolated(raw) : unescaped(raw);
  }

  #interpolated(raw: string): string {
    if (this.#language === "ruby") return filled(unescaped(raw), /#\{(\w+)\}|#\{[^{}]*\}/g);
    if (this.#language === "perl" || this.#language === "php")
      return filled(unescaped(raw), /(?:\{)?(\$\w+)(?:\})?(?:(?:->)?[[{][^\]}]{0,80}[\]}])?|@\w+/g);
    return unescaped(raw);
  }

  #backtick(): void {
    this.#at++;
    const start = this.#at;
    while (this.#at < this.#text.length && this.#text[this.#at] !== "`")
      this.#at += this.#text[this.#at] === "\\" ? 2 : 1;
    const raw = this.#text.slice(start, this.#at++);
    if (this.#language === "js") this.#put("string", filled(unescaped(raw), /\$\{(\w+)\}|\$\{[^{}]*\}/g));
    else if (/^(?:perl|ruby|php)$/.test(this.#language)) this.#put("shell", this.#interpolated(raw));
  }

  #regex(): void {
    this.#at++;
    let inClass = false;
    for (; this.#at < this.#text.length; this.#at++) {
      const char = this.#text[this.#at];
      if (char === "\\") this.#at++;
      else if (char === "[") inClass = true;
      else if (char === "]") inClass = false;
      else if (char === "\n" || (char === "/" && !inClass)) break;
    }
    this.#at++;
    this.#put("string", UNKNOWN);
  }

  /** Whether a value begins here, rather than an operator. */
  #expectsValue(): boolean {
    const last = this.#tokens.at(-1);
    return !last || last.type === "line" || (last.type === "mark" && !/^[)\]}]$/.test(last.text));
  }

  #run(type: ScriptToken["type"], more: RegExp): void {
    const start = this.#at;
    while (more.test(this.#text[this.#at] ?? "")) this.#at++;
    this.#put(type, this.#text.slice(start, this.#at));
  }

  #find(text: string, from: number): number {
    const found = this.#text.indexOf(text, from);
    return found < 0 ? this.#text.length : found;
  }

  #put(type: ScriptToken["type"], text: string): void {
    this.#tokens.push({ type, text });
  }
}

/** Puts names between marks and gives up on other expressions. */
function filled(text: string, pattern: RegExp): string {
  return text.replace(pattern, (_, name: unknown) => (typeof name === "string" ? `${OPEN}${name}${CLOSE}` : UNKNOWN));
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "\n": "" };

function unescaped(raw: string): string {
  return raw.replace(/\\(x[\da-fA-F]{2}|u[\da-fA-F]{4}|[0-7]{3}|[\s\S])/g, (_, code: string) => {
    if (/^[xu].{2}/.test(code)) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    if (/^[0-7]{3}$/.test(code)) return String.fromCharCode(Number.parseInt(code, 8));
    return ESCAPES[code] ?? code;
  });
}
