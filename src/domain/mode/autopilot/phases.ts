import { says } from "../signals.ts";

/** The phases of a run, in their order. A run that has ended is in the phase `complete` or `failed`. */
export const PHASES = ["expansion", "planning", "execution", "qa", "validation"] as const;
export type Phase = (typeof PHASES)[number];

/** With one of these, alone on a line, the main agent says that the phase is done. */
const SIGNALS: Readonly<Record<Phase, readonly [string, ...string[]]>> = {
  expansion: ["EXPANSION_COMPLETE"],
  planning: ["PLANNING_COMPLETE"],
  execution: ["EXECUTION_COMPLETE"],
  qa: ["QA_COMPLETE"],
  // oh-my-claudecode asks for the second word and waits for the first.
  validation: ["VALIDATION_COMPLETE", "AUTOPILOT_COMPLETE"],
};

export function phaseOf({ phase }: { readonly phase: string }): Phase {
  return PHASES.find((name) => name === phase) ?? "expansion";
}

export function signalOf(phase: Phase): string {
  return SIGNALS[phase][0];
}

/** Signals of other phases mean nothing. */
export function isSignalled(phase: Phase, message: string): boolean {
  return says(message, ...SIGNALS[phase]);
}

/** 1 for the first phase. */
export function phaseNumber(phase: Phase): number {
  return PHASES.indexOf(phase) + 1;
}
