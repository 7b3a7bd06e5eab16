import type { ContextPolicy } from "../../core/settings/config.ts";
import { type ModeRun, shownStatus } from "./mode-run.ts";

/** A run that nobody saw for this long is no longer offered to new sessions. */
const MOST_OFFERED_MS = 7 * 24 * 60 * 60_000;
const MOST_OFFERED = 3;
/** How a person ends a session on purpose: such a run is offered, and not taken along. */
const ENDED_BY_PERSON = /prompt_input_exit|logout/;

/** The runs of other sessions that have nobody who goes on with them, newest first; without those that a run started. */
export function interruptedRuns(
  runs: readonly ModeRun[],
  session: string,
  now: number,
  isAlive: (pid: number) => boolean,
): readonly ModeRun[] {
  const isInterrupted = (run: ModeRun): boolean => {
    const status = shownStatus(run, now);
    if (status === "paused") return false;
    return status === "detached" || status === "stale" || (run.pid > 0 && !isAlive(run.pid));
  };
  return runs
    .filter((run) => run.session !== session && run.parent === "" && now - run.seenAt < MOST_OFFERED_MS)
    .filter(isInterrupted)
    .sort((a, b) => b.seenAt - a.seenAt)
    .slice(0, MOST_OFFERED);
}

/** Is it the work of an agent that was ended and started again, in the same place, to hand it over? */
export function isTakenAlong(run: ModeRun, place: string, contextPolicy: ContextPolicy): boolean {
  return contextPolicy === "restart" && place !== "" && run.pane === place && !ENDED_BY_PERSON.test(run.why);
}

/** What the person of a new session reads about a run that was interrupted. */
export function offerText({ mode, round, limit, request }: ModeRun): string {
  const about = request === "" ? "" : `: ${request.replace(/\s+/g, " ").slice(0, 80)}`;
  return `${mode} was interrupted in an earlier session (round ${round} of ${limit}${about}). Type "${mode} resume" to go on with it here.`;
}
