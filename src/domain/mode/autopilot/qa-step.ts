import { HookwrightError } from "../../../core/errors.ts";
import type { ModeReader, Step } from "../machine.ts";
import type { ModeRun } from "../mode-run.ts";
import { DEFAULT_ROUNDS } from "../modes.ts";
import { ultraqa } from "../ultraqa/machine.ts";
import { type ChildStep, stepOfChild, ultraqaDetails } from "./children.ts";
import { type AutopilotDetails, type CheckStatus, withDetails } from "./details.ts";
import { enters, finish, type PhaseView, pauses, stays, withChild, withNews } from "./phase-step.ts";
import { isSignalled } from "./phases.ts";
import { phaseText, validationText } from "./texts.ts";

/** The outcome with which ultraqa has seen the tests succeed. */
const SUCCESS = "goal_met";

/** ultraqa sees to the tests. The phase has build and lint as well, so only its signal ends it. */
export function qaStep(view: PhaseView): Step {
  const { stop, reader } = view;
  const inner = stepOfChild(ultraqa, view.children, stop, reader);
  const test_status = testStatus(inner, view.details.qa.test_status);
  const details = { ...view.details, qa: { ...view.details.qa, test_status } };
  if (isSignalled("qa", stop.lastMessage)) return withNews(toValidation(view, details, inner), inner?.news);
  if (inner?.kind === "used-up") return withNews(pauses(view, details, inner), inner.news);
  if (inner?.kind === "over" && test_status === "failing") return withNews(givesUp(view, details, inner), inner.news);
  const isMet = inner?.kind === "over";
  const more = inner ? [isMet ? `ultraqa: ${inner.text} See to build and lint as well.` : inner.text] : [];
  const step = withChild(stays(view, details, phaseText("qa", details, ...more)), inner);
  const isNew = isMet && view.details.qa.test_status !== "passing";
  return withNews(step, inner?.news, isNew ? `ultraqa has seen the tests succeed. ${inner.text}` : undefined);
}

function toValidation(view: PhaseView, before: AutopilotDetails, inner: ChildStep | undefined): Step {
  const qa_completed_at = new Date(view.stop.now).toISOString();
  const details = { ...before, qa: { ...before.qa, ultraqa_cycles: cyclesAfter(before, inner), qa_completed_at } };
  const ended = finish(view, "ultraqa", inner?.kind === "over" ? inner.outcome : "ended");
  return { ...enters(view, details, "validation", validationText(details)), ...ended };
}

/** ultraqa has ended without success, so a person decides. After a resumption it begins anew. */
function givesUp(view: PhaseView, before: AutopilotDetails, inner: ChildStep): Step {
  const details = { ...before, qa: { ...before.qa, ultraqa_cycles: cyclesAfter(before, inner) } };
  const text = `ultraqa has ended without success. ${inner.text}`;
  const anew = begunAnew(inner.child, text, view.reader);
  const ended = anew ? { children: [anew] } : finish(view, "ultraqa", inner.outcome);
  return { kind: "pause", run: withDetails(view.run, details), text, ...ended };
}

/** ultraqa as at its start, resting; undefined when it cannot start. */
function begunAnew(child: ModeRun, why: string, reader: ModeReader): ModeRun | undefined {
  try {
    const details = ultraqaDetails(child, reader);
    return { ...child, details, status: "paused", why, round: 0, limit: DEFAULT_ROUNDS.ultraqa };
  } catch (error) {
    if (error instanceof HookwrightError) return undefined;
    throw error;
  }
}

function testStatus(inner: ChildStep | undefined, before: CheckStatus): CheckStatus {
  if (!inner) return before;
  if (inner.kind === "over") return inner.outcome === SUCCESS ? "passing" : "failing";
  const { failures } = inner.child.details;
  return Array.isArray(failures) && failures.length > 0 ? "failing" : "pending";
}

/** The cycles of ultraqa in this phase, with those before a pause. */
function cyclesAfter({ qa }: AutopilotDetails, inner: ChildStep | undefined): number {
  if (!inner) return qa.ultraqa_cycles;
  const { cycle } = inner.child.details;
  return qa.ultraqa_cycles + (typeof cycle === "number" ? cycle : inner.child.round);
}
