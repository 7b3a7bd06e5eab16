import { knownText, type Word } from "../command.ts";
import type { Parts, VariablePart } from "../parse/syntax.ts";
import type { Expansion } from "./expand.ts";
import { type Env, lookUp, UNKNOWN, type Value } from "./variables.ts";

/** `$0`, `$?`, `$$` and `$#` always have a value; which one does not matter for `${?+…}`. */
const ALWAYS_SET: Value = { kind: "text", text: "0" };

const TEMPORARY = /^(?:(?:\/private)?(?:\/var)?\/tmp|\/dev\/shm)\//;

/** Of `${TMPDIR:-/tmp}` with an unknown TMPDIR the default is taken: either is a folder of temporary files. */
function valueFor({ name, operator }: VariablePart, env: Env): Value {
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

function elementValue(items: readonly string[], index: number): Value {
  const text = items[index];
  return text === undefined ? { kind: "unset" } : { kind: "text", text };
}

function listValue(items: readonly string[] | undefined): Value {
  return items ? { kind: "list", items } : UNKNOWN;
}

function lengthValue(items: readonly string[] | undefined): Value {
  return items ? { kind: "text", text: String(items.length) } : UNKNOWN;
}

/** The text between the brackets of `${name[…]}`, if it has no expansions. */
export function indexText(part: VariablePart): string | undefined {
  const [only, more] = part.index ?? [];
  return only?.kind === "text" && more === undefined ? only.text : undefined;
}

/** The key of `${list[i]}`: of an array the value of the variable `i`, of an associative array the text itself. */
function elementKey(text: string | undefined, name: string, env: Env): string | undefined {
  if (text === undefined || !/^[A-Za-z_]\w*$/.test(text) || env.variables.has(`${name}[]`)) return text;
  const value = lookUp(env, text);
  return value.kind === "text" ? value.text : undefined;
}

/** The value of the variable, array element or parameter in an expansion such as `$x`, `${x[0]}` or `$@`. */
export function variableValue(part: VariablePart, expansion: Expansion): Value {
  const { env } = expansion;
  const { name, index } = part;
  if (part.operator === "!") return indirectValue(name, index, env);
  if (name === "@" || name === "*") return listValue(env.positional);
  if (name === "#") return lengthValue(env.positional);
  if (/^[0?$#]$/.test(name) && part.operator?.endsWith("+")) return ALWAYS_SET;
  if (name === "0") return textOrUnknown(env.zero);
  if (name === "BASH_SOURCE" && (index === undefined || indexText(part) === "0")) return textOrUnknown(env.source);
  if (/^[1-9]\d*$/.test(name)) {
    if (!env.positional) return UNKNOWN;
    const text = env.positional[Number(name) - 1];
    return text === undefined ? { kind: "unset" } : { kind: "text", text };
  }
  if (!/^[A-Za-z_]\w*$/.test(name)) return UNKNOWN;
  const value = valueFor(part, env);
  if (index === undefined) return value.kind === "list" ? elementValue(value.items, 0) : value;
  const at = elementKey(indexText(part) ?? knownText(expansion.single(index)), name, expansion.env);
  const own = at === undefined ? undefined : expansion.env.variables.get(`${name}[${at}]`);
  if (own) return own;
  if (at === "@" || at === "*") {
    if (part.operator === "#") return UNKNOWN;
    return value.kind === "text" ? { kind: "list", items: [value.text] } : value;
  }
  if (at === undefined || !/^\d{1,6}$/.test(at)) return UNKNOWN;
  if (value.kind === "text") return at === "0" ? value : { kind: "unset" };
  return value.kind === "list" ? elementValue(value.items, Number(at)) : value;
}

/** `${!name}`: the variable whose name is the value of another one. */
function indirectValue(name: string, index: Parts | undefined, env: Env): Value {
  const value = index === undefined && /^[A-Za-z_]\w*$/.test(name) ? lookUp(env, name) : UNKNOWN;
  return value.kind === "text" && /^[A-Za-z_]\w*$/.test(value.text) ? lookUp(env, value.text) : UNKNOWN;
}

function textOrUnknown(text: string | undefined): Value {
  return text === undefined ? UNKNOWN : { kind: "text", text };
}
