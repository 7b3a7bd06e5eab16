import type { Step } from "../machine.ts";
import { type AutopilotDetails, withPhase } from "./details.ts";
import { type PhaseView, stays, withNews } from "./phase-step.ts";
import { isSignalled, signalOf } from "./phases.ts";
import { summaryText } from "./summary.ts";
import { validationText, verdictsText } from "./texts.ts";
import { isRejected, issuesOf, MOST_ROUNDS } from "./verdicts.ts";

/** Ends with the approvals of all reviewers. The signal alone ends nothing, and nobody has to give it after them. */
export function validationStep(view: PhaseView): Step {
  const { details, stop } = view;
  const { validation } = details;
  if (validation.all_approved) return ends(view, "complete");
  const isOver = isRejected(validation);
  if (isOver && validation.validation_rounds >= MOST_ROUNDS) return ends(view, "failed");
  const isTold = !isOver || validation.told_rounds >= validation.validation_rounds;
  const told: AutopilotDetails = isOver
    ? { ...details, validation: { ...validation, told_rounds: validation.validation_rounds } }
    : details;
  const signal = isSignalled("validation", stop.lastMessage)
    ? [`${signalOf("validation")} does not count before all three reviewers have approved.`]
    : [];
  const step = stays(view, told, validationText(told), ...signal);
  return withNews(step, isTold ? undefined : rejectionText(details));
}

function ends({ run, details, stop }: PhaseView, phase: "complete" | "failed"): Step {
  const ended = withPhase(run, details, phase, stop.now);
  const { validation } = details;
  const left =
    phase === "complete" ? [] : [`Not approved in ${MOST_ROUNDS} rounds: ${issuesOf(validation).join("; ")}.`];
  return {
    kind: "end",
    outcome: phase === "complete" ? "done" : "failed",
    run: ended,
    text: [...left, summaryText(ended, stop.now)].join(" "),
  };
}

function rejectionText({ validation }: AutopilotDetails): string {
  const round = `Round ${validation.validation_rounds} of at most ${MOST_ROUNDS}`;
  return `${round} of the validation was not approved: ${verdictsText(validation)}.`;
}
