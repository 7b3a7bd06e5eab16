import { isDeepStrictEqual } from "node:util";
import { HookwrightError } from "../core/errors.ts";
import { appendItem, appendMember, type JsonValue, removeAt, replaceNode } from "./json-edit.ts";
import {
  type ArrayNode,
  type JsonDocument,
  type JsonNode,
  memberNamed,
  type ObjectNode,
  parseJson,
  readValue,
} from "./json-parser.ts";
import { commandWords, type IsOwnHandler } from "./own-handlers.ts";

/** One handler of ours: the event, and the object that stands in the settings. */
export interface HookEntry {
  readonly event: string;
  readonly handler: JsonValue;
}

export interface Registration {
  /** Only for error messages. */
  readonly file: string;
  readonly entries: readonly HookEntry[];
  readonly isOurs: IsOwnHandler;
}

/** What is alike in the installers of all agents whose settings have hooks in groups. */
export const GROUPED = { remove: removeHooks, eventsIn: eventsInSettings, profilesIn: profilesInSettings };

/**
 * The settings text with exactly these entries of ours. A correct entry keeps its bytes, an outdated one is replaced in
 * place, and one that is not in the list is removed.
 */
export function installHooks(text: string | undefined, registration: Registration): string {
  const { entries, isOurs } = registration;
  let doc = openDocument(text);
  checkShape(doc, registration);
  for (const entry of entries) doc = parseJson(installOne(doc, entry, isOurs));
  const isExtra = (place: HandlerPlace, all: readonly HandlerPlace[]): boolean =>
    !entries.some((entry) => entry.event === place.event) || place !== effectiveEntry(all, place.event);
  return removeWhere(doc, isOurs, isExtra, NOTHING_KEPT);
}

/**
 * The settings text without our entries. Lists that become empty are removed too, unless `original`, the text before the
 * installation, had them.
 */
export function removeHooks(text: string, isOurs: IsOwnHandler, original?: string): string {
  if (isBlank(text)) return text;
  return removeWhere(parseJson(text), isOurs, () => true, original === undefined ? NOTHING_KEPT : listsOf(original));
}

/** The events with an entry of ours, in the order of the file. */
export function eventsInSettings(text: string | undefined, isOurs: IsOwnHandler): string[] {
  if (text === undefined || isBlank(text)) return [];
  return [...new Set(findOurs(parseJson(text), isOurs).map((place) => place.event))];
}

/** The profiles in the `--profile` arguments of our entries; empty when the configuration decides. */
export function profilesInSettings(text: string | undefined, isOurs: IsOwnHandler): string[] {
  if (text === undefined || isBlank(text)) return [];
  const doc = parseJson(text);
  const names = findOurs(doc, isOurs).flatMap(({ handler }) => {
    const { args = [] } = commandWords(readValue(doc, handler)) ?? {};
    const at = args.indexOf("--profile");
    return at >= 0 ? String(args[at + 1]).split(",") : [];
  });
  return [...new Set(names)];
}

/** Is `disableAllHooks` set? Then the agent runs no hook at all. */
export function hooksDisabled(text: string | undefined): boolean {
  if (text === undefined || isBlank(text)) return false;
  const doc = parseJson(text);
  const member = doc.root.kind === "object" ? memberNamed(doc.root, "disableAllHooks") : undefined;
  return member !== undefined && readValue(doc, member.value) === true;
}

/** What stands for a key beside the events. */
export function hooksMember(text: string | undefined, key: string): unknown {
  if (text === undefined || isBlank(text)) return undefined;
  const doc = parseJson(text);
  const hooks = doc.root.kind === "object" ? memberNamed(doc.root, "hooks")?.value : undefined;
  const member = hooks?.kind === "object" ? memberNamed(hooks, key) : undefined;
  return member && readValue(doc, member.value);
}

/** A blank file counts as an empty object, as it does for the agent. */
export function isBlank(text: string): boolean {
  return text.trim() === "";
}

function openDocument(text: string | undefined): JsonDocument {
  if (text === undefined || isBlank(text)) return parseJson(`${text?.startsWith("\uFEFF") ? "\uFEFF" : ""}{}\n`);
  return parseJson(text);
}

/** The position of one of our handlers, with every node around it. */
interface HandlerPlace {
  readonly event: string;
  /** False below a key that a later duplicate overrides: the agent ignores it. */
  readonly live: boolean;
  readonly root: ObjectNode;
  readonly hooksIndex: number;
  readonly hooks: ObjectNode;
  readonly eventIndex: number;
  readonly groups: ArrayNode;
  readonly groupIndex: number;
  readonly group: ObjectNode;
  readonly handlers: ArrayNode;
  readonly handlerIndex: number;
  readonly handler: ObjectNode;
  readonly matchesAll: boolean;
}

function findOurs(doc: JsonDocument, isOurs: IsOwnHandler): HandlerPlace[] {
  const { root } = doc;
  if (root.kind !== "object") return [];
  const places: HandlerPlace[] = [];
  for (const [hooksIndex, { key, value: hooks }] of root.members.entries()) {
    if (key !== "hooks" || hooks.kind !== "object") continue;
    const liveHooks = memberNamed(root, "hooks")?.value === hooks;
    for (const [eventIndex, { key: event, value: groups }] of hooks.members.entries()) {
      if (groups.kind !== "array") continue;
      const live = liveHooks && memberNamed(hooks, event)?.value === groups;
      for (const [groupIndex, group] of groups.items.entries()) {
        const handlers = group.kind === "object" ? memberNamed(group, "hooks")?.value : undefined;
        if (group.kind !== "object" || handlers?.kind !== "array") continue;
        const matcher = memberNamed(group, "matcher");
        const matchesAll = matcher === undefined || ["", "*"].includes(String(readValue(doc, matcher.value)));
        const outer = {
          event,
          live,
          root,
          hooksIndex,
          hooks,
          eventIndex,
          groups,
          groupIndex,
          group,
          handlers,
          matchesAll,
        };
        for (const [handlerIndex, handler] of handlers.items.entries()) {
          if (handler.kind !== "object" || !isOurHandler(readValue(doc, handler), isOurs)) continue;
          places.push({ ...outer, handlerIndex, handler });
        }
      }
    }
  }
  return places;
}

function isOurHandler(value: unknown, isOurs: IsOwnHandler): boolean {
  const words = commandWords(value);
  return words !== undefined && isOurs(words);
}

/** Our effective entry for an event. An entry with a matcher sees only some calls, so it does not count. */
function effectiveEntry(places: readonly HandlerPlace[], event: string): HandlerPlace | undefined {
  return places.find((place) => place.event === event && place.live && place.matchesAll);
}

function installOne(doc: JsonDocument, { event, handler }: HookEntry, isOurs: IsOwnHandler): string {
  const present = effectiveEntry(findOurs(doc, isOurs), event);
  if (present !== undefined) {
    const same = isDeepStrictEqual(readValue(doc, present.handler), handler);
    return same ? doc.text : replaceNode(doc, present.handler, handler);
  }
  const group: JsonValue = { hooks: [handler] };
  if (doc.root.kind !== "object") return doc.text;
  const hooks = memberNamed(doc.root, "hooks")?.value;
  if (hooks?.kind !== "object") return appendMember(doc, doc.root, "hooks", { [event]: [group] });
  const groups = memberNamed(hooks, event)?.value;
  return groups?.kind === "array" ? appendItem(doc, groups, group) : appendMember(doc, hooks, event, [group]);
}

interface KeptLists {
  readonly hooks: boolean;
  readonly events: ReadonlySet<string>;
}

const NOTHING_KEPT: KeptLists = { hooks: false, events: new Set() };

function listsOf(original: string): KeptLists {
  if (isBlank(original)) return NOTHING_KEPT;
  const { root } = parseJson(original);
  const hooks = root.kind === "object" ? memberNamed(root, "hooks")?.value : undefined;
  if (hooks?.kind !== "object") return NOTHING_KEPT;
  return { hooks: true, events: new Set(hooks.members.map((member) => member.key)) };
}

function removeWhere(
  start: JsonDocument,
  isOurs: IsOwnHandler,
  unwanted: (place: HandlerPlace, all: readonly HandlerPlace[]) => boolean,
  kept: KeptLists,
): string {
  let doc = start;
  for (;;) {
    const places = findOurs(doc, isOurs);
    const place = places.find((one) => unwanted(one, places));
    if (place === undefined) return doc.text;
    doc = parseJson(removePlace(doc, place, kept));
  }
}

function removePlace(doc: JsonDocument, place: HandlerPlace, kept: KeptLists): string {
  if (place.handlers.items.length > 1) return removeAt(doc, place.handlers, place.handlerIndex);
  if (place.groups.items.length > 1 || kept.events.has(place.event)) {
    return removeAt(doc, place.groups, place.groupIndex);
  }
  if (place.hooks.members.length > 1 || kept.hooks) return removeAt(doc, place.hooks, place.eventIndex);
  return removeAt(doc, place.root, place.hooksIndex);
}

/**
 * Checks the structure below the events that get an entry. The agent rejects a whole settings file for one malformed hook,
 * so an entry in such a file would look installed but never run.
 */
function checkShape(doc: JsonDocument, { file, entries }: Registration): void {
  const fail = (place: string, expected: string): never => {
    throw new HookwrightError("HW_SETTINGS_SHAPE", {
      file,
      part: place === "$" ? "the whole of it" : `\`${place}\``,
      expected,
    });
  };
  const object = (node: JsonNode | undefined, place: string): ObjectNode =>
    node?.kind === "object" ? node : fail(place, "an object");
  const array = (node: JsonNode | undefined, place: string): ArrayNode =>
    node?.kind === "array" ? node : fail(place, "an array");
  const hooksMember = memberNamed(object(doc.root, "$"), "hooks");
  if (hooksMember === undefined) return;
  const hooks = object(hooksMember.value, "hooks");
  for (const { event } of entries) {
    const member = memberNamed(hooks, event);
    if (member === undefined) continue;
    for (const [g, group] of array(member.value, `hooks.${event}`).items.entries()) {
      const place = `hooks.${event}[${g}]`;
      const handlers = array(memberNamed(object(group, place), "hooks")?.value, `${place}.hooks`);
      for (const [h, handler] of handlers.items.entries()) object(handler, `${place}.hooks[${h}]`);
    }
  }
}
