import { printable } from "../../../config/printable.ts";
import { HookwrightError } from "../../../core/errors.ts";
import type { ModeRun } from "../../../domain/mode/mode-run.ts";
import type { ModeName } from "../../../domain/mode/modes.ts";
import { textOption } from "./arguments.ts";
import type { ModeAccess, ModeLook } from "./mode-access.ts";
import { shortSession, statusTable } from "./show.ts";

/**
 * The session whose runs a command means: the one that `--session` names, else the caller's own if it has runs, else the
 * only one of the project that has runs (of this mode). Undefined when no session has any.
 */
export function sessionWithRuns(access: ModeAccess, { store }: ModeLook, mode?: ModeName): string | undefined {
  const all = store.all();
  const sessions = sessionsOf(all);
  const given = textOption(access.context.options, "session");
  if (given !== undefined) return sessionBeginning(access, given, sessions, all);
  if (sessions.includes(access.caller)) return access.caller;
  const fitting = mode === undefined ? sessions : sessionsOf(all.filter((run) => run.mode === mode));
  if (fitting.length > 1) throw notClear(access, fitting, all, "--session ID, or --all");
  return fitting[0];
}

export interface SessionWish {
  readonly mode: string;
  /** What a person can type in the agent instead. */
  readonly typed: string;
  readonly preferred?: string | undefined;
}

/**
 * The session that a run is started for, or goes on in: the one that `--session` names, else the caller's own, else the
 * only one of the project that is open. Of several open ones `preferred` is taken, if it is among them.
 */
export function sessionToHold(access: ModeAccess, { store, knownSessions }: ModeLook, wish: SessionWish): string {
  const all = store.all();
  const known = knownSessions();
  const given = textOption(access.context.options, "session");
  if (given !== undefined) {
    const sessions = new Set([...known.map(({ session }) => session), ...sessionsOf(all)]);
    return sessionBeginning(access, given, [...sessions], all);
  }
  if (access.caller !== "") return access.caller;
  const live = known.filter(({ isLive }) => isLive).map(({ session }) => session);
  const { mode, typed, preferred } = wish;
  if (preferred !== undefined && live.includes(preferred)) return preferred;
  if (live.length > 1) throw notClear(access, live, all);
  const [only] = live;
  if (only !== undefined) return only;
  const detail = `no agent is known to be at work in ${printable(access.project, 1_000)}, whose stops it could hold`;
  const hint = `Type \`${typed}\` in the agent, or name its session with --session ID`;
  throw new HookwrightError("HW_MODE_START", { mode, detail, hint });
}

export function sessionsOf(runs: readonly ModeRun[]): readonly string[] {
  return [...new Set(runs.map(({ session }) => session))];
}

/** Those of the session that `--session` names; without the option all of them. */
export function runsOfGivenSession<T extends ModeRun>(access: ModeAccess, runs: readonly T[]): readonly T[] {
  const given = textOption(access.context.options, "session");
  if (given === undefined) return runs;
  const session = sessionBeginning(access, given, sessionsOf(runs), runs);
  return runs.filter((run) => run.session === session);
}

function sessionBeginning(
  access: ModeAccess,
  given: string,
  sessions: readonly string[],
  all: readonly ModeRun[],
): string {
  if (sessions.includes(given)) return given;
  const found = given === "" ? [] : sessions.filter((session) => session.startsWith(given));
  if (found.length > 1) throw notClear(access, found, all);
  const [only] = found;
  if (only !== undefined) return only;
  const detail = `No session of this project is called \`${printable(given, 80)}\`, or begins so.`;
  throw new HookwrightError("HW_MODE_NONE", { detail });
}

/** A person at a terminal also sees the table, to choose from. */
function notClear(
  { context, now, reader }: ModeAccess,
  sessions: readonly string[],
  all: readonly ModeRun[],
  options = "--session ID",
): HookwrightError {
  const fitting = all.filter(({ session }) => sessions.includes(session));
  if (context.columns !== undefined && fitting.length > 0) {
    context.err(statusTable(fitting, { now, reader, columns: context.columns }));
  }
  const names = sessions.map((session) => {
    const modes = fitting.filter((run) => run.session === session).map(({ mode }) => mode);
    return `${shortSession(session, sessions)}${modes.length > 0 ? ` (${modes.join(", ")})` : ""}`;
  });
  return new HookwrightError("HW_MODE_SESSION", { sessions: names.join(", "), options });
}
