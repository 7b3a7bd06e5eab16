import type { Json, JsonObject } from "../../core/event.ts";
import { isObject } from "../../core/event.ts";

/** The state file in a session's folder. Other programs read and write it too, so its fields must not be renamed. */
export const SESSION_STATE_FILE = ".state.json";
export const SESSIONS_FOLDER = "sessions";

/** The content of a session's state file. Unknown fields are kept. */
export type SessionState = JsonObject;

export const LIFECYCLES = ["active", "dehydrating", "restarting", "resuming", "completed", "idle"] as const;
type Lifecycle = (typeof LIFECYCLES)[number];

export const WARN_AFTER = 3;
export const BLOCK_AFTER = 10;
export const DIRECTIVE_BLOCK_AFTER = 3;

export function textIn(state: JsonObject, field: string): string {
  const value = state[field];
  return typeof value === "string" ? value : "";
}

export function flagIn(state: JsonObject, field: string): boolean {
  return state[field] === true;
}

export function numberIn(state: JsonObject, field: string, usual: number): number {
  const value = state[field];
  return typeof value === "number" && Number.isFinite(value) ? value : usual;
}

/** The strings of a list; other items are left out. */
export function textsIn(state: JsonObject, field: string): readonly string[] {
  const value = state[field];
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];
}

export function objectIn(state: JsonObject, field: string): JsonObject {
  const value = state[field];
  return isObject(value) ? value : {};
}

/** A copy with these fields changed; undefined removes a field. */
export function withFields(state: SessionState, fields: Readonly<Record<string, Json | undefined>>): SessionState {
  const next = Object.entries({ ...state, ...fields }).filter(
    (entry): entry is [string, Json] => entry[1] !== undefined,
  );
  return Object.fromEntries(next);
}

/** The lifecycle; "unknown" for a value that is not in LIFECYCLES, and such a session does not count as open. */
export function lifecycleOf(state: SessionState): Lifecycle | "unknown" {
  if (state.lifecycle === undefined) return "active";
  return LIFECYCLES.find((name) => name === state.lifecycle) ?? "unknown";
}

/** Is the session in a lifecycle in which work is allowed? */
export function isOpenSession(state: SessionState): boolean {
  return ["active", "dehydrating", "resuming"].includes(lifecycleOf(state));
}

/** Is a hand-over in progress? It suspends the session's other policies. */
export function isHandingOver(state: SessionState): boolean {
  return lifecycleOf(state) === "dehydrating" || flagIn(state, "overflowed") || flagIn(state, "killRequested");
}

export function pidOf(state: SessionState): number | undefined {
  const { pid } = state;
  const number = typeof pid === "string" ? Number(pid) : pid;
  return typeof number === "number" && Number.isInteger(number) && number > 0 ? number : undefined;
}

/** The state in a file's text, or a sentence about why it is invalid. */
export function parseSessionState(text: string): SessionState | string {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch (error) {
    return `it is not valid JSON (${error instanceof Error ? error.message.slice(0, 80) : "unreadable"})`;
  }
  return isObject(value) ? value : "it is not a JSON object";
}
