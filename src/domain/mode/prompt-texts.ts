import type { PromptReport } from "./apply-prompt.ts";
import type { Advice } from "./keywords/prompt-intents.ts";
import type { ModeReader } from "./machine.ts";
import { machineOf } from "./machines.ts";
import type { ModeRun } from "./mode-run.ts";
import { startText } from "./stop-step.ts";

const LONGEST_REQUEST = 80;

const ADVICE: Readonly<Record<Advice, string>> = {
  ralplan: "Before any code, work out a plan that a planner, an architect and a critic (subagents) agree on.",
  plan: "Write the plan first, and wait for the person's consent before you carry it out.",
  tdd: "Write a failing test first, then the code that makes it pass, then clean up.",
  research: "Collect facts with their sources first, and keep what is measured apart from what is assumed.",
  deepsearch: "Search the whole code base, with several patterns and in parallel, before you conclude.",
  analyze: "Find the cause by evidence (logs, a reproduction, the code) before you propose a change.",
};

/** What the person reads: what was started, ended or refused, and how to get out of it. */
export function personTexts(report: PromptReport): string[] {
  const { started, blocked, refused, withoutRequest, deferred, cancelled, resumed, suggestions } = report;
  return [
    ...started.map(({ run, words }) => `${startText(run)}${words === "" ? "" : ` Started by "${words}".`}`),
    ...resumed.map((run) => `${startText(run)} It goes on after round ${run.round}.`),
    ...blocked.map(({ mode, blocker }) => blockedText(mode, blocker)),
    ...refused.map(({ why }) => why),
    ...withoutRequest.map(
      (mode) => `${mode} was not started: write what it is to do, such as "${mode}: fix the login".`,
    ),
    ...deferred.map((mode) => `${mode} starts as soon as a session is active.`),
    ...(cancelled.length > 0 ? [`Cancelled: ${cancelled.map(cancelledText).join(", ")}.`] : []),
    ...report.nothingToCancel.map(nothingText),
    ...(report.nothingToResume ? ["There is no interrupted mode to resume in this project."] : []),
    ...suggestions.map(({ mode, words }) => `"${words}" did not start ${mode}; /${mode} does.`),
  ];
}

/** What the model reads: how a mode works that is on now, or that one was cancelled. */
export function modelTexts(report: PromptReport, reader: ModeReader): string[] {
  const guides = [...report.started.map(({ run }) => run), ...report.resumed].map((run) =>
    machineOf(run.mode).guide(run, reader),
  );
  const { cancelled, blocked, deferred, advice } = report;
  return [
    ...guides,
    ...(cancelled.length > 0
      ? [
          `The person cancelled ${cancelled.map(({ mode }) => mode).join(", ")}. Do not go on with it; say in short where the work stands.`,
        ]
      : []),
    ...(report.nothingToCancel.length === 0 || cancelled.length > 0
      ? []
      : ["The person cancelled; no mode was on, so there is nothing to end."]),
    ...blocked.map(({ mode, blocker }) => `${mode} was not started, because ${blocker.mode} is on. Tell the person.`),
    ...deferred.map((mode) => `${mode} was asked for and starts as soon as a session is active.`),
    ...advice.map((one) => ADVICE[one]),
  ];
}

function blockedText(mode: string, blocker: ModeRun): string {
  const about = short(blocker.request);
  if (mode === blocker.mode) {
    const state = `round ${blocker.round} of ${blocker.limit}${about === "" ? "" : `: ${about}`}`;
    return `${mode} is on already (${state}). To begin anew, type /cancel ${mode} first.`;
  }
  return `${mode} was not started, because ${blocker.mode} is on${about === "" ? "" : ` (${about})`}. Type /cancel ${blocker.mode} first.`;
}

function cancelledText({ mode, round }: ModeRun): string {
  return round === 0 ? mode : `${mode} (after ${round === 1 ? "1 round" : `${round} rounds`})`;
}

function nothingText(what: string): string {
  return what === "all"
    ? "No mode is on in this session, so there was nothing to cancel."
    : `${what} is not on in this session.`;
}

function short(request: string): string {
  const line = request.replace(/\s+/g, " ").trim();
  return line.length <= LONGEST_REQUEST ? line : `${line.slice(0, LONGEST_REQUEST)}…`;
}
