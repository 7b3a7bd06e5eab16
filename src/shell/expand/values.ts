import type { Word } from "../command.ts";
import type { VariablePart } from "../parse/syntax.ts";
import { type Env, lookUp, UNKNOWN, type Value } from "./variables.ts";

/** `$0`, `$?`, `$$` and `$#` always have a value; which one does not matter for `${?+…}`. */
export const ALWAYS_SET: Value = { kind: "text", text: "0" };

const TEMPORARY = /^(?:(?:\/private)?(?:\/var)?\/tmp|\/dev\/shm)\//;

/** Of `${TMPDIR:-/tmp}` with an unknown TMPDIR the default is taken: either is a folder of temporary files. */
export function valueFor({ name, operator }: VariablePart, env: Env): Value {
  const value = lookUp(env, name);
  return name === "TMPDIR" && value === UNKNOWN && operator?.endsWith("-") ? { kind: "unset" } : value;
}

/** What is known of a value that is only complete at run time. */
export function unknownValue({ shape, many, defaultText, fresh }: Word): Value {
  const temporary = shape !== undefined && TEMPORARY.test(shape) && !many && !shape.includes("..");
  if (temporary) return { kind: "unknown", place: shape };
  // Only names without a slash; a path is examined by its source text.
  if (fresh && shape !== undefined && !many && !shape.includes("/")) return { kind: "unknown", fresh: shape };
  return unknownWithDefault(defaultText);
}

/** A value that is this text unless somebody has set the variable to another one before. */
export function unknownWithDefault(defaultText: string | undefined): Value {
  return defaultText === undefined ? UNKNOWN : { kind: "unknown", defaultText };
}

export function defaultOf(value: Value): string | undefined {
  return value.kind === "unknown" ? value.defaultText : undefined;
}

export function wordValue(word: Word): Value {
  return word.known ? { kind: "text", text: word.text } : unknownValue(word);
}

/** The path of a word that surely lies among temporary files. */
export function temporaryFolder(word: Word, env: Env): string | undefined {
  const own = unknownValue(word);
  if (own.kind === "unknown" && own.place !== undefined) return own.place;
  const [, name, rest = ""] = /^\$\{?([A-Za-z_]\w*)\}?((?:\/[\w./-]*)?)$/.exec(word.text) ?? [];
  const value = name === undefined || rest.includes("..") ? UNKNOWN : lookUp(env, name);
  return value.kind === "unknown" && value.place !== undefined ? value.place + rest : undefined;
}

export function element(items: readonly string[], index: number): Value {
  const text = items[index];
  return text === undefined ? { kind: "unset" } : { kind: "text", text };
}

export function listOf(items: readonly string[] | undefined): Value {
  return items ? { kind: "list", items } : UNKNOWN;
}

export function listLength(items: readonly string[] | undefined): Value {
  return items ? { kind: "text", text: String(items.length) } : UNKNOWN;
}

/** The text between the brackets of `${name[…]}`, if it has no expansions. */
export function indexText(part: VariablePart): string | undefined {
  const [only, more] = part.index ?? [];
  return only?.kind === "text" && more === undefined ? only.text : undefined;
}

/** The key of `${list[i]}`: of an array the value of the variable `i`, of an associative array the text itself. */
export function elementKey(text: string | undefined, name: string, env: Env): string | undefined {
  if (text === undefined || !/^[A-Za-z_]\w*$/.test(text) || env.variables.has(`${name}[]`)) return text;
  const value = lookUp(env, text);
  return value.kind === "text" ? value.text : undefined;
}
