import type { Json, JsonObject } from "../../core/event.ts";
import { isObject } from "../../core/event.ts";

/** The file in a session's folder that other programs read and write; its fields are theirs as much as ours. */
export const STATE_FILE = ".state.json";
export const SESSIONS_FOLDER = "sessions";

/** Everything that stands in a session's state file. Fields we do not know are kept. */
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

/** Texts only; anything else in the list is left out. */
export function textsIn(state: JsonObject, field: string): readonly string[] {
  const value = state[field];
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];
}

export function objectIn(state: JsonObject, field: string): JsonObject {
  const value = state[field];
  return isObject(value) ? value : {};
}

/** A copy with these fields; undefined takes a field away. */
export function changed(state: SessionState, fields: Readonly<Record<string, Json | undefined>>): SessionState {
  const next = Object.entries({ ...state, ...fields }).filter(
    (entry): entry is [string, Json] => entry[1] !== undefined,
  );
  return Object.fromEntries(next);
}

/** A value that is no lifecycle of ours counts as none of the open ones. */
export function lifecycleOf(state: SessionState): Lifecycle | "unknown" {
  if (state.lifecycle === undefined) return "active";
  return LIFECYCLES.find((name) => name === state.lifecycle) ?? "unknown";
}

/** In these the session works, and the gate is open. */
export function isOpen(state: SessionState): boolean {
  return ["active", "dehydrating", "resuming"].includes(lifecycleOf(state));
}

/** While a session is handed over, every other duty stands down. */
export function isHandingOver(state: SessionState): boolean {
  return lifecycleOf(state) === "dehydrating" || flagIn(state, "overflowed") || flagIn(state, "killRequested");
}

export function pidOf(state: SessionState): number | undefined {
  const { pid } = state;
  const number = typeof pid === "string" ? Number(pid) : pid;
  return typeof number === "number" && Number.isInteger(number) && number > 0 ? number : undefined;
}

/** The state a file holds, or why it holds none. */
export function readState(text: string): SessionState | string {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch (error) {
    return `it is not valid JSON (${error instanceof Error ? error.message.slice(0, 80) : "unreadable"})`;
  }
  return isObject(value) ? value : "it is not a JSON object";
}
