import path from "node:path";
import { HookwrightError } from "../../../core/errors.ts";
import type { Json, JsonObject } from "../../../core/event.ts";
import { isObject } from "../../../core/event.ts";
import { logFile } from "../heartbeat.ts";
import { type SessionState, textIn, textsIn, withFields } from "../state.ts";

/** The context that one run of an agent hands over to the next. */
export interface Handover {
  readonly summary: string;
  readonly lastAction: string;
  readonly nextSteps: readonly string[];
  readonly handoverInstructions: string;
  readonly requiredFiles: readonly string[];
}

/** The hand-over as a document for people; programs read it from the state file. */
export const HANDOVER_FILE = "DEHYDRATED_CONTEXT.md";
const FIELD = "dehydratedContext";
/** The id of the agent session that got the hand-over but has not made a call since. */
const GIVEN_TO = "handoverGivenTo";
export const MOST_FILES = 8;
const MOST_TEXT = 20_000;
const DELIVERED = "**Delivered**:";

/** Reads the hand-over from standard input. `leftOut`: required files above the limit. */
export function readHandover(text: string): { readonly handover: Handover; readonly leftOut: readonly string[] } {
  const wrong = (detail: string) =>
    new HookwrightError("HW_SESSION_INPUT", {
      detail: `The hand-over on standard input cannot be used: ${detail}.`,
      hint: "Give one JSON object: summary, lastAction, nextSteps (a list), handoverInstructions, requiredFiles (a list of at most 8 paths)",
    });
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch (error) {
    throw wrong(text.trim() === "" ? "it is empty" : error instanceof Error ? error.message : "it is not JSON");
  }
  if (!isObject(value)) throw wrong("it is not a JSON object");
  for (const field of ["summary", "lastAction", "handoverInstructions"]) {
    const given = value[field];
    if (given !== undefined && typeof given !== "string") throw wrong(`${field} is not a text`);
    if (typeof given === "string" && given.length > MOST_TEXT)
      throw wrong(`${field} is longer than ${MOST_TEXT} characters`);
  }
  for (const field of ["nextSteps", "requiredFiles"]) {
    const given = value[field];
    const isList = Array.isArray(given) && given.every((one) => typeof one === "string");
    if (given !== undefined && !isList) throw wrong(`${field} is not a list of texts`);
  }
  if (textIn(value, "summary").trim() === "") throw wrong("summary is missing");
  const files = [...new Set(textsIn(value, "requiredFiles"))];
  const handover = { ...handoverOf(value), requiredFiles: files.slice(0, MOST_FILES) };
  return { handover, leftOut: files.slice(MOST_FILES) };
}

function handoverOf(value: JsonObject): Handover {
  return {
    summary: textIn(value, "summary"),
    lastAction: textIn(value, "lastAction"),
    nextSteps: textsIn(value, "nextSteps"),
    handoverInstructions: textIn(value, "handoverInstructions"),
    requiredFiles: textsIn(value, "requiredFiles").slice(0, MOST_FILES),
  };
}

/**
 * The pending hand-over of a session. `file` is the current text of its document, which takes precedence: a person may
 * have edited or written it.
 */
export function pendingHandover(state: SessionState, file: string | undefined): Handover | undefined {
  const value = state[FIELD];
  // Other programs store a plain text in this field.
  const stored = isObject(value)
    ? handoverOf(value)
    : typeof value === "string" && value.trim() !== ""
      ? { ...handoverOf({}), summary: value }
      : undefined;
  if (file === undefined || file.trim() === "" || file.includes(DELIVERED)) return stored;
  return stored && file === handoverText(stored) ? stored : readDocument(file);
}

export const isGivenTo = (state: SessionState, session: string): boolean => textIn(state, GIVEN_TO) === session;
export const givenTo = (state: SessionState, handover: Handover, session: string): SessionState =>
  withFields(withHandover(state, handover), { [GIVEN_TO]: session });
export const withHandover = (state: SessionState, handover: Handover): SessionState =>
  withFields(state, { [FIELD]: { ...handover }, [GIVEN_TO]: undefined });
/** The hand-over is in use and must not be given again. */
export const withoutHandover = (state: SessionState): SessionState =>
  withFields(state, { [FIELD]: undefined, [GIVEN_TO]: undefined });

const section = (title: string, text: string): string => (text === "" ? "" : `\n## ${title}\n\n${text}\n`);
const bullets = (items: readonly string[]): string => items.map((item) => `- ${item}`).join("\n");

export function handoverText(handover: Handover): string {
  return [
    "# Hand-over\n",
    section("Summary", handover.summary),
    section("Last action", handover.lastAction),
    section("Next steps", bullets(handover.nextSteps)),
    section("Hand-over", handover.handoverInstructions),
    section("Required files", bullets(handover.requiredFiles)),
  ].join("");
}

/** The document's text after its delivery, marked with the time. */
export function deliveredText(handover: Handover, at: number): string {
  const [title = "", ...rest] = handoverText(handover).split("\n");
  return [title, "", `${DELIVERED} ${new Date(at).toISOString()}`, ...rest].join("\n");
}

const TITLES: readonly (readonly [RegExp, keyof Handover])[] = [
  [/last action/i, "lastAction"],
  [/next step/i, "nextSteps"],
  [/required file/i, "requiredFiles"],
  [/hand-?\s?over|instruction/i, "handoverInstructions"],
];

/** Reads a document by its headings. Text under an unknown heading becomes part of the summary. */
function readDocument(text: string): Handover {
  const parts: Record<keyof Handover, string[]> = {
    summary: [],
    lastAction: [],
    nextSteps: [],
    handoverInstructions: [],
    requiredFiles: [],
  };
  let at: keyof Handover = "summary";
  for (const line of text.split("\n")) {
    const [, level = "", title = ""] = /^(#{1,6})\s+(.*)$/.exec(line) ?? [];
    if (level === "#") continue;
    if (level === "##") at = TITLES.find(([known]) => known.test(title))?.[1] ?? "summary";
    else parts[at].push(line);
  }
  const joined = (field: keyof Handover): string => parts[field].join("\n").trim();
  const listed = (field: keyof Handover): string[] =>
    parts[field].flatMap((line) => /^\s*(?:[-*]|\d+[.)])\s+(?:\[[ xX]\]\s+)?(.+?)\s*$/.exec(line)?.[1] ?? []);
  return {
    summary: joined("summary"),
    lastAction: joined("lastAction"),
    nextSteps: listed("nextSteps"),
    handoverInstructions: joined("handoverInstructions"),
    requiredFiles: listed("requiredFiles")
      .map((name) => name.replaceAll("`", ""))
      .slice(0, MOST_FILES),
  };
}

/** A minimal hand-over from the session's state, for a context that was lost before the agent wrote one. */
export function miniHandover(
  dir: string,
  state: SessionState,
  about: { readonly files: readonly string[]; readonly transcript: string; readonly cause: string },
): Handover {
  const skill = textIn(state, "skill");
  const phase = textIn(state, "currentPhase");
  const work = [...(phase === "" ? [] : [`the phase ${phase}`]), ...(skill === "" ? [] : [`the skill ${skill}`])].join(
    " of ",
  );
  const log = path.basename(logFile(dir, state));
  const documents = about.files.filter((name) => name.endsWith(".md") && name !== HANDOVER_FILE);
  const ordered = [...documents.filter((name) => name === log), ...documents.filter((name) => name !== log)];
  const conversation = about.transcript === "" ? "" : ` The conversation before is in ${about.transcript}.`;
  return {
    summary: textIn(state, "taskSummary") || `Work on ${work || "the task of this session"}.`,
    lastAction: about.cause,
    nextSteps: [
      ...(documents.includes(log) ? [`Read the end of ${path.join(dir, log)} to see what was done last.`] : []),
      `Continue with ${work || "the task of this session"}.`,
    ],
    handoverInstructions: `This was generated from the session's state, because the agent wrote no hand-over.${conversation}`,
    requiredFiles: ordered.slice(0, MOST_FILES).map((name) => path.join(dir, name)),
  };
}
