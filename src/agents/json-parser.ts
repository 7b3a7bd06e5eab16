/** A strict JSON parser that records the offsets of all nodes, for error messages and for edits (json-edit.ts). */

export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** Spans the key and the value. */
export interface MemberNode extends TextSpan {
  readonly key: string;
  readonly keyEnd: number;
  readonly value: JsonNode;
}

export interface ObjectNode extends TextSpan {
  readonly kind: "object";
  readonly members: readonly MemberNode[];
}

export interface ArrayNode extends TextSpan {
  readonly kind: "array";
  readonly items: readonly JsonNode[];
}

export interface ScalarNode extends TextSpan {
  readonly kind: "scalar";
}

export type JsonNode = ObjectNode | ArrayNode | ScalarNode;

export interface JsonDocument {
  readonly text: string;
  readonly root: JsonNode;
}

export class JsonSyntaxError extends Error {
  readonly line: number;
  readonly column: number;

  constructor(message: string, text: string, at: number) {
    super(message);
    this.name = "JsonSyntaxError";
    const lineStart = text.lastIndexOf("\n", at - 1) + 1;
    this.line = text.slice(0, lineStart).split("\n").length;
    // A byte order mark is invisible in editors, so it does not count as a column.
    this.column = at - lineStart + (lineStart === 0 && text.startsWith(BOM) ? 0 : 1);
  }
}

const BOM = "\uFEFF";
/** More than any real settings file needs, and less than the depth at which recursion would overflow the stack. */
const MAX_DEPTH = 500;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /[\w.+$-]+/y;

export function parseJson(text: string): JsonDocument {
  const start = text.startsWith(BOM) ? BOM.length : 0;
  return { text, root: new Reader(text, start).document() };
}

/** The value as the agent reads it: of duplicate keys the last one counts. */
export function readValue(doc: JsonDocument, node: JsonNode): unknown {
  return JSON.parse(doc.text.slice(node.start, node.end));
}

export function memberNamed(node: ObjectNode, key: string): MemberNode | undefined {
  return node.members.findLast((member) => member.key === key);
}

class Reader {
  private readonly text: string;
  private at: number;
  private depth = 0;

  constructor(text: string, start: number) {
    this.text = text;
    this.at = start;
  }

  document(): JsonNode {
    const root = this.value("a value");
    this.space();
    if (this.at < this.text.length) this.fail("unexpected text after the end of the JSON value");
    return root;
  }

  private fail(message: string, at = this.at): never {
    throw new JsonSyntaxError(message, this.text, at);
  }

  private match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    return pattern.exec(this.text)?.[0] ?? "";
  }

  private space(): void {
    while (isSpace(this.text[this.at])) this.at++;
    const two = this.text.slice(this.at, this.at + 2);
    if (two === "//" || two === "/*" || two.startsWith("#")) this.fail("a comment is not allowed in JSON");
  }

  private value(expected: string): JsonNode {
    this.space();
    const start = this.at;
    const char = this.text[start];
    if (char === undefined) this.fail(`the file ends where ${expected} should be`);
    if (char === "{" || char === "[") return this.container(char);
    if (char === '"') this.string();
    else if (char === "-" || (char >= "0" && char <= "9")) this.number();
    else this.word(expected);
    return { kind: "scalar", start, end: this.at };
  }

  private word(expected: string): void {
    const word = this.match(WORD);
    if (this.text[this.at] === "'") this.fail("a string needs double quotes");
    if (word !== "true" && word !== "false" && word !== "null") {
      this.fail(word === "" ? `expected ${expected}` : `expected ${expected}, found ${word.slice(0, 40)}`);
    }
    this.at += word.length;
  }

  private number(): void {
    const number = this.match(NUMBER);
    const word = this.match(WORD);
    if (number !== word) this.fail(`${word.slice(0, 40)} is not a number in JSON`);
    this.at += number.length;
  }

  private string(): string {
    const start = this.at++;
    for (;;) {
      const char = this.text[this.at];
      if (char === undefined) this.fail("this string is never closed", start);
      if (char === '"') break;
      if (char === "\n" || char === "\r") this.fail("a line break inside a string");
      if (char < " ") this.fail("a control character inside a string must be escaped");
      if (char === "\\" && this.match(/\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y) === "") {
        this.fail("unknown escape inside a string (a backslash itself is written \\\\)");
      }
      this.at += char === "\\" ? 2 : 1;
    }
    this.at++;
    return String(JSON.parse(this.text.slice(start, this.at)));
  }

  private container(open: "{" | "["): JsonNode {
    const start = this.at++;
    if (++this.depth > MAX_DEPTH) this.fail("nested too deeply", start);
    const close = open === "{" ? "}" : "]";
    const members: MemberNode[] = [];
    const items: JsonNode[] = [];
    let comma = -1;
    for (;;) {
      this.space();
      if (this.text[this.at] === close) {
        if (comma >= 0) this.fail("trailing comma", comma);
        break;
      }
      let what = "an array element";
      if (open === "{") {
        const member = this.member();
        members.push(member);
        what = `the value of ${JSON.stringify(member.key)}`;
      } else items.push(this.value("an array element or ]"));
      this.space();
      comma = this.text[this.at] === "," ? this.at++ : -1;
      if (comma < 0 && this.text[this.at] !== close) this.fail(`expected a comma or ${close} after ${what}`);
    }
    this.at++;
    this.depth--;
    const span = { start, end: this.at };
    return open === "{" ? { kind: "object", ...span, members } : { kind: "array", ...span, items };
  }

  private member(): MemberNode {
    const start = this.at;
    if (this.text[start] !== '"') this.fail("expected a key in double quotes or }");
    const key = this.string();
    const keyEnd = this.at;
    this.space();
    if (this.text[this.at] !== ":") this.fail(`expected a colon after the key ${JSON.stringify(key)}`);
    this.at++;
    const value = this.value(`the value of ${JSON.stringify(key)}`);
    return { key, start, keyEnd, end: value.end, value };
  }
}

export function isSpace(char: string | undefined): boolean {
  return char === " " || char === "\t" || char === "\n" || char === "\r";
}
