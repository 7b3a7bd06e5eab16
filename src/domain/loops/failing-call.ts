import { type EventOf, isObject, type Json } from "../../core/event.ts";
import { fingerprint } from "../../core/text/fingerprint.ts";
import { oneLine } from "../../core/text/one-line.ts";
import { maskText } from "../../state/masking.ts";

/** A call that failed, so that the next one can be compared with it. Texts are kept as fingerprints only. */
export interface FailedCall {
  readonly call: string;
  readonly error: string;
  /** The line of the error that says most, for people: without secrets, and short. */
  readonly shown: string;
}

type ToolEvent = EventOf<"tool.before"> | EventOf<"tool.after"> | EventOf<"tool.failed">;

/** Of a longer error only both ends are compared. */
const LONGEST_END = 4_000;
const LONGEST_SHOWN = 140;

/** What is different at every try, although the error is the same. Each pattern is linear. */
const VARYING: readonly RegExp[] = [
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal begin with this character
  /\x1b\[[\d;]*m/g,
  // Dates and times of day.
  /\d{4}[-/]\d\d[-/]\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?/g,
  /\b\d{1,2}:\d\d:\d\d(?:[.,]\d+)?/g,
  // How long it took.
  /\b\d+(?:\.\d+)? ?(?:[mnµ]?s|secs?|seconds?|milliseconds?|mins?|minutes?)\b/g,
  // Places in files.
  /(?<=[\w)\]]):\d+(?::\d+)?/g,
  /\b(?:line|lines|column|col) \d+(?:[-,] ?\d+)?/gi,
  // Numbers of processes, addresses in memory, made identifiers and temporary names.
  /\bpid[ :=]*\d+/gi,
  /\b0x[\da-f]{4,}/gi,
  /\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/gi,
  /(?<=\/tmp\/)[^\s"':]+/g,
];

export function failedCall(event: EventOf<"tool.failed">): FailedCall {
  return { call: callKey(event), error: fingerprint(comparable(event.error)), shown: shownLine(event.error) };
}

/** The same for calls of the same tool with the same input, in whatever order its fields are. */
export function callKey({ tool: { name, input } }: ToolEvent): string {
  // What a call is for is worded anew at every try.
  const { description: _description, ...rest } = input;
  return fingerprint(name, JSON.stringify(sorted(rest)));
}

/** Does the call only look at something? Then it is not yet another approach. */
export function onlyLooks({ tool: { kind, name } }: ToolEvent): boolean {
  return kind === "read" || name === "Grep" || name === "Glob";
}

function comparable(error: string): string {
  const ends = error.length <= 2 * LONGEST_END ? error : error.slice(0, LONGEST_END) + error.slice(-LONGEST_END);
  return VARYING.reduce((text, pattern) => text.replace(pattern, "#"), ends).trim();
}

/** `Exit code 1` alone says nothing, so it is passed over where something follows. */
function shownLine(error: string): string {
  const lines = error.slice(0, LONGEST_END).split("\n");
  const said = lines.map((line) => line.trim()).filter((line) => line !== "");
  const line = said.find((one) => !/^Exit code \d+$/.test(one)) ?? said[0] ?? "";
  return oneLine(maskText(line), LONGEST_SHOWN);
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key] ?? null)]),
  );
}
