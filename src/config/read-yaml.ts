import { type Document, isAlias, isMap, isScalar, isSeq, Lexer, Parser, parseDocument, visit } from "yaml";
import { describe } from "../core/errors.ts";
import { printable } from "./printable.ts";

export type KeyPath = readonly (string | number)[];

export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

export type Yaml =
  | {
      readonly kind: "data";
      /** JSON data only; undefined for an empty file. */
      readonly value: unknown;
      /** The position of a key or its value; the nearest existing node when it is missing. */
      place(path: KeyPath, at: "key" | "value"): TextPosition;
    }
  | { readonly kind: "mistake"; readonly place: TextPosition; readonly detail: string };

/** More than a configuration needs, and few enough that even the worst file is parsed quickly. */
const MOST_LEXEMES = 30_000;
/** The parser is recursive, and a stack overflow may kill the process, so deeper files are rejected before. */
const DEEPEST = 32;
const MOST_ALIASES = 20;

/** Parses YAML; never throws. */
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
      // Turns dates, sets and the like into JSON data, and throws for circular references.
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

/** Checks size and depth on the tokens, which needs no recursion, and stops at the first excess. */
function excessOf(text: string): Oddity | undefined {
  const parser = new Parser();
  let lexemes = 0;
  for (const lexeme of new Lexer().lex(text)) {
    if (++lexemes > MOST_LEXEMES) return { offset: parser.offset, detail: "the file has too many entries" };
    // The parser's results are not used here; only its depth is checked.
    for (const _token of parser.next(lexeme));
    if (parser.stack.length > DEEPEST) return { offset: parser.offset, detail: "this is nested too deeply" };
  }
  return undefined;
}

/** Finds duplicate keys and undefined aliases. The library's own check for duplicates takes seconds on a long file. */
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

function offsetIn(document: Document, path: KeyPath, at: "key" | "value"): number {
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

/** The key's name in the parsed data, where a null key becomes an empty name. */
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

function placeIn(text: string, offset: number): TextPosition {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
