import type { ModeReader, Step } from "../machine.ts";
import { ralph } from "../ralph/machine.ts";
import { type ChildStep, stepOfChild, ultraqaStart } from "./children.ts";
import type { AutopilotDetails } from "./details.ts";
import { enters, finish, type PhaseView, pauses, stays, withChild, withNews } from "./phase-step.ts";
import { isSignalled } from "./phases.ts";
import { phaseText } from "./texts.ts";

/** `2 of 5 stories`, as ralph says it. */
const STORIES = /^(\d+) of (\d+) stor/;

const ENDS_AS_WELL = "When ralph ends, because its reviewer has approved the work, this phase ends as well.";

/** ralph says what is to be done. The phase ends by its signal, or when ralph has come to its end. */
export function executionStep(view: PhaseView): Step {
  const { stop, reader } = view;
  const inner = stepOfChild(ralph, view.children, stop, reader);
  const details = afterRalph(view, inner, reader);
  const isDone = details.execution.ralph_completed_at !== null || isSignalled("execution", stop.lastMessage);
  if (isDone) return withNews(toQa(view, details, inner), inner?.news, endNews(inner));
  if (inner?.kind === "used-up") return withNews(pauses(view, details, inner), inner.news);
  const text = phaseText("execution", details, ...(inner ? [inner.text, ENDS_AS_WELL] : []));
  return withNews(withChild(stays(view, details, text), inner), inner?.news);
}

/** Ends ralph with its ultrawork and starts ultraqa. Where that cannot start, execution goes on. */
function toQa(view: PhaseView, details: AutopilotDetails, inner: ChildStep | undefined): Step {
  const { run, stop, reader } = view;
  const isOver = inner?.kind === "over";
  const ended = finish(view, "ralph", isOver ? inner.outcome : "ended");
  const start = ultraqaStart(run, stop, reader);
  if (start.kind === "starts") {
    const text = phaseText("qa", details, start.guide);
    return { ...enters(view, details, "qa", text), ...ended, begins: start.begins };
  }
  const step = stays(view, details, phaseText("execution", details), `The phase qa cannot begin: ${start.why}.`);
  return isOver ? { ...step, ...ended } : withChild(step, inner);
}

function afterRalph({ details, stop }: PhaseView, inner: ChildStep | undefined, reader: ModeReader): AutopilotDetails {
  if (!inner) return details;
  const { execution } = details;
  const [, completed, total] = STORIES.exec(ralph.progress(inner.before, reader)) ?? [];
  return {
    ...details,
    execution: {
      ...execution,
      ralph_iterations: inner.before.round,
      ultrawork_active: inner.runs.some(({ mode }) => mode === "ultrawork"),
      ...(total !== undefined && { tasks_completed: Number(completed), tasks_total: Number(total) }),
      ...(inner.kind === "over" && {
        ralph_completed_at: new Date(stop.now).toISOString(),
        ralph_outcome: inner.outcome,
      }),
    },
  };
}

function endNews(inner: ChildStep | undefined): string | undefined {
  return inner?.kind === "over" ? `ralph has ended. ${inner.text}` : undefined;
}
