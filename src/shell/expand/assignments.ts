import { type Assignment, knownText, type Redirection, type Word } from "../command.ts";
import type { AssignmentNode, Parts, RedirectNode } from "../parse/syntax.ts";
import { expandBraces } from "./braces.ts";
import type { Expansion } from "./expand.ts";
import { wordValue } from "./values.ts";
import { assign, assignElement, assignMap, hasAttributes, lookUp, UNKNOWN, type Value } from "./variables.ts";

const MAX_ITEMS = 1024;

export function expandRedirects(expansion: Expansion, nodes: readonly RedirectNode[]): readonly Redirection[] {
  return nodes.map((node) => {
    if (typeof node.fd === "string") expansion.env = assign(expansion.env, node.fd, UNKNOWN);
    const [target, more] = node.target ? expansion.word(node.target) : [];
    const written = node.target && (more || !target ? { text: target?.text ?? "", known: false } : target);
    return {
      operator: node.operator,
      fd: node.fd,
      target: written,
      body: node.body && expansion.single(node.body),
    };
  });
}

export function readAssignment(expansion: Expansion, node: AssignmentNode): Assignment {
  const { name, append } = node;
  if (hasAttributes(expansion.env, name)) expansion.risky = true;
  const key = node.index && expansion.single(node.index);
  const entries = node.list && !append ? readEntries(expansion, node.list) : undefined;
  if (entries) {
    expansion.env = entries.reduce(
      (env, [at, text]) => assignElement(env, name, at, wordValue(text)),
      expansion.env.variables.has(`${name}[]`)
        ? assignMap(expansion.env, name, [])
        : assign(expansion.env, name, UNKNOWN),
    );
    return { name, append, value: entries.map(([, text]) => text) };
  }
  if (node.list) {
    const indexed = node.list.some(([first]) => first?.kind === "text" && first.text.startsWith("["));
    const words = node.list.flatMap((element) => expansion.word(element));
    const items = words.map(knownText).filter((text) => text !== undefined);
    const whole = !indexed && items.length === words.length && words.length <= MAX_ITEMS;
    const old = append ? lookUp(expansion.env, name) : { kind: "list" as const, items: [] };
    const value: Value =
      whole && old.kind === "list" && old.items.length <= MAX_ITEMS
        ? { kind: "list", items: [...old.items, ...items] }
        : UNKNOWN;
    expansion.env = assign(expansion.env, name, value);
    return { name, append, value: words };
  }
  const word = expansion.single(node.value, true);
  const old: Value = append ? lookUp(expansion.env, name) : { kind: "text", text: "" };
  const affordable = old.kind === "text" && word.known && (old.text === "" || expansion.afford(old.text.length));
  const unknown: Value = word.known || append ? UNKNOWN : wordValue(word);
  const joined: Value = affordable ? { kind: "text", text: old.text + word.text } : unknown;
  if (!key) expansion.env = assign(expansion.env, name, joined);
  else expansion.env = assignElement(expansion.env, name, knownText(key), append ? UNKNOWN : wordValue(word));
  return { name, append, value: word };
}

/** The elements of `([key]=text …)`; undefined unless all elements have keys. */
function readEntries(expansion: Expansion, list: readonly Parts[]): Word["entries"] {
  const keyed = list.map(([first, ...rest]) => {
    const [, key, text] = (first?.kind === "text" && !first.quoted && /^\[([\w.:/-]+)\]=(.*)$/s.exec(first.text)) || [];
    return key === undefined
      ? undefined
      : { key, parts: [{ kind: "text", text: text ?? "", quoted: false } as const, ...rest] };
  });
  if (keyed.length === 0 || keyed.length > MAX_ITEMS || keyed.includes(undefined)) return undefined;
  return keyed.flatMap((one) => (one ? [[one.key, expansion.single(one.parts, true)] as const] : []));
}

/** An assignment as an argument of `export` and the like. Its value is not split into words. */
export function assignmentWord(expansion: Expansion, node: AssignmentNode): Word {
  const braces = expandBraces(node.value);
  if (node.list || node.index || braces?.length !== 1) {
    expansion.evaluate(node.value);
    const entries = node.list && !node.append ? readEntries(expansion, node.list) : undefined;
    if (entries) return { text: node.text, known: false, entries };
    const words = node.list?.flatMap((element) => expansion.word(element)) ?? [];
    const items = words.map(knownText).filter((text) => text !== undefined);
    const whole = node.list && !node.append && items.length === words.length && items.length <= MAX_ITEMS;
    return { text: node.text, known: false, ...(whole && { items }) };
  }
  const value = expansion.single(node.value, true);
  return { ...value, text: `${node.name}${node.append ? "+" : ""}=${value.text}` };
}
