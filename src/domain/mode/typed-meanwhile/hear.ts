import { isObject } from "../../../core/event.ts";
import { withChildren } from "../cancel.ts";
import { intentsOfPrompt } from "../keywords/intents-of-event.ts";
import type { ModeRun } from "../mode-run.ts";
import type { ModeRuns } from "../mode-runs.ts";
import type { ModeName } from "../modes.ts";
import { typedMeanwhile } from "./transcript-queue.ts";

/** What a stop learns of the prompts that were typed since the last one. A type alias, because facts are JSON. */
export type Heard = {
  /** The prompts that wait for the end of the turn; empty when none does. */
  readonly waiting: string;
  /** Does one wait that did not wait when a turn ended last? */
  readonly isNew: boolean;
  /** Cancellations, each with the modes that it names; none named means all. */
  readonly cancels: readonly { readonly at: number; readonly modes: readonly ModeName[] }[];
  /** The last prompt that was given to the model. */
  readonly last: string;
};

const keyOf = (session: string): string => `typed:${session}`;

/** Reads the end of a transcript, without what was heard at earlier stops. */
export function hear(store: ModeRuns, session: string): (tail: string) => Heard {
  const before = store.other(keyOf(session));
  const known = isObject(before) ? before : {};
  return (tail) => {
    const { waiting, given } = typedMeanwhile(tail);
    const fresh = given.slice(given.findIndex(({ id }) => id === known.last) + 1);
    const cancels = fresh.flatMap(({ at, text }) => {
      const { cancel } = intentsOfPrompt(text, "off");
      return cancel ? [{ at, modes: cancel }] : [];
    });
    const queue = waiting.join(" ");
    const last = given.at(-1)?.id ?? (typeof known.last === "string" ? known.last : "");
    return { waiting: queue, isNew: queue !== "" && queue !== known.waiting, cancels, last };
  };
}

/** The runs that the cancellations mean: those that had begun by then, with those that they started. */
export function cancelledRuns({ cancels }: Heard, runs: readonly ModeRun[]): readonly ModeRun[] {
  const meant = cancels.flatMap(({ at, modes }) =>
    runs
      .filter(({ mode, startedAt }) => startedAt <= at && (modes.length === 0 || modes.includes(mode)))
      .flatMap((run) => withChildren(run, runs)),
  );
  return runs.filter((run) => meant.includes(run));
}

/** Keeps what was heard, so that it counts once. */
export function remember(store: ModeRuns, session: string, { waiting, last }: Pick<Heard, "waiting" | "last">): void {
  const before = store.other(keyOf(session));
  const known = isObject(before) ? before : { waiting: "", last: "" };
  if (known.waiting !== waiting || known.last !== last) store.setOther(keyOf(session), { waiting, last });
}
