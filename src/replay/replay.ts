import { type Change, compare } from "./compare.ts";
import { type DecidedAgain, decideAgain, type ReplaySources } from "./decide-again.ts";
import type { RecordedEvent } from "./recorded-event.ts";
import { ScratchState } from "./scratch-state.ts";

export interface Replayed {
  readonly recorded: RecordedEvent;
  readonly again: DecidedAgain;
  /** Undefined: the answer is the same, or there is none to compare. */
  readonly change: Change | undefined;
}

export interface ReplayOptions {
  /** Puts back what was left out of an event when it was recorded. */
  restore?(event: RecordedEvent): RecordedEvent;
  /** Scopes that others write without a trace in the events. */
  readonly lostScopes?: readonly string[];
}

/** The event loop gets a turn after so many events. */
const TURN = 100;

/** Decides the events again, one after the other, on a state that only they build up. Nothing outside is touched. */
export async function* replay(
  events: Iterable<RecordedEvent>,
  sources: ReplaySources,
  { restore, lostScopes = [] }: ReplayOptions = {},
): AsyncGenerator<Replayed> {
  const state = new ScratchState();
  for (const scope of lostScopes) state.loseScope(scope);
  let count = 0;
  try {
    for (const event of events) {
      // Without a turn of the event loop no native object would ever be freed, and Ctrl-C would wait for the end.
      if (++count % TURN === 0) await new Promise((resolve) => setImmediate(resolve));
      const recorded = restore?.(event) ?? event;
      const again = await decideAgain(recorded, state, sources);
      const change = again.kind === "decided" ? compare(recorded, again) : undefined;
      yield { recorded, again, change };
    }
  } finally {
    state.remove();
  }
}
