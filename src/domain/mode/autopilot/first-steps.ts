import type { Step } from "../machine.ts";
import { ralphStart } from "./children.ts";
import { enters, type PhaseView, stays } from "./phase-step.ts";
import { isSignalled, signalOf } from "./phases.ts";
import { PLAN, planPrint, planProblem, SPEC } from "./plan-file.ts";
import { phaseText } from "./texts.ts";

export function expansionStep(view: PhaseView): Step {
  const { details, stop } = view;
  if (!isSignalled("expansion", stop.lastMessage)) return stays(view, details, phaseText("expansion", details));
  const expansion = { ...details.expansion, analyst_complete: true, architect_complete: true, spec_path: SPEC };
  return enters(view, { ...details, expansion }, "planning", phaseText("planning", details));
}

/** Only a plan that was written since the start ends the phase. */
export function planningStep(view: PhaseView): Step {
  const { run, details, stop, reader } = view;
  if (!isSignalled("planning", stop.lastMessage)) return stays(view, details, phaseText("planning", details));
  const problem = planProblem(planPrint(reader), details.planning.plan_at_start);
  if (problem !== undefined) {
    const lead = `${signalOf("planning")} does not count yet, because ${problem}.`;
    return stays(view, details, phaseText("planning", details), lead);
  }
  const start = ralphStart(run, stop, reader);
  const isOn = start.kind === "starts";
  const how = isOn ? `Make a story of each task. ${start.guide}` : `${start.why}. Work without it.`;
  const planning = { ...details.planning, plan_path: PLAN, approved: true };
  const text = phaseText("execution", details, how);
  return { ...enters(view, { ...details, planning }, "execution", text), ...(isOn && { begins: start.begins }) };
}
