import { endRun, type ModeFiles } from "./files/exports.ts";
import type { EndedRun, ModeRun } from "./mode-run.ts";
import type { ModeRuns } from "./mode-runs.ts";
import type { ModeName } from "./modes.ts";

/**
 * The runs that end when this one is cancelled, itself included: those that it started, and theirs. A run that was
 * started by another one can be cancelled alone.
 */
export function withChildren(run: ModeRun, runs: readonly ModeRun[]): readonly ModeRun[] {
  const children = runs.filter((one) => one.session === run.session && one.parent === run.mode);
  return [run, ...children.flatMap((child) => withChildren(child, runs))];
}

/** The runs that a cancellation means: all of this session, or those of one mode with what it started. */
export function runsToCancel(store: ModeRuns, session: string, mode?: ModeName): readonly ModeRun[] {
  const runs = store.of(session);
  if (mode === undefined) return runs;
  const run = runs.find((one) => one.mode === mode);
  return run ? withChildren(run, runs) : [];
}

/** What a cancellation changes outside of the database. */
export interface CancelEffects extends ModeFiles {
  /** Ends the swarm on the project's task board. */
  endBoard(): void;
}

/**
 * Ends these runs in the transaction of the caller, and with the project's last swarm its task board. Starts that still
 * wait for the session gate are dropped as well.
 */
export function cancelRuns(
  store: ModeRuns,
  effects: CancelEffects,
  runs: readonly ModeRun[],
  now: number,
): readonly EndedRun[] {
  for (const { session } of runs) store.setOther(`deferred:${session}`, undefined);
  const ended = runs.map((run) => endRun(store, effects, run, "cancelled", now));
  const isSwarm = ({ mode }: ModeRun): boolean => mode === "swarm";
  if (ended.some(isSwarm) && !store.all().some(isSwarm)) effects.endBoard();
  return ended;
}
