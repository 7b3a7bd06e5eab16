import type { Word } from "../command.ts";
import type { VariablePart } from "../parse/syntax.ts";
import { type Env, lookUp, UNKNOWN, type Value } from "./variables.ts";

/** Some text, whatever it is. */
export const ALWAYS_SET: Value = { kind: "text", text: "0" };

const TEMPORARY = /^(?:(?:\/private)?(?:\/var)?\/tmp|\/dev\/shm)\//;

/** `${TMPDIR:-/tmp}`: wherever that is, the usual place will do. */
export function valueFor({ name, operator }: VariablePart, env: Env): Value {
  const value = lookUp(env, name);
  return name === "TMPDIR" && value === UNKNOWN && operator?.endsWith("-") ? { kind: "unset" } : value;
}

/** What can still be said of a value that is only known at run time. */
export function unknownValue({ shape, many, usual, fresh }: Word): Value {
  const temporary = shape !== undefined && TEMPORARY.test(shape) && !many && !shape.includes("..");
  if (temporary) return { kind: "unknown", place: shape };
  // Only plain names: a path is looked at as it is written.
  if (fresh && shape !== undefined && !many && !shape.includes("/")) return { kind: "unknown", fresh: shape };
  return unknownWithDefault(usual);
}

/** Of a variable that keeps what it was given before. */
export function unknownWithDefault(usual: string | undefined): Value {
  return usual === undefined ? UNKNOWN : { kind: "unknown", usual };
}

export function defaultOf(value: Value): string | undefined {
  return value.kind === "unknown" ? value.usual : undefined;
}

export function wordValue(word: Word): Value {
  return word.known ? { kind: "text", text: word.text } : unknownValue(word);
}

/** A folder among temporary files that a word leads to, where that much is certain of it. */
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

/** What stands between the brackets of `${name[…]}`. */
export function indexText(part: VariablePart): string | undefined {
  const [only, more] = part.index ?? [];
  return only?.kind === "text" && more === undefined ? only.text : undefined;
}

/** `${list[i]}` counts: a name there is its value. Of a map it is the key itself. */
export function elementKey(text: string | undefined, name: string, env: Env): string | undefined {
  if (text === undefined || !/^[A-Za-z_]\w*$/.test(text) || env.variables.has(`${name}[]`)) return text;
  const value = lookUp(env, text);
  return value.kind === "text" ? value.text : undefined;
}
