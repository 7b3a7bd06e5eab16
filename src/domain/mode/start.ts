import { endRun, type ModeFiles, saveRun } from "./files/exports.ts";
import type { ModeReader, StartRequest } from "./machine.ts";
import { machineOf } from "./machines.ts";
import { type ModeRun, shownStatus } from "./mode-run.ts";
import type { ModeRuns } from "./mode-runs.ts";
import { DEFAULT_ROUNDS, excludesEachOther, type ModeName } from "./modes.ts";

/** How many rounds a run of each mode has, where the configuration names a number. */
export type RoundLimits = Readonly<Partial<Record<ModeName, number | undefined>>>;

/** Who starts a run, and where. */
export interface Starter {
  readonly session: string;
  readonly promptId: string;
  readonly pid: number;
  readonly pane: string;
  /** The folder of the person or of the agent at the start. */
  readonly folder?: string;
  readonly limits: RoundLimits;
}

export type StartPlan =
  | { readonly kind: "start"; readonly runs: readonly ModeRun[]; readonly replaced: readonly ModeRun[] }
  /** Another run is in the way, or this mode runs already (`blocker.mode === mode`). */
  | { readonly kind: "blocked"; readonly blocker: ModeRun };

/**
 * What starting a mode would do, without doing it; throws a HookwrightError for a request that cannot be started.
 * Runs that are stale, paused or detached block nothing: they are replaced.
 */
export function planStart(store: ModeRuns, start: StartRequest, starter: Starter, reader: ModeReader): StartPlan {
  const existing = store.of(starter.session);
  const wanted: StartRequest[] = [start];
  for (const one of machineOf(start.mode).companions?.(start) ?? []) {
    // A mode that is only started to help is left out where it cannot run.
    const isFree = !existing.some((run) => isInTheWay(run, reader.now) && clash(one.mode, run.mode));
    if (isFree) wanted.push(one);
  }
  const blocker = blockerIn(existing, start.mode, reader.now);
  if (blocker) return { kind: "blocked", blocker };
  const { folder, limits } = starter;
  const runs = wanted.map((one, index) => {
    const known = { limit: limitOf(one.mode, limits), ...(folder === undefined ? {} : { folder }) };
    const details = machineOf(one.mode).begin({ ...one, ...known }, reader);
    return newRun(one, starter, reader, details, index === 0 ? "" : start.mode);
  });
  const replaced = existing.filter((run) => runs.some((one) => clash(one.mode, run.mode)));
  return { kind: "start", runs, replaced };
}

export function newRun(
  { mode, request }: Pick<StartRequest, "mode" | "request">,
  starter: Starter,
  { now }: Pick<ModeReader, "now">,
  details: ModeRun["details"],
  parent: ModeName | "",
): ModeRun {
  const { session, promptId, pid, pane, limits } = starter;
  return {
    mode,
    session,
    status: "active",
    round: 0,
    limit: limitOf(mode, limits),
    phase: machineOf(mode).firstPhase ?? "",
    request,
    startedAt: now,
    seenAt: now,
    parent,
    promptId,
    pid,
    pane,
    why: "",
    details,
  };
}

function limitOf(mode: ModeName, limits: RoundLimits): number {
  return limits[mode] ?? DEFAULT_ROUNDS[mode];
}

/** Writes what `planStart` has planned. */
export function start(store: ModeRuns, files: ModeFiles, plan: StartPlan, now: number): void {
  if (plan.kind === "blocked") return;
  for (const run of plan.replaced) endRun(store, files, run, "replaced", now);
  for (const run of plan.runs) saveNewRun(store, files, run);
}

/** Stores a run that begins, and writes the files that its mode begins with. */
export function saveNewRun(store: ModeRuns, files: ModeFiles, run: ModeRun): void {
  machineOf(run.mode).atStart?.(run, files);
  saveRun(store, files, run);
}

/** The run of the session that keeps this mode from running beside it. */
export function blockerIn(runs: readonly ModeRun[], mode: ModeName, now: number): ModeRun | undefined {
  return runs.find((run) => isInTheWay(run, now) && clash(mode, run.mode) && !isHelper(run, runs));
}

/** Does this run hold stops, or will it when the person has answered? */
export function isInTheWay(run: ModeRun, now: number): boolean {
  const status = shownStatus(run, now);
  return status === "active" || status === "waiting";
}

/** May these two modes not run in one session, or are they the same? */
export function clash(one: ModeName, other: ModeName): boolean {
  return one === other || excludesEachOther(one, other);
}

/** Was it started by another mode, and is that one still there? Then it makes room for what a person starts. */
function isHelper(run: ModeRun, runs: readonly ModeRun[]): boolean {
  return run.parent !== "" && runs.some(({ mode }) => mode === run.parent) && run.mode === "ultrawork";
}
