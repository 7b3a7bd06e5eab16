import { withChildren } from "./cancel.ts";
import { endRun, forgetRun, type ModeFiles, saveRun } from "./files/exports.ts";
import { type EndedRun, isHolding, type ModeRun } from "./mode-run.ts";
import type { ModeRuns } from "./mode-runs.ts";
import { DEFAULT_ROUNDS, type ModeName } from "./modes.ts";
import { blockerIn, clash, isInTheWay, type Starter } from "./start.ts";

/** What resuming a run would do. */
export interface Resumption {
  readonly kind: "resume";
  /** The run as it goes on. */
  readonly run: ModeRun;
  /** The runs that it started, as they go on. */
  readonly children: readonly ModeRun[];
  /** own: of this session. other: it moves here from another session. history: it was cancelled or replaced. */
  readonly from: "own" | "other" | "history";
  /** All of them as they are stored now. */
  readonly before: readonly ModeRun[];
  /** Runs that end, because they may not run beside these. */
  readonly replaced: readonly ModeRun[];
}

export type ResumePlan =
  | Resumption
  /** Another run is in the way, or this mode runs already (`blocker.mode === mode`). */
  | { readonly kind: "blocked"; readonly blocker: ModeRun }
  | { readonly kind: "none" };

/** Ended runs with another outcome have come to their end. */
const RESUMABLE_OUTCOMES = ["cancelled", "replaced"];

/**
 * Finds the run to go on with in this session: one of its own that does not hold, else one that another session has left,
 * else, for a named mode, the newest one that was cancelled. Changes nothing.
 */
export function planResume(
  store: ModeRuns,
  session: string,
  mode: ModeName | undefined,
  rounds: number | undefined,
  starter: Omit<Starter, "session">,
  now: number,
  isAlive: (pid: number) => boolean = () => true,
): ResumePlan {
  const own = store.of(session);
  const running = own.find((run) => run.mode === mode && isHolding(run, now));
  if (running) return { kind: "blocked", blocker: running };
  const found = ownRun(own, mode, now) ?? leftRun(store, session, mode, now, isAlive) ?? endedRun(store, mode);
  if (!found) return { kind: "none" };
  const [run, ...children] = found.runs;
  const others = own.filter((one) => !found.runs.includes(one));
  const blocker = blockerIn(others, run.mode, now);
  if (blocker) return { kind: "blocked", blocker };
  const isFree = (child: ModeRun): boolean =>
    !others.some((one) => isInTheWay(one, now) && clash(child.mode, one.mode));
  const kept = [run, ...children.filter(isFree)];
  const goOn = (one: ModeRun): ModeRun => resumedRun(one, session, starter, now);
  return {
    kind: "resume",
    // The run that started it stays behind.
    run: { ...goOn(run), limit: limitAfter(run, rounds, starter), parent: found.from === "own" ? run.parent : "" },
    children: kept.slice(1).map(goOn),
    from: found.from,
    before: kept,
    replaced: [
      ...others.filter((one) => kept.some(({ mode: other }) => clash(other, one.mode))),
      ...(found.from === "history" ? [] : children.filter((child) => !isFree(child))),
    ],
  };
}

/** Writes what `planResume` has planned. */
export function resume(store: ModeRuns, files: ModeFiles, plan: Resumption, now: number): void {
  const { run, children, from, before, replaced } = plan;
  for (const one of replaced) endRun(store, files, one, "replaced", now);
  for (const one of before) {
    if (from === "history") store.removeFromHistory(one as EndedRun);
    else if (from === "other") forgetRun(store, files, one);
  }
  for (const one of [run, ...children]) saveRun(store, files, one);
}

/** A run and those that it started. */
interface Found {
  readonly from: Resumption["from"];
  readonly runs: readonly [ModeRun, ...ModeRun[]];
}

function ownRun(own: readonly ModeRun[], mode: ModeName | undefined, now: number): Found | undefined {
  const resting = own.filter((run) => !isHolding(run, now));
  const run = newest(resting.filter((one) => (mode === undefined ? !hasParentIn(one, own) : one.mode === mode)));
  return run && { from: "own", runs: family(run, own) };
}

function leftRun(
  store: ModeRuns,
  session: string,
  mode: ModeName | undefined,
  now: number,
  isAlive: (pid: number) => boolean,
): Found | undefined {
  const others = store.all().filter((run) => run.session !== session);
  const left = others.filter((run) => {
    const isLeft = !isInTheWay(run, now) || (run.pid > 0 && !isAlive(run.pid));
    const siblings = others.filter((one) => one.session === run.session);
    return isLeft && (mode === undefined ? !hasParentIn(run, siblings) : run.mode === mode);
  });
  const run = newest(left);
  return run && { from: "other", runs: family(run, others) };
}

function endedRun(store: ModeRuns, mode: ModeName | undefined): Found | undefined {
  const ended = store.history();
  const run = ended.find((one) => one.mode === mode && one.parent === "" && RESUMABLE_OUTCOMES.includes(one.outcome));
  if (!run) return undefined;
  // What it had started ended together with it.
  const together = ended.filter((one) => one.endedAt === run.endedAt && one.outcome === run.outcome);
  return { from: "history", runs: family(run, together) };
}

function family(run: ModeRun, runs: readonly ModeRun[]): Found["runs"] {
  return [run, ...withChildren(run, runs).slice(1)];
}

function hasParentIn(run: ModeRun, runs: readonly ModeRun[]): boolean {
  return runs.some(({ mode }) => mode === run.parent);
}

function newest(runs: readonly ModeRun[]): ModeRun | undefined {
  return [...runs].sort((a, b) => b.seenAt - a.seenAt)[0];
}

function resumedRun(run: ModeRun, session: string, starter: Omit<Starter, "session">, now: number): ModeRun {
  const { outcome: _outcome, endedAt: _endedAt, ...kept } = run as Partial<EndedRun> & ModeRun;
  const { promptId, pid, pane } = starter;
  // A person who resumes a run from another terminal is not the agent that carries it out.
  const carrier = run.session === session && pid === 0 ? { pid: run.pid, pane: run.pane } : { pid, pane };
  return { ...kept, ...carrier, session, promptId, status: "active", why: "", seenAt: now };
}

function limitAfter(run: ModeRun, rounds: number | undefined, { limits }: Pick<Starter, "limits">): number {
  if (rounds !== undefined) return run.round + rounds;
  const isUsedUp = run.status === "paused" || run.round >= run.limit;
  return isUsedUp ? run.round + (limits[run.mode] ?? DEFAULT_ROUNDS[run.mode]) : run.limit;
}
