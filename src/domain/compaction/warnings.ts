import type { Json } from "../../core/event.ts";
import { isObject } from "../../core/event.ts";
import { defineStore } from "../../core/store.ts";

/** How full the context is when the agent is warned. */
export type Fullness = "nearly" | "full";
const NEARLY = 0.85;
const FULL = 0.95;
const MOST_WARNINGS = 3;
const PAUSE_MS = 60_000;
/** A transcript is read no more often than this. */
const READ_STEP_MS = 60_000;

/** The warnings since the last compaction. A type alias, because store rows need JSON. */
export type Warnings = {
  readonly count: number;
  /** When the last one was given, and when the transcript was last read; 0: never. */
  readonly at: number;
  readonly readAt: number;
};

const NONE: Warnings = { count: 0, at: 0, readAt: 0 };

/** May a warning be given now, whatever the usage? */
export function mayWarn({ count, at }: Warnings, now: number): boolean {
  return count < MOST_WARNINGS && !isWithin(PAUSE_MS, at, now);
}

export function mayReadTranscript({ readAt }: Warnings, now: number): boolean {
  return !isWithin(READ_STEP_MS, readAt, now);
}

/** The warning at this usage. The first one is not repeated, so that there is one left for a context that is full. */
export function warningAt(usage: number, { count }: Warnings): Fullness | undefined {
  if (usage >= FULL) return "full";
  return usage >= NEARLY && count === 0 ? "nearly" : undefined;
}

/** A clock that was set back must not silence the warnings until it is as late again. */
function isWithin(span: number, since: number, now: number): boolean {
  return now >= since && now - since < span;
}

/** The warnings that one session was given. */
export const contextWarnings = defineStore({
  name: "context-warnings",
  scope: "session",
  open: (table) => ({
    get(): Warnings {
      const row = table.isEmpty() ? undefined : table.get("given");
      return isObject(row) ? { ...NONE, ...(row as Partial<Warnings>) } : NONE;
    },
    save: (warnings: Warnings): void => table.set("given", warnings as unknown as Json),
    forget(): void {
      if (table.get("given") !== undefined) table.delete("given");
    },
  }),
});
