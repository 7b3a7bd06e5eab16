export type FrontMatterValue = string | boolean | readonly string[];

export interface FrontMatter {
  readonly values: Readonly<Record<string, FrontMatterValue>>;
  /** What stands below it. */
  readonly body: string;
}

/**
 * The front matter at the top of a Markdown file: the lines between two lines of `---`. It is read without a YAML library,
 * which a hook has no time to load. Texts, booleans and lists of texts are read as YAML reads them, except that numbers
 * stay texts; objects, empty values and lines that are not understood are left out.
 */
export function frontMatter(text: string): FrontMatter | undefined {
  const start = /^\uFEFF?---[ \t]*\r?\n/.exec(text)?.[0].length;
  if (start === undefined) return undefined;
  const closing = /(?<=\n)---[ \t]*(?:\r?\n|$)/g;
  closing.lastIndex = start;
  const end = closing.exec(text);
  if (!end) return undefined;
  return { values: valuesIn(text.slice(start, end.index).split(/\r?\n/)), body: text.slice(closing.lastIndex) };
}

/** The text of a Markdown file with these values on top; `frontMatter` reads it again. */
export function withFrontMatter(values: FrontMatter["values"], body: string): string {
  const lines = Object.entries(values).map(([name, value]) => {
    if (typeof value === "boolean") return `${name}: ${value}`;
    return `${name}: ${typeof value === "string" ? writtenText(value) : `[${value.map(writtenText).join(", ")}]`}`;
  });
  return `${["---", ...lines, "---"].join("\n")}\n${body}`;
}

const KEY = /^(?:"([^"\\]+)"|'([^']+)'|([A-Za-z_][\w.-]*))[ \t]*:(?:[ \t]+([\s\S]*))?$/;
const BLOCK = /^([|>])([+-]?)(\d?)[+-]?(?:[ \t]+#[\s\S]*)?$/;
const DASH = /^-(?:[ \t]+([\s\S]*))?$/;
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", 0: "\0" };

function valuesIn(lines: readonly string[]): FrontMatter["values"] {
  // Without a prototype, because names such as `constructor` come from outside.
  const values: Record<string, FrontMatterValue> = Object.create(null);
  for (let at = 0; at < lines.length; ) {
    const [, double, single, plain, rest = ""] = KEY.exec(lines[at++] as string) ?? [];
    const name = double ?? single ?? plain;
    if (name === undefined) continue;
    const first = rest.trim();
    const block: string[] = [];
    while (at < lines.length && belongsTo(first, lines[at] as string)) block.push(lines[at++] as string);
    const value = valueIn(first, block);
    if (value === undefined) delete values[name];
    else values[name] = value;
  }
  return values;
}

/** Does this line go on with the value whose first line is this one? */
function belongsTo(first: string, line: string): boolean {
  if (/^(?:[ \t]|#|$)/.test(line)) return true;
  return first.startsWith("[") ? line.startsWith("]") : DASH.test(line) && withoutComment(first) === "";
}

function valueIn(first: string, block: readonly string[]): FrontMatterValue | undefined {
  const [, style, chomping, indent] = BLOCK.exec(first) ?? [];
  if (style !== undefined) return blockText(block, style === ">", chomping !== "-", Number(indent));
  const quoted = quotedText(first);
  if (quoted !== undefined) return quoted;
  const list = first.startsWith("[") ? listOf([first, ...block].join("\n")) : undefined;
  if (list !== undefined) return list;
  const plain = withoutComment(first);
  const more = block.filter((line) => !/^\s*#/.test(line));
  const next = more.find((line) => line.trim() !== "")?.trim() ?? "";
  if (plain === "") {
    if (DASH.test(next)) return dashedList(more);
    if (KEY.test(next)) return undefined;
  }
  const isOneLine = next === "" || first.startsWith("[");
  const text = isOneLine
    ? plain
    : folded([plain, ...more.map((line) => withoutComment(line.trim()))].join("\n")).trim();
  if (/^(?:true|True|TRUE)$/.test(text)) return true;
  if (/^(?:false|False|FALSE)$/.test(text)) return false;
  return /^(?:null|Null|NULL|~|)$/.test(text) || isObject(text) ? undefined : text;
}

function withoutComment(text: string): string {
  const at = text.startsWith("#") ? 0 : text.search(/[ \t]#/);
  return at < 0 ? text : text.slice(0, at).trimEnd();
}

/** A text in quotes with nothing but a comment behind it. */
function quotedText(text: string): string | undefined {
  const [, double, single] = /^(?:"((?:[^"\\]|\\[\s\S])*)"|'((?:[^']|'')*)')(?:[ \t]+#[\s\S]*)?$/.exec(text) ?? [];
  if (single !== undefined) return single.replaceAll("''", "'");
  return double?.replace(/\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|([\s\S]))/g, (whole, x, u, other: string) => {
    if (other !== undefined) return ESCAPES[other] ?? (/["\\/ ]/.test(other) ? other : whole);
    return String.fromCharCode(Number.parseInt(x ?? u, 16));
  });
}

/** `[a, "b, c"]`, maybe over several lines; undefined when it is not closed. */
function listOf(text: string): string[] | undefined {
  const items: string[] = [];
  let item = "";
  let braces = 0;
  for (let at = 1; at < text.length; ) {
    // Quotes count at the beginning of an item only.
    const part = partAt(text, at, item === "");
    at += part.length;
    const isEnd = part === "]" && braces === 0;
    if (isEnd || (part === "," && braces === 0)) {
      const trimmed = item.trimEnd();
      if (trimmed !== "") items.push(quotedText(trimmed) ?? trimmed.replace(/\s+/g, " "));
      item = "";
      if (isEnd) return withoutComment(text.slice(at).trim()) === "" ? items : undefined;
    } else if (!/^[ \t\n]#/.test(part) && (item !== "" || part.trim() !== "")) {
      if (part === "{") braces++;
      if (part === "}" && braces > 0) braces--;
      item += part;
    }
  }
  return undefined;
}

/** A comment, a text in quotes, or one character. */
function partAt(text: string, at: number, mayBeQuoted: boolean): string {
  const part = mayBeQuoted ? /[ \t\n]#[^\n]*|"(?:[^"\\]|\\[\s\S])*"|'(?:[^']|'')*'|[\s\S]/y : /[ \t\n]#[^\n]*|[\s\S]/y;
  part.lastIndex = at;
  return part.exec(text)?.[0] ?? "";
}

function dashedList(lines: readonly string[]): string[] | undefined {
  const items: string[] = [];
  const depth = indentOf(lines.find((line) => line.trim() !== "") ?? "");
  for (const line of lines) {
    const text = line.trim();
    if (text === "") continue;
    const dash = indentOf(line) === depth ? DASH.exec(text) : null;
    if (!dash) {
      // The line goes on with the item before it.
      const before = items.pop();
      items.push(before ? `${before} ${withoutComment(text)}` : withoutComment(text));
      continue;
    }
    const inside = (dash[1] ?? "").trim();
    const item = quotedText(inside) ?? withoutComment(inside);
    // A list of objects is no list of texts.
    if (KEY.test(inside) || isObject(item)) return undefined;
    items.push(item);
  }
  return items.filter((item) => item !== "");
}

/** `{a: b}`, and not a glob such as `{a,b}`. */
function isObject(text: string): boolean {
  return text.startsWith("{") && text.endsWith("}") && text.includes(":");
}

function blockText(lines: readonly string[], isFolded: boolean, endsLine: boolean, indent: number): string {
  const depth = indent || indentOf(lines.find((line) => line.trim() !== "") ?? "");
  const end = lines.findIndex((line) => line.trim() !== "" && indentOf(line) < depth);
  const inside = (end < 0 ? lines : lines.slice(0, end)).map((line) => line.slice(depth));
  const text = inside.slice(0, inside.findLastIndex((line) => line !== "") + 1).join("\n");
  return (isFolded ? folded(text) : text) + (text !== "" && endsLine ? "\n" : "");
}

/** Lines become one, and empty lines between them line breaks. */
function folded(text: string): string {
  return text.replace(/\n+/g, (breaks) => (breaks.length === 1 ? " " : breaks.slice(1)));
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function writtenText(text: string): string {
  const isPlain = /^[A-Za-z](?:[\w ./-]*\w)?$/.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text);
  return isPlain ? text : JSON.stringify(text);
}
