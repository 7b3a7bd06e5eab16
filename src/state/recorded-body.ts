import type { AnyEvent, Json, JsonObject } from "../core/event.ts";
import { sha256 } from "../core/text/sha256.ts";
import { isSuspicious, maskJson } from "./masking.ts";

const LONGEST_STRING = 2_000;
const LONGEST_BODY = 16_000;
/** No agent nests like this; going deeper would end in an overflow of the stack and an event without a row. */
const DEEPEST = 100;
/** A row never holds that many values; walking through more, to throw them away in the end, only costs time. */
const MOST_VALUES = 5_000;
/** Fields of an edit that name the place and not the content. */
const WHERE = new Set(["file_path", "filePath", "notebook_path", "cell_id", "edit_mode", "type"]);

/** The body that the journal stores: secrets masked, file contents as hash and length, and a limit for the rest. */
export function recordedBody(event: AnyEvent, body?: Buffer): string {
  const isEdit = event.tool?.kind === "edit";
  const asItCame = isEdit || body === undefined ? undefined : plainText(body);
  if (asItCame !== undefined && !isSuspicious(asItCame)) return asItCame;
  const { values, longest } = isEdit && body && body.length <= MOST_VALUES ? FEW : surveyOf(event.raw);
  if (values > MOST_VALUES) return notKept(event, wholeText(event.raw));
  // A body with few values cannot be nested deeply.
  const isKeptWhole = !isEdit && longest <= LONGEST_STRING && values <= DEEPEST;
  const kept = isKeptWhole ? event.raw : shortened(event.raw, isEdit);
  const plain = JSON.stringify(kept);
  const text = isSuspicious(plain) ? JSON.stringify(maskJson(kept)) : plain;
  return text.length <= LONGEST_BODY ? text : notKept(event, text);
}

/** Escapes that we would not write ourselves: behind them a secret could hide. */
const HIDING = /\\[u/]/;

/** A small event without escapes is stored as it came. */
function plainText(body: Buffer): string | undefined {
  if (body.length > LONGEST_STRING) return undefined;
  const text = body.toString("utf8");
  return text.startsWith("{") && text.endsWith("}") && !HIDING.test(text) ? text : undefined;
}

/** The same limits for a payload that is stored elsewhere: nothing large, nothing deep, no secret. */
export function keptPayload(raw: JsonObject): JsonObject {
  if (surveyOf(raw).values > MOST_VALUES) return { not_kept: digest(wholeText(raw)) };
  const kept = maskJson(shorten(raw, false)) as JsonObject;
  const text = JSON.stringify(kept);
  return text.length <= LONGEST_BODY ? kept : { not_kept: digest(text) };
}

function notKept(event: AnyEvent, text: string): string {
  return JSON.stringify({ hook_event_name: event.agentEvent, not_kept: digest(text) });
}

function shortened(raw: JsonObject, isEdit: boolean): JsonObject {
  return mapped(raw, (value, key) => shorten(value, isEdit && (key === "tool_input" || key === "tool_response")));
}

function mapped(fields: JsonObject, each: (value: Json, key: string) => Json): JsonObject {
  const made: Record<string, Json> = {};
  for (const key of Object.keys(fields)) {
    const value = each(fields[key] as Json, key);
    if (key !== "__proto__") made[key] = value;
    // An assignment to `__proto__` would set the object's prototype.
    else Object.defineProperty(made, key, { value, enumerable: true });
  }
  return made;
}

/** Every value takes a byte or more, and of an edit nothing else is asked. */
const FEW = { values: 0, longest: 0 };

/** How many values there are, counted until they are too many, and how long the longest text is. */
function surveyOf(raw: Json): typeof FEW {
  const open: Json[] = [raw];
  let values = 0;
  let longest = 0;
  for (let value = open.pop(); value !== undefined && values <= MOST_VALUES; value = open.pop()) {
    if (typeof value === "string") longest = Math.max(longest, value.length);
    if (typeof value !== "object" || value === null) continue;
    const inner: readonly Json[] = Array.isArray(value) ? value : Object.values(value as JsonObject);
    values += inner.length;
    for (const one of inner) open.push(one);
  }
  return { values, longest };
}

function wholeText(raw: JsonObject): string {
  try {
    return JSON.stringify(raw);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return `nested deeper than ${DEEPEST}`;
  }
}

function shorten(value: Json, isContent: boolean, depth = 1): Json {
  if (typeof value === "string") return isContent || value.length > LONGEST_STRING ? digest(value) : value;
  if (typeof value !== "object" || value === null) return value;
  if (depth > DEEPEST) return digest(`nested deeper than ${DEEPEST}`);
  if (Array.isArray(value)) return value.map((item) => shorten(item, isContent, depth + 1));
  return mapped(value as JsonObject, (inner, key) => shorten(inner, isContent && !WHERE.has(key), depth + 1));
}

function digest(text: string): Json {
  return { sha256: sha256(text), length: text.length };
}

/** Was something left out, so that deciding again could come out differently? */
export function isWhole(body: string): boolean {
  return !/"sha256":"[0-9a-f]{64}"/.test(body);
}
