import { HookwrightError } from "../../../core/errors.ts";
import { isHolding } from "../../../domain/mode/mode-run.ts";
import type { ModeRuns } from "../../../domain/mode/mode-runs.ts";
import { MODES, type ModeName } from "../../../domain/mode/modes.ts";
import { planResume, resume } from "../../../domain/mode/resume.ts";
import { system } from "../../../system/system.ts";
import { optionalMode, roundsOption } from "./arguments.ts";
import type { ModeAccess, ModeLook } from "./mode-access.ts";
import { runJson, shortSession } from "./show.ts";
import { begunText, blockedError, modeSettings, starterIn } from "./start.ts";
import { sessionsOf, sessionToHold } from "./which-session.ts";

export async function resumeMode(access: ModeAccess, words: readonly string[]): Promise<number> {
  const { context, now } = access;
  const mode = optionalMode("resume", words);
  const rounds = roundsOption(context.options);
  const { limits, problem } = await modeSettings(access, mode);
  const { run, children, from, before } = access.write((work) => {
    const session = sessionToResumeIn(access, work, mode);
    const starter = starterIn(access, session, limits);
    const plan = planResume(work.store, session, mode, rounds, starter, now, system.isAlive);
    if (plan.kind === "none") throw nothingToResume(work.store, mode);
    if (plan.kind === "blocked") throw blockedError(mode ?? plan.blocker.mode, plan.blocker);
    resume(work.store, work.files, plan, now);
    if (access.caller === "") work.forgetCancel(session);
    return plan;
  });
  if (problem !== "") context.err(problem);
  if (context.options.json) {
    const resumed = [run, ...children].map((one) => runJson(one, access));
    context.out(JSON.stringify({ resumed, from }));
    return 0;
  }
  const [left] = from === "other" ? before : [];
  const moved = left ? [`It comes from session ${shortSession(left.session, [run.session])}.`] : [];
  context.out(begunText(access, run, [`It goes on after round ${run.round}.`, ...moved]));
  return 0;
}

/** A run goes on in its own session if that is open. */
function sessionToResumeIn(access: ModeAccess, look: ModeLook, mode: ModeName | undefined): string {
  const { store } = look;
  const resting = store.all().filter((run) => !isHolding(run, access.now) && (mode ?? run.mode) === run.mode);
  const [first] = resting;
  if (!first && cancelledModes(store).length === 0 && store.all().length === 0) throw nothingToResume(store, mode);
  const [session, another] = sessionsOf(resting);
  const wanted = mode ?? first?.mode ?? MODES[0];
  const preferred = another === undefined ? session : undefined;
  return sessionToHold(access, look, { mode: wanted, typed: `${wanted} resume`, preferred });
}

function nothingToResume(store: ModeRuns, mode: ModeName | undefined): HookwrightError {
  const what = mode === undefined ? "No mode" : `No run of ${mode}`;
  const cancelled = mode === undefined ? cancelledModes(store) : [];
  const named =
    cancelled.length === 0 ? "" : ` One that was cancelled goes on when you name it: ${cancelled.join(", ")}.`;
  const detail = `${what} is paused, was left by its session, or waits for an answer.${named}`;
  return new HookwrightError("HW_MODE_NONE", { detail });
}

function cancelledModes(store: ModeRuns): readonly string[] {
  const ended = store.history().filter(({ outcome, parent }) => outcome === "cancelled" && parent === "");
  return [...new Set(ended.map(({ mode }) => mode))];
}
