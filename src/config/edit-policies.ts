import { isDeepStrictEqual } from "node:util";
import { isMap, isNode, isScalar, isSeq, type Node, parseDocument, stringify, type YAMLMap } from "yaml";
import type { PolicyMode } from "../core/settings/config.ts";
import { isRecord } from "./read-options.ts";
import { readYaml } from "./read-yaml.ts";

const KEY = "policies";

export type PolicyEdit = { readonly text: string } | { readonly detail: string };

/** The text of a configuration file that gives this policy this mode. Everything else in it stays as it is. */
export function withPolicyMode(text: string, id: string, mode: PolicyMode): PolicyEdit {
  const set = (before: unknown): unknown => (isRecord(before) ? { ...before, mode } : mode);
  return edited(text, id, set, (map, pair, step) => {
    if (!pair) return added(text, map, id, mode, step);
    const { value } = pair;
    if (!isMap(value)) return replaced(text, pair, mode);
    const own = pairOf(value, "mode");
    return own ? replaced(text, own, mode) : added(text, value, "mode", mode, step);
  });
}

/** The same with one more item, the first one, in a list that is an option of the policy. */
export function withListItem(
  text: string,
  id: string,
  option: string,
  item: Readonly<Record<string, string>>,
): PolicyEdit {
  const set = (before: unknown): unknown => {
    const options = isRecord(before) ? before : typeof before === "string" ? { mode: before } : {};
    const list = options[option];
    return { ...options, [option]: [item, ...(Array.isArray(list) ? list : [])] };
  };
  const line = flow(item);
  return edited(text, id, set, (map, pair, step) => {
    if (!pair) return added(text, map, id, `{ ${option}: [${line}] }`, step);
    const { value } = pair;
    if (isScalar(value) && typeof value.value === "string") {
      return replaced(text, pair, `{ mode: ${value.value}, ${option}: [${line}] }`);
    }
    if (!isMap(value)) return replaced(text, pair, `{ ${option}: [${line}] }`);
    const list = pairOf(value, option);
    if (!list) return added(text, value, option, `[${line}]`, step);
    const items = list.value;
    if (!isSeq(items) || items.items.length === 0) return replaced(text, list, `[${line}]`);
    const first = rangeOf(items.items[0]).start;
    if (items.flow) return insert(text, first, `${line}, `);
    const dash = text.lastIndexOf("-", first);
    return insert(text, dash, `- ${line}${newlineOf(text)}${columnOf(text, dash)}`);
  });
}

/** An item in one line: it fits into a list of either form. */
function flow(item: Readonly<Record<string, string>>): string {
  return stringify(item, {
    collectionStyle: "flow",
    lineWidth: 0,
    defaultStringType: "QUOTE_DOUBLE",
    defaultKeyType: "PLAIN",
  }).trim();
}

type Pair = { readonly key: unknown; readonly value: unknown };

/** The text is edited, not printed from data, and YAML has many forms: so the result is parsed and checked. */
function edited(
  text: string,
  id: string,
  set: (before: unknown) => unknown,
  edit: (map: YAMLMap, pair: Pair | undefined, indentation: string) => string,
): PolicyEdit {
  const yaml = readYaml(text);
  if (yaml.kind === "mistake") return { detail: yaml.detail };
  const root = yaml.value ?? {};
  if (!isRecord(root)) return { detail: "the file should hold keys and values" };
  const policies = isRecord(root[KEY]) ? root[KEY] : {};
  const wanted = { ...root, [KEY]: { ...policies, [id]: set(policies[id]) } };
  const after = textWith(text, id, set, edit);
  const again = readYaml(after);
  if (again.kind === "data" && isDeepStrictEqual(again.value, wanted)) return { text: after };
  return { detail: `the policy ${id} is written there in a way that cannot be changed by a program` };
}

function textWith(
  text: string,
  id: string,
  set: (before: unknown) => unknown,
  edit: (map: YAMLMap, pair: Pair | undefined, indentation: string) => string,
): string {
  const { contents } = parseDocument(text, { uniqueKeys: false, logLevel: "error" });
  const step = "  ";
  const whole = stringify({ [id]: set(undefined) }, { lineWidth: 0 });
  const block = whole.trimEnd().replaceAll("\n", `${newlineOf(text)}${step}`);
  if (!isMap(contents)) return appended(text, `${KEY}:${newlineOf(text)}${step}${block}`);
  const pair = pairOf(contents, KEY);
  if (!pair) {
    if (contents.flow) return insert(text, rangeOf(contents).start + 1, `${KEY}: { ${block} }, `);
    return appended(text, `${KEY}:${newlineOf(text)}${step}${block}`);
  }
  if (isMap(pair.value)) return edit(pair.value, pairOf(pair.value, id), step);
  return replaced(text, pair, `${newlineOf(text)}${step}${block}`);
}

function pairOf(map: YAMLMap, key: string): Pair | undefined {
  return map.items.find((one) => isNode(one.key) && String(one.key) === key);
}

/** A new pair at the beginning of the map, where its indentation is known. */
function added(text: string, map: YAMLMap, key: string, value: string, step: string): string {
  const { start } = rangeOf(map);
  if (map.flow) return insert(text, start + 1, ` ${key}: ${value}${map.items.length > 0 ? "," : " "}`);
  const [first] = map.items;
  const at = first ? rangeOf(first.key).start : start;
  return insert(text, at, `${key}: ${value}${newlineOf(text)}${first ? columnOf(text, at) : step}`);
}

function replaced(text: string, { key, value }: Pair, by: string): string {
  const at = rangeOf(value);
  const isThere = isNode(value) && at.end > at.start;
  if (isThere) return text.slice(0, at.start) + by.trimStart() + text.slice(at.end);
  const colon = text.indexOf(":", rangeOf(key).end) + 1;
  return insert(text, colon, by.startsWith("\n") || by.startsWith("\r") ? by : ` ${by}`);
}

function appended(text: string, lines: string): string {
  const newline = newlineOf(text);
  return `${text}${text === "" || text.endsWith("\n") ? "" : newline}${lines}${newline}`;
}

function insert(text: string, at: number, what: string): string {
  return text.slice(0, at) + what + text.slice(at);
}

/** As many blanks as stand before this place in its line. */
function columnOf(text: string, at: number): string {
  return " ".repeat(at - (text.lastIndexOf("\n", at - 1) + 1));
}

function newlineOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

function rangeOf(node: unknown): { readonly start: number; readonly end: number } {
  const [start = 0, end = 0] = (node as Node | undefined)?.range ?? [];
  return { start, end };
}
