import type { ModeMachine, Step } from "../machine.ts";
import { AUTOPILOT_FIELDS, detailsOf, firstDetails, withDetails } from "./details.ts";
import { executionStep } from "./execution-step.ts";
import { expansionStep, planningStep } from "./first-steps.ts";
import type { PhaseView } from "./phase-step.ts";
import { PHASES, type Phase, phaseOf } from "./phases.ts";
import { planPrint } from "./plan-file.ts";
import { qaStep } from "./qa-step.ts";
import { compactText } from "./summary.ts";
import { guideText } from "./texts.ts";
import { validationStep } from "./validation-step.ts";
import { hearVerdict } from "./verdicts.ts";

const STEPS: Readonly<Record<Phase, (view: PhaseView) => Step>> = {
  expansion: expansionStep,
  planning: planningStep,
  execution: executionStep,
  qa: qaStep,
  validation: validationStep,
};

/** From an idea in five phases to a result that three reviewers, who are not the main agent, have approved. */
export const autopilot: ModeMachine = {
  mode: "autopilot",
  fields: AUTOPILOT_FIELDS,
  begin: ({ request }, reader) => firstDetails(request, planPrint(reader), reader.now),
  firstPhase: PHASES[0],
  until: () => "the functional, the security and the quality reviewer have approved the result",
  guide: (run) => guideText(phaseOf(run), detailsOf(run)),
  step: (run, stop, reader, children) => STEPS[phaseOf(run)]({ run, details: detailsOf(run), stop, reader, children }),
  progress: (run) => compactText(phaseOf(run), detailsOf(run)),
  heard(run, agentType, message) {
    const details = detailsOf(run);
    const phase = phaseOf(run);
    const verdict = phase === "validation" ? hearVerdict(details.validation, agentType, message) : undefined;
    const looks = details.planning.architect_iterations + (phase === "planning" ? 1 : 0);
    return withDetails(run, {
      ...details,
      planning: { ...details.planning, architect_iterations: looks },
      validation: verdict ?? details.validation,
      total_agents_spawned: details.total_agents_spawned + 1,
    });
  },
};
