import { HookwrightError } from "../../../core/errors.ts";
import { type EndedSwarm, endSwarm } from "../../../domain/board/end-swarm.ts";
import { hasDeferred } from "../../../domain/mode/apply-prompt.ts";
import { cancelRuns, runsToCancel } from "../../../domain/mode/cancel.ts";
import type { EndedRun, ModeRun } from "../../../domain/mode/mode-run.ts";
import type { ModeName } from "../../../domain/mode/modes.ts";
import { system } from "../../../system/system.ts";
import { modeUsageError, optionalMode } from "./arguments.ts";
import type { ModeAccess, ModeWork } from "./mode-access.ts";
import { endedJson, runJson, runText, shortSession } from "./show.ts";
import { sessionsOf, sessionWithRuns } from "./which-session.ts";

/** How long another program may hold the task board, before the cancellation goes on without it. */
const BOARD_BUSY_MS = 2_000;

interface Cancellation {
  readonly ended: readonly EndedRun[];
  /** Did a start wait until the session gate opens? */
  readonly wasWaiting: boolean;
  readonly left: readonly ModeRun[];
  readonly swarm: EndedSwarm | undefined;
}

export function cancelModes(access: ModeAccess, words: readonly string[]): number {
  const { context } = access;
  const mode = optionalMode("cancel", words);
  const isAll = context.options.all === true;
  if (isAll && context.options.session !== undefined) throw modeUsageError("Give only one of `--all` and `--session`.");
  const done = access.write((work) => cancel(access, work, mode, isAll));
  if (done.swarm?.problem) context.err(`hookwright: ${done.swarm.problem.message}\n  ${done.swarm.problem.fix}`);
  show(access, done);
  return 0;
}

function cancel(access: ModeAccess, work: ModeWork, mode: ModeName | undefined, isAll: boolean): Cancellation {
  // An agent that cancels its modes does not rid itself of other holds, such as that of a plan.
  const isPerson = access.caller === "";
  const { store, files } = work;
  const sessions = isAll ? sessionsOf(store.all()) : [sessionWithRuns(access, work, mode) ?? access.caller];
  const runs = sessions.flatMap((session) => runsToCancel(store, session, mode));
  const wasWaiting = sessions.some((session) => hasDeferred(store, session));
  if (runs.length === 0 && !wasWaiting && !isAll) throw nothingToCancel(mode);
  for (const session of sessions) store.setOther(`deferred:${session}`, undefined);
  let swarm: EndedSwarm | undefined;
  // Before the commit, so that a cancellation that was killed half way can be repeated.
  const endBoard = (): void => {
    swarm = endedSwarm(access);
  };
  const ended = cancelRuns(store, { ...files, endBoard }, runs, access.now);
  if (mode === undefined && isPerson) for (const session of sessions) if (session !== "") work.markCancelled(session);
  return { ended, wasWaiting, left: store.all(), swarm };
}

/** A task board that cannot be written keeps no mode from being cancelled. */
function endedSwarm({ project, now }: ModeAccess): EndedSwarm | undefined {
  try {
    return endSwarm(project, { now: () => now, uid: system.uid }, BOARD_BUSY_MS);
  } catch (error) {
    if (error instanceof HookwrightError) return { released: [], problem: error };
    throw error;
  }
}

function nothingToCancel(mode: ModeName | undefined): HookwrightError {
  const detail = mode === undefined ? "No mode is on." : `${mode} is not on.`;
  return new HookwrightError("HW_MODE_NONE", { detail: `${detail} There is nothing to cancel.` });
}

function show(access: ModeAccess, { ended, wasWaiting, left, swarm }: Cancellation): void {
  const { context, reader } = access;
  const released = swarm?.released ?? [];
  if (context.options.json) {
    const tasks = released.map(({ id, text, agent = null }) => ({ id, text, agent }));
    const json = { cancelled: ended.map(endedJson), left: left.map((run) => runJson(run, access)), released: tasks };
    context.out(JSON.stringify(json));
    return;
  }
  const sessions = [...ended, ...left].map(({ session }) => session);
  const text = (run: ModeRun): string => {
    const isCallers = run.session === access.caller;
    return `${runText(run, reader)}${isCallers ? "" : ` in session ${shortSession(run.session, sessions)}`}`;
  };
  if (ended.length > 0) context.out(`Cancelled: ${ended.map(text).join(", ")}.`);
  if (wasWaiting) context.out("A start that waited for the session gate was dropped.");
  if (ended.length === 0 && !wasWaiting) context.out("No mode is on in this project. There is nothing to cancel.");
  if (released.length > 0) {
    const tasks = released.map(({ id, agent }) => `${id} of ${agent}`).join(", ");
    context.out(`Tasks of the board that are pending again: ${tasks}.`);
  }
  if (left.length > 0) context.out(`Still on: ${left.map(text).join(", ")}.`);
}
