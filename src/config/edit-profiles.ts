import { isDeepStrictEqual } from "node:util";
import { isMap, isNode, isSeq, type Node, parseDocument, type YAMLMap, type YAMLSeq } from "yaml";
import { isProfile, type ProfileName } from "../core/settings/profiles.ts";
import { isRecord } from "./read-options.ts";
import { readYaml, type TextPosition } from "./read-yaml.ts";

const KEY = "profiles";
const BYTE_ORDER_MARK = "\uFEFF";

export type ProfilesEdit = { readonly text: string } | { readonly place: TextPosition; readonly detail: string };

/** The names that a configuration file lists under `profiles`; undefined when it has no such list. */
export function profilesIn(text: string): ProfileName[] | undefined {
  const yaml = readYaml(text);
  const list = yaml.kind === "data" && isRecord(yaml.value) ? yaml.value[KEY] : undefined;
  if (!Array.isArray(list)) return undefined;
  return [...new Set(list.filter((name): name is ProfileName => typeof name === "string" && isProfile(name)))];
}

/** The text of a configuration file with exactly these profiles. Everything else in it stays as it is. */
export function withProfiles(text: string, names: readonly ProfileName[]): ProfilesEdit {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
  const before = text.slice(mark.length);
  const yaml = readYaml(before);
  if (yaml.kind === "mistake") return yaml;
  const root = yaml.value ?? {};
  const start = { line: 1, column: 1 };
  if (!isRecord(root)) return { place: start, detail: "the file should hold keys and values" };
  const after = edited(before, names);
  // The text is edited, not printed from data, and YAML has many forms: so the result is parsed and checked.
  const isRight = isWanted(after, root, names);
  return isRight
    ? { text: mark + after }
    : { place: yaml.place([KEY], "key"), detail: "the list cannot be changed here" };
}

function isWanted(text: string, before: Readonly<Record<string, unknown>>, names: readonly ProfileName[]): boolean {
  const yaml = readYaml(text);
  if (yaml.kind !== "data" || !isRecord(yaml.value)) return false;
  const { [KEY]: list, ...others } = yaml.value;
  const { [KEY]: _, ...othersBefore } = before;
  return isDeepStrictEqual(others, othersBefore) && Array.isArray(list) && isSame(list, names);
}

function isSame(list: readonly unknown[], names: readonly ProfileName[]): boolean {
  return list.length === names.length && names.every((name) => list.includes(name));
}

function edited(text: string, names: readonly ProfileName[]): string {
  const { contents } = parseDocument(text, { uniqueKeys: false, logLevel: "error" });
  if (!isMap(contents)) return appended(text, "", names);
  const pair = contents.items.find(({ key }) => isNode(key) && String(key) === KEY);
  if (!pair) return withKey(text, contents, names);
  const key = rangeOf(pair.key);
  const value = isNode(pair.value) ? rangeOf(pair.value) : { start: key.end, end: key.end };
  const isBlock = isSeq(pair.value) && !pair.value.flow;
  if (isBlock) return withItems(text, pair.value as YAMLSeq, names);
  if (value.start !== value.end) return text.slice(0, value.start) + listed(names) + text.slice(value.end);
  const colon = text.indexOf(":", key.end) + 1;
  return `${text.slice(0, colon)} ${listed(names)}${text.slice(colon)}`;
}

function listed(names: readonly ProfileName[]): string {
  return `[${names.join(", ")}]`;
}

function withKey(text: string, map: YAMLMap, names: readonly ProfileName[]): string {
  const { start } = rangeOf(map);
  if (!map.flow) return appended(text, /[^\n]*$/.exec(text.slice(0, start))?.[0] ?? "", names);
  const separator = map.items.length > 0 ? ", " : "";
  return `${text.slice(0, start + 1)}${KEY}: ${listed(names)}${separator}${text.slice(start + 1)}`;
}

function appended(text: string, indentation: string, names: readonly ProfileName[]): string {
  const newline = newlineOf(text);
  const gap = text === "" || text.endsWith("\n") ? "" : newline;
  return `${text}${gap}${indentation}${KEY}: ${listed(names)}${newline}`;
}

/** Edits a list with one name per line: lines of kept names stay with their comments, new names are added after them. */
function withItems(text: string, list: YAMLSeq, names: readonly ProfileName[]): string {
  const lines = list.items.filter(isNode).map((item) => ({ name: String(item), ...lineOf(text, rangeOf(item).start) }));
  const [first] = lines;
  if (!first) return text;
  const isStaying = ({ name }: { readonly name: string }): boolean => names.some((wanted) => wanted === name);
  const indentation = /^[^-]*/.exec(text.slice(first.start))?.[0] ?? "";
  const newline = newlineOf(text);
  const added = names.filter((name) => !lines.some((line) => line.name === name));
  const texts = added.map((name) => `${indentation}- ${name}${newline}`).join("");
  const at = lines.findLast(isStaying)?.end ?? first.start;
  const isCut = texts !== "" && at > 0 && text[at - 1] !== "\n";
  let result = text.slice(0, at) + (isCut ? newline : "") + texts;
  let rest = text.slice(at);
  for (const { start, end } of lines.filter((line) => !isStaying(line)).toReversed()) {
    if (start >= at) rest = rest.slice(0, start - at) + rest.slice(end - at);
    else result = result.slice(0, start) + result.slice(end);
  }
  return result + rest;
}

/** The line from its first character to the first one of the next line. */
function lineOf(text: string, offset: number): { readonly start: number; readonly end: number } {
  const newline = text.indexOf("\n", offset);
  return { start: text.lastIndexOf("\n", offset - 1) + 1, end: newline < 0 ? text.length : newline + 1 };
}

function newlineOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

function rangeOf(node: unknown): { readonly start: number; readonly end: number } {
  const [start = 0, end = 0] = (node as Node).range ?? [];
  return { start, end };
}
