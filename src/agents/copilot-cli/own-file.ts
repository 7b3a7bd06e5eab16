/**
 * A file with hooks that is ours as a whole, for an agent that reads every file of a folder: `{version: 1, hooks: {EVENT:
 * [HANDLER, …]}}`. It is written anew each time, and never when somebody else has put something into it.
 */
import { isBlank } from "../grouped-hooks.ts";
import type { JsonValue } from "../json-edit.ts";
import {
  type JsonDocument,
  type JsonNode,
  JsonSyntaxError,
  memberNamed,
  parseJson,
  readValue,
  type TextSpan,
} from "../json-parser.ts";
import { commandWords, type IsOwnHandler } from "../own-handlers.ts";

const VERSION = 1;

/** The text of the file with exactly these handlers; throws when the file has anything that is not ours. */
export function ownFileWith(
  text: string | undefined,
  entries: readonly { readonly event: string; readonly handler: JsonValue }[],
  isOurs: IsOwnHandler,
): string {
  if (text !== undefined && !isBlank(text)) checkOwn(parseJson(text), isOurs);
  const hooks = Object.fromEntries(entries.map(({ event, handler }) => [event, [handler]]));
  return `${JSON.stringify({ version: VERSION, hooks }, undefined, 2)}\n`;
}

/** The text of the file without our handlers. */
export function withoutOwn(text: string, isOurs: IsOwnHandler): string {
  if (isBlank(text)) return text;
  const doc = parseJson(text);
  const places = handlersIn(doc);
  const others = places.filter(({ node }) => !isOwn(doc, node, isOurs));
  if (others.length === places.length) return text;
  const hooks: Record<string, unknown[]> = {};
  for (const { event, node } of others) hooks[event] = [...(hooks[event] ?? []), readValue(doc, node)];
  return `${JSON.stringify({ ...(readValue(doc, doc.root) as object), hooks }, undefined, 2)}\n`;
}

/** The events with a handler of ours. */
export function ownEventsIn(text: string | undefined, isOurs: IsOwnHandler): string[] {
  return [...new Set(ownHandlersIn(text, isOurs).map(({ event }) => event))];
}

/** The profiles in the arguments of our handlers. */
export function ownProfilesIn(text: string | undefined, isOurs: IsOwnHandler): string[] {
  const names = ownHandlersIn(text, isOurs).flatMap(({ words }) => {
    const at = words.indexOf("--profile");
    return at < 0 ? [] : (words[at + 1] ?? "").split(",");
  });
  return [...new Set(names)];
}

function ownHandlersIn(text: string | undefined, isOurs: IsOwnHandler): { event: string; words: readonly string[] }[] {
  if (text === undefined || isBlank(text)) return [];
  const doc = parseJson(text);
  return handlersIn(doc)
    .filter(({ node }) => isOwn(doc, node, isOurs))
    .map(({ event, node }) => ({ event, words: commandWords(readValue(doc, node))?.args ?? [] }));
}

function handlersIn({ root }: JsonDocument): { event: string; node: JsonNode }[] {
  const hooks = root.kind === "object" ? memberNamed(root, "hooks")?.value : undefined;
  if (hooks?.kind !== "object") return [];
  return hooks.members.flatMap(({ key, value }) =>
    value.kind === "array" ? value.items.map((node) => ({ event: key, node })) : [],
  );
}

function isOwn(doc: JsonDocument, node: JsonNode, isOurs: IsOwnHandler): boolean {
  const words = commandWords(readValue(doc, node));
  return words !== undefined && isOurs(words);
}

function checkOwn(doc: JsonDocument, isOurs: IsOwnHandler): void {
  const foreign = (what: string, { start }: TextSpan): JsonSyntaxError => {
    const detail = `${what} is not from Hookwright, to which this file belongs as a whole; put it into another file here`;
    return new JsonSyntaxError(detail, doc.text, start);
  };
  const { root } = doc;
  if (root.kind !== "object") throw foreign("this", root);
  for (const member of root.members) {
    const { key, value } = member;
    if (key === "version" && readValue(doc, value) === VERSION) continue;
    if (key !== "hooks" || value.kind !== "object") throw foreign(`\`${key}\``, member);
    for (const { key: event, value: handlers } of value.members) {
      if (handlers.kind !== "array") throw foreign(`what stands for \`${event}\``, handlers);
      const other = handlers.items.find((node) => !isOwn(doc, node, isOurs));
      if (other) throw foreign(`this hook for \`${event}\``, other);
    }
  }
}
