import { type Document, isAlias, isMap, isScalar, isSeq, Lexer, Parser, parseDocument, visit } from "yaml";
import { describe } from "../core/errors.ts";
import { printable } from "./shown.ts";

export type Path = readonly (string | number)[];

export interface Place {
  readonly line: number;
  readonly column: number;
}

export type Yaml =
  | {
      readonly kind: "data";
      /** Only what JSON can say; undefined when the file holds nothing. */
      readonly value: unknown;
      /** Where a key or its value stands; as near as possible when there is none. */
      place(path: Path, at: "key" | "value"): Place;
    }
  | { readonly kind: "mistake"; readonly place: Place; readonly detail: string };

/** Far more than a configuration needs, and few enough that the worst file is read in a moment. */
const MOST_LEXEMES = 30_000;
/** The reader is recursive: near the end of the stack Node does not throw but dies, so deep files never get there. */
const DEEPEST = 32;
const MOST_ALIASES = 20;

/** Never throws, whatever the text is. */
export function readYaml(text: string): Yaml {
  const mistake = (offset: number, detail: string): Yaml => ({
    kind: "mistake",
    place: placeIn(text, offset),
    detail: printable(detail, 200),
  });
  const excess = excessOf(text);
  if (excess) return mistake(excess.offset, excess.detail);
  try {
    const document = parseDocument(text, { uniqueKeys: false, logLevel: "error", prettyErrors: false });
    const [syntax] = document.errors;
    if (syntax) return mistake(syntax.pos[0], syntax.message);
    const odd = oddityOf(document);
    if (odd) return mistake(odd.offset, odd.detail);
    const value: unknown = document.toJS({ maxAliasCount: MOST_ALIASES });
    return {
      kind: "data",
      // Dates, sets and the like become plain data, and what refers to itself is found here.
      value: value === null || value === undefined ? undefined : JSON.parse(JSON.stringify(value)),
      place: (path, at) => placeIn(text, offsetIn(document, path, at)),
    };
  } catch (error) {
    const isCircle = error instanceof TypeError && /circular/i.test(error.message);
    return mistake(0, isCircle ? "an alias refers to the very thing it is part of" : describe(error));
  }
}

interface Oddity {
  readonly offset: number;
  readonly detail: string;
}

/** Looks at the tokens alone, which needs no recursion, and stops as soon as it has seen too much. */
function excessOf(text: string): Oddity | undefined {
  const parser = new Parser();
  let lexemes = 0;
  for (const lexeme of new Lexer().lex(text)) {
    if (++lexemes > MOST_LEXEMES) return { offset: parser.offset, detail: "the file has too many entries" };
    // What the parser yields is made again by the composer; only how deep it got matters here.
    for (const _token of parser.next(lexeme));
    if (parser.stack.length > DEEPEST) return { offset: parser.offset, detail: "this is nested too deeply" };
  }
  return undefined;
}

/** Duplicate keys and dangling aliases. The library's own search for duplicates takes seconds on a long file. */
function oddityOf(document: Document): Oddity | undefined {
  let found: Oddity | undefined;
  let aliases = 0;
  visit(document, {
    Alias(_key, node) {
      const offset = node.range?.[0] ?? 0;
      if (++aliases > MOST_ALIASES) found = { offset, detail: "there are too many aliases" };
      else if (!node.resolve(document)) found = { offset, detail: `nothing is called \`&${printable(node.source)}\`` };
      return found && visit.BREAK;
    },
    Map(_key, map) {
      const seen = new Set<string>();
      for (const { key } of map.items) {
        const name = nameOf(key);
        if (name !== undefined && seen.has(name)) {
          found = { offset: startOf(key) ?? 0, detail: `\`${printable(name)}\` is already set above` };
          return visit.BREAK;
        }
        if (name !== undefined) seen.add(name);
      }
      return undefined;
    },
  });
  return found;
}

function offsetIn(document: Document, path: Path, at: "key" | "value"): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const [index, part] of path.entries()) {
    if (isAlias(node)) node = node.resolve(document);
    let key: unknown;
    if (isMap(node)) {
      const pair = node.items.find((one) => nameOf(one.key) === String(part));
      key = pair?.key;
      node = pair?.value;
    } else {
      node = isSeq(node) ? node.items[Number(part)] : undefined;
    }
    const isLast = index === path.length - 1;
    offset = (isLast && at === "key" ? startOf(key) : undefined) ?? startOf(node) ?? startOf(key) ?? offset;
  }
  return offset;
}

/** As it will be called in the data, where a key that is null has an empty name. */
function nameOf(key: unknown): string | undefined {
  const value: unknown = isScalar(key) ? key.value : key;
  if (value === null) return "";
  return isScalar(key) ? String(value) : undefined;
}

function startOf(node: unknown): number | undefined {
  if (typeof node !== "object" || node === null || !("range" in node) || !Array.isArray(node.range)) return undefined;
  const [start] = node.range as unknown[];
  return typeof start === "number" ? start : undefined;
}

function placeIn(text: string, offset: number): Place {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
