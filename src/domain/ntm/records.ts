import type { Json, JsonObject } from "../../core/event.ts";
import { isObject } from "../../core/event.ts";

/** The files of an ntm orchestration. Other programs read and write them too. */
export const ACTIVE_FILE = "active-session.json";
export const SPAWN_FILE = "state.json";
export const SAVED_FILE = "saved.json";
export const POLL_FILE = "hook-last-poll.json";

const LONGEST_COMMAND = 200;

function timeOf(value: Json | undefined): number | undefined {
  const time = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

export function readActive(value: Json): string | undefined {
  return isObject(value) && typeof value.session === "string" && value.session !== "" ? value.session : undefined;
}

export const activeRecord = (session: string): Json => ({ session });

/** When the session was spawned, in epoch milliseconds. */
export function readSpawnTime(value: Json): number | undefined {
  return isObject(value) ? timeOf(value.spawned_at) : undefined;
}

export const spawnRecord = (session: string, now: number, pid: number): Json => ({
  session,
  spawned_at: new Date(now).toISOString(),
  pid,
});

/** When the session was last saved; a record without `save_attempted` does not count. */
export function readSaveTime(value: Json): number | undefined {
  return isObject(value) && value.save_attempted === true ? timeOf(value.saved_at) : undefined;
}

export const savedRecord = (session: string, now: number, command: string): Json => ({
  session,
  saved_at: new Date(now).toISOString(),
  save_attempted: true,
  save_succeeded: true,
  command: command.slice(0, LONGEST_COMMAND),
});

export function readPolls(value: Json): Readonly<Record<string, number>> | undefined {
  if (!isObject(value) || !isObject(value.last_poll_ms ?? null)) return undefined;
  const entries = Object.entries(value.last_poll_ms as JsonObject);
  return Object.fromEntries(entries.filter((entry): entry is [string, number] => typeof entry[1] === "number"));
}

export const pollRecord = (polls: Readonly<Record<string, number>>): Json => ({ last_poll_ms: { ...polls } });
