import { HookwrightError } from "../../core/errors.ts";
import type { Json, JsonObject } from "../../core/event.ts";
import { isObject } from "../../core/event.ts";
import type { FieldType } from "./machine.ts";
import { isMode, type ModeName, STALE_MS } from "./modes.ts";

/**
 * - active: its stops are held
 * - waiting: it asked the person a question; the next prompt of the person makes it active
 * - paused: its rounds are used up, or it was paused for a reason that `why` names
 * - detached: its session has ended; it can be resumed in another one
 */
export const RUN_STATUSES = ["active", "waiting", "paused", "detached"] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** One run of a mode in one session. A type alias, because store rows need JSON. */
export type ModeRun = {
  readonly mode: ModeName;
  readonly session: string;
  readonly status: RunStatus;
  /** How many stops were held. */
  readonly round: number;
  readonly limit: number;
  /** Empty for modes without phases. */
  readonly phase: string;
  readonly request: string;
  readonly startedAt: number;
  /** When an event of its session was last seen; written at stops and prompts, and now and then at a call. */
  readonly seenAt: number;
  /** The mode that started this one and that decides about its stops; empty when a person did. */
  readonly parent: ModeName | "";
  /** The prompt that started it: a typed skill is reported by two events with one id. */
  readonly promptId: string;
  /** The agent's supervisor and its tmux pane, by which a run is recognised after a hand-over. */
  readonly pid: number;
  readonly pane: string;
  /** For `waiting` the question, for `paused` and `detached` the reason. */
  readonly why: string;
  /** The mode's own fields, under the names that its state file has. */
  readonly details: JsonObject;
};

export type EndedRun = ModeRun & { readonly outcome: string; readonly endedAt: number };

/** What `status` shows: a run that nobody has seen for hours is stale, whatever its status. */
export function shownStatus(run: ModeRun, now: number): RunStatus | "stale" {
  return run.status !== "paused" && now - run.seenAt > STALE_MS ? "stale" : run.status;
}

/** Does this run hold stops now? A run that another mode started is held by that mode. */
export function isHolding(run: ModeRun, now: number): boolean {
  return run.status === "active" && now - run.seenAt <= STALE_MS;
}

const TEXTS = ["session", "phase", "request", "parent", "promptId", "pane", "why"] as const;
const COUNTS = ["round", "limit", "startedAt", "seenAt", "pid"] as const;

/** Throws unless every field has its type: the same check for every write, whoever writes. */
export function checkRun(run: ModeRun, fields: Readonly<Record<string, FieldType>>): ModeRun {
  const value = run as unknown as JsonObject;
  const wrong: string[] = [];
  if (!isMode(run.mode)) wrong.push("mode");
  if (!RUN_STATUSES.includes(run.status)) wrong.push("status");
  for (const name of TEXTS) if (typeof value[name] !== "string") wrong.push(name);
  for (const name of COUNTS) if (typeof value[name] !== "number" || !Number.isFinite(value[name])) wrong.push(name);
  const details = isObject(value.details) ? value.details : {};
  for (const [name, type] of Object.entries(fields)) if (!isOfType(details[name], type)) wrong.push(name);
  for (const name of Object.keys(details)) if (!Object.hasOwn(fields, name)) wrong.push(name);
  if (wrong.length > 0) throw new HookwrightError("HW_MODE_STATE", { mode: run.mode, fields: wrong.join(", ") });
  return run;
}

/** Is this a run that this build can read? */
export function readRun(value: Json, fieldsOf: (mode: ModeName) => Readonly<Record<string, FieldType>>) {
  if (!isObject(value) || typeof value.mode !== "string" || !isMode(value.mode)) return undefined;
  const run = value as unknown as ModeRun;
  try {
    return checkRun(run, fieldsOf(value.mode));
  } catch (error) {
    if (error instanceof HookwrightError) return undefined;
    throw error;
  }
}

function isOfType(value: Json | undefined, type: FieldType): boolean {
  if (type.endsWith("?") && (value === undefined || value === null)) return true;
  switch (type.replace("?", "")) {
    case "text":
      return typeof value === "string";
    case "number":
      return typeof value === "number" && Number.isFinite(value);
    case "flag":
      return typeof value === "boolean";
    case "list":
      return Array.isArray(value);
    default:
      return isObject(value);
  }
}
