import type { ModeReader, Step, StopView } from "../machine.ts";
import type { ModeRun } from "../mode-run.ts";
import { DEFAULT_ROUNDS } from "../modes.ts";
import type { ChildStep } from "./children.ts";
import { type AutopilotDetails, withDetails, withPhase } from "./details.ts";
import { PHASES, type Phase, phaseNumber, phaseOf } from "./phases.ts";

/** A stop, as the step of each phase looks at it. */
export interface PhaseView {
  readonly run: ModeRun;
  readonly details: AutopilotDetails;
  readonly stop: StopView;
  readonly reader: ModeReader;
  readonly children: readonly ModeRun[];
}

/** The run goes on in its phase. */
export function stays({ run }: PhaseView, details: AutopilotDetails, text: string, ...lead: readonly string[]): Step {
  return { kind: "hold", run: withDetails(run, details), text: [...lead, text].join("\n") };
}

/** The run goes on in the next phase. */
export function enters({ run, stop }: PhaseView, details: AutopilotDetails, next: Phase, text: string): Step {
  const news = `${phaseOf(run)} is complete, ${next} is next (phase ${phaseNumber(next)} of ${PHASES.length}).`;
  return { kind: "hold", run: withPhase(run, details, next, stop.now), text, news };
}

/** The mode inside has no rounds left, so a person decides. After a resumption it has as many again. */
export function pauses({ run }: PhaseView, details: AutopilotDetails, inner: ChildStep): Step {
  const { mode, round } = inner.child;
  const why = `The rounds of ${mode} are used up. ${inner.text}`;
  const rested = { ...inner.child, status: "paused" as const, why, limit: round + DEFAULT_ROUNDS[mode] };
  const children = inner.runs.map((one) => (one === inner.child ? rested : one));
  return { kind: "pause", run: withDetails(run, details), children, text: why };
}

/** The step with what the mode inside has made of the stop. */
export function withChild(step: Step, inner: ChildStep | undefined): Step {
  if (!inner) return step;
  return { ...step, children: inner.runs, ...(inner.kind === "goes-on" && { driven: inner.child.mode }) };
}

/** The step with these sentences before its own news. */
export function withNews(step: Step, ...sentences: readonly (string | undefined)[]): Step {
  const news = [...sentences, step.news].filter((one) => one !== undefined).join(" ");
  return news === "" ? step : { ...step, news };
}

/** How a mode inside ends with its phase, if it is still there. */
export function finish(view: PhaseView, mode: "ralph" | "ultraqa", outcome: string): Pick<Step, "finishes"> {
  return view.children.some((child) => child.mode === mode) ? { finishes: [{ mode, outcome }] } : {};
}
