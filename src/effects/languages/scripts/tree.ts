import { isCut, type Language, type ScriptToken, scriptTokens } from "./tokens.ts";

/** An expression of a script, as far as calls and constants are concerned. */
export type Node =
  | { readonly t: "string" | "name" | "number" | "shell"; readonly text: string }
  | { readonly t: "member"; readonly of: Node; readonly name: string }
  | { readonly t: "index"; readonly of: Node; readonly index: readonly Node[]; readonly reversed: boolean }
  | { readonly t: "call"; readonly callee: Node; readonly args: readonly Node[] }
  | { readonly t: "list" | "object"; readonly items: readonly Node[] }
  | { readonly t: "op"; readonly op: string; readonly left: Node; readonly right: Node }
  | { readonly t: "other" };
export type Call = Extract<Node, { t: "call" }>;

export interface Script {
  readonly language: Language;
  readonly tokens: readonly ScriptToken[];
  /** Every expression and part of one, inner ones first. */
  readonly nodes: readonly Node[];
  /** It is too long, and nothing is known of it. */
  readonly isCut: boolean;
}

const OTHER: Node = { t: "other" };
const marks = (list: string): ReadonlySet<string> => new Set(list.split(" "));
const CONCATENATES: Readonly<Record<Language, ReadonlySet<string>>> = {
  python: marks("+ / % = =="),
  js: marks("+ = :"),
  perl: marks(". = =>"),
  ruby: marks("+ / % = => :"),
  php: marks(". = =>"),
  lua: marks(".. ="),
  awk: marks("="),
  applescript: marks("&"),
};
const MEMBERS: Readonly<Record<Language, ReadonlySet<string>>> = {
  python: marks("."),
  js: marks(". ?."),
  perl: marks("-> ::"),
  ruby: marks(". :: &"),
  php: marks("-> ::"),
  lua: marks(". :"),
  awk: new Set(),
  applescript: new Set(),
};
/** Marks that belong to no value before them in any language. */
const ENDS = marks(", ; ) ] }");
const PREFIXES = marks("- \\ & !");
const CLOSERS = marks(") ] }");
const ARGUMENTS: ReadonlySet<ScriptToken["type"]> = new Set(["string", "name", "shell", "words", "number"]);
/** Words after which an expression stands, and that are no names of anything. */
const KEYWORDS: ReadonlySet<string> = new Set(
  [
    "await new return const let var my our local if unless elif else elsif and or not in for foreach while until do then",
    "begin end try finally except rescue import from use as print puts echo lambda yield def function async typeof void",
    "delete",
  ].flatMap((line) => line.split(" ")),
);
const AWK_WORDS: ReadonlySet<string> = new Set(["getline", "next", "exit", "printf", "nextfile", "break", "continue"]);
const MAX_DEPTH = 60;

/** @param bare names of functions that this language lets one call without brackets */
export function readScript(text: string, language: Language, bare: ReadonlySet<string> = new Set()): Script {
  const tokens = scriptTokens(text, language);
  const parser = new Parser(tokens, language, bare);
  if (isCut(tokens)) return { language, tokens, nodes: [], isCut: true };
  parser.all();
  return { language, tokens, nodes: parser.nodes, isCut: false };
}

class Parser {
  readonly nodes: Node[] = [];
  readonly #tokens: readonly ScriptToken[];
  readonly #language: Language;
  readonly #bare: ReadonlySet<string>;
  readonly #concatenates: ReadonlySet<string>;
  readonly #members: ReadonlySet<string>;
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly ScriptToken[], language: Language, bare: ReadonlySet<string>) {
    this.#tokens = tokens;
    this.#language = language;
    this.#bare = bare;
    this.#concatenates = CONCATENATES[language];
    this.#members = MEMBERS[language];
  }

  all(): void {
    while (this.#at < this.#tokens.length) {
      const before = this.#at;
      this.#expression();
      if (this.#at === before) this.#at++;
    }
  }

  #note(node: Node): Node {
    this.nodes.push(node);
    return node;
  }

  #is(text: string): boolean {
    const token = this.#tokens[this.#at];
    return token !== undefined && token.text === text && token.type === "mark";
  }

  #isAny(texts: ReadonlySet<string>): boolean {
    const token = this.#tokens[this.#at];
    return token !== undefined && token.type === "mark" && texts.has(token.text);
  }

  #expression(): Node {
    if (++this.#depth > MAX_DEPTH) {
      this.#depth--;
      this.#at++;
      return OTHER;
    }
    let left = this.#postfix(this.#primary());
    while (this.#isAny(this.#concatenates)) {
      const op = this.#tokens[this.#at++]?.text ?? "";
      this.#skipLines();
      const right = op === "=" || op === "=>" || op === ":" ? this.#expression() : this.#postfix(this.#primary());
      left = this.#note({ t: "op", op, left, right });
    }
    while (this.#language === "awk" && this.#standsBeside(left)) {
      const right = this.#postfix(this.#primary());
      left = this.#note({ t: "op", op: "+", left, right });
    }
    this.#depth--;
    return left;
  }

  /** awk puts texts together by writing them side by side. */
  #standsBeside(left: Node): boolean {
    const token = this.#tokens[this.#at];
    if (left === OTHER || token === undefined) return false;
    if (token.type === "name") return !KEYWORDS.has(token.text) && !AWK_WORDS.has(token.text);
    return token.type === "string" || token.type === "number" || (this.#is("(") && left.t === "string");
  }

  #primary(): Node {
    const negative = this.#skipPrefixes();
    const token = this.#tokens[this.#at];
    if (!token) return OTHER;
    if (token.type === "words") {
      this.#at++;
      const items = token.text
        .split(/\s+/)
        .filter(Boolean)
        .map((text): Node => ({ t: "string", text }));
      return this.#note({ t: "list", items });
    }
    if (token.type === "string" || token.type === "name" || token.type === "number" || token.type === "shell") {
      this.#at++;
      let { text } = token;
      // Strings side by side are one in Python.
      while (token.type === "string" && this.#language === "python" && this.#tokens[this.#at]?.type === "string")
        text += this.#tokens[this.#at++]?.text;
      return this.#note({ t: token.type, text: negative && token.type === "number" ? `-${text}` : text });
    }
    if (this.#is("(") || this.#is("[")) return this.#note({ t: "list", items: this.#bracket() });
    if (this.#is("{")) return this.#note({ t: "object", items: this.#bracket() });
    return OTHER;
  }

  /** Words and marks before a value. Whether the last of them is a minus. */
  #skipPrefixes(): boolean {
    let negative = false;
    for (; this.#at < this.#tokens.length; this.#at++) {
      const token = this.#tokens[this.#at];
      const keyword = token?.type === "name" && KEYWORDS.has(token.text) && !this.#bare.has(token.text);
      if (!keyword && !this.#isAny(PREFIXES)) break;
      negative = token?.text === "-";
    }
    return negative;
  }

  #postfix(start: Node): Node {
    let node = start;
    while (node !== OTHER) {
      const token = this.#tokens[this.#at];
      // Most values are followed by nothing that belongs to them.
      if (token === undefined || token.type === "line" || (token.type === "mark" && ENDS.has(token.text))) break;
      const next = this.#tokens[this.#at + 1];
      const isMember = this.#isAny(this.#members);
      if (isMember && next?.type === "name") {
        this.#at += 2;
        node = this.#note({ t: "member", of: node, name: next.text });
      } else if (isMember && next?.text === "(") this.#at++;
      else if (this.#is("(") && (node.t !== "string" || this.#language === "php"))
        node = this.#note({ t: "call", callee: node, args: this.#bracket() });
      else if (this.#is("[") && node.t !== "number") {
        const reversed =
          this.#tokens[this.#at + 1]?.text.startsWith(":") === true && isReversal(this.#tokens, this.#at);
        node = this.#note({ t: "index", of: node, index: this.#bracket(), reversed });
      } else if (this.#is("{") && this.#language === "perl" && node.t === "name" && node.text.startsWith("$"))
        node = this.#note({ t: "index", of: node, index: this.#bracket(), reversed: false });
      else if (
        this.#language === "js" &&
        node.t !== "string" &&
        this.#tokens[this.#at]?.type === "string" &&
        this.#bare.has(lastName(node))
      )
        node = this.#note({ t: "call", callee: node, args: [this.#primary()] });
      else if (this.#bare.has(lastName(node)) && this.#language !== "js" && this.#startsArgument())
        node = this.#note({ t: "call", callee: node, args: this.#arguments() });
      else break;
    }
    return this.#isImplied(node) ? this.#note({ t: "call", callee: node, args: [{ t: "name", text: "$_" }] }) : node;
  }

  /** Perl: `unlink` alone is about `$_`; `$h{unlink}` is a name. */
  #isImplied(node: Node): boolean {
    if (this.#language !== "perl" || node.t !== "name" || node.text !== "unlink") return false;
    const next = this.#tokens[this.#at];
    if (next !== undefined && next.type !== "line" && !(next.type === "mark" && ENDS.has(next.text))) return false;
    const [before, opening] = [this.#tokens[this.#at - 3], this.#tokens[this.#at - 2]];
    return !(opening?.text === "{" && /^(?:\$\w+|->|\})$/.test(before?.text ?? ""));
  }

  #startsArgument(): boolean {
    const token = this.#tokens[this.#at];
    return token !== undefined && (ARGUMENTS.has(token.type) || this.#isNegative() || this.#is("<") || this.#is("["));
  }

  #isNegative(): boolean {
    return this.#is("-") && this.#tokens[this.#at + 1]?.type === "number";
  }

  #arguments(): readonly Node[] {
    const args: Node[] = [];
    // Perl: unlink <*.log>
    if (this.#is("<")) {
      let end = this.#at + 1;
      while (end < this.#tokens.length && this.#tokens[end]?.text !== ">") end++;
      const text = this.#tokens
        .slice(this.#at + 1, end)
        .map((token) => token.text)
        .join("");
      this.#at = end + 1;
      return [this.#note({ t: "call", callee: { t: "name", text: "glob" }, args: [{ t: "string", text }] })];
    }
    for (;;) {
      args.push(this.#expression());
      if (!this.#is(",")) return args;
      this.#at++;
      this.#skipLines();
    }
  }

  /** What stands in a bracket, in any order of marks: the parts between commas. */
  #bracket(): readonly Node[] {
    const close = { "(": ")", "[": "]", "{": "}" }[this.#tokens[this.#at++]?.text ?? ""] ?? ")";
    const items: Node[] = [];
    let fresh = true;
    while (this.#at < this.#tokens.length && !this.#is(close)) {
      const before = this.#at;
      const node = this.#expression();
      if (this.#at === before) {
        if (this.#isAny(CLOSERS)) break;
        if (this.#is(",") || (this.#is(":") && close === "}")) fresh = true;
        this.#at++;
      } else {
        // Only the first expression between two commas is the argument itself: `x if y`, `f for f in z`.
        if (fresh) items.push(node);
        fresh = false;
      }
    }
    this.#at++;
    return items;
  }

  #skipLines(): void {
    while (this.#tokens[this.#at]?.type === "line") this.#at++;
  }
}

function lastName(node: Node): string {
  return node.t === "name" ? node.text : node.t === "member" ? node.name : "";
}

/** `[::-1]` */
function isReversal(tokens: readonly ScriptToken[], at: number): boolean {
  const texts = tokens.slice(at + 1, at + 6).map((token) => token.text);
  return texts.join("").startsWith("::-1]");
}
