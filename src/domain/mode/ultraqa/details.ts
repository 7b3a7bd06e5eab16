import type { JsonObject } from "../../../core/event.ts";
import type { FieldType } from "../machine.ts";
import type { ModeRun } from "../mode-run.ts";
import { DEFAULT_ROUNDS } from "../modes.ts";
import { type Goal, goalNamed } from "./goal-names.ts";

/**
 * Why a run is over; empty while it goes on.
 * - goal_met: the command has surely succeeded
 * - same_failure: it failed several times in a row in the same way
 * - max_cycles: it failed in every cycle
 * - env_error: it cannot be run here
 */
export const EXITS = ["goal_met", "same_failure", "max_cycles", "env_error"] as const;
export type Exit = (typeof EXITS)[number] | "";

/** What a run of ultraqa stores, under the names of oh-my-claudecode's state file and some of ours. */
export type UltraqaDetails = {
  readonly goal_type: Goal;
  /** The command that has to succeed; empty while none is known. */
  readonly goal_pattern: string;
  /** Where it has to run: relative to the project if inside, empty for its root. */
  readonly goal_folder: string;
  /** The current cycle, beginning with 1; each failure ends one. */
  readonly cycle: number;
  readonly max_cycles: number;
  /** The last failures, without what differs from run to run. */
  readonly failures: readonly string[];
  /** The beginning of the last failure, for people and for the model. */
  readonly last_failure: string;
  /** How many failures at the end are equal. */
  readonly equal_failures: number;
  readonly exit_reason: Exit;
  /** How many more cycles than rounds the run has, after it was resumed. */
  readonly extra_cycles: number;
  /** It was paused because its cycles were used up. */
  readonly is_paused: boolean;
};

export const ULTRAQA_FIELDS = {
  goal_type: "text?",
  goal_pattern: "text?",
  goal_folder: "text?",
  cycle: "number?",
  max_cycles: "number?",
  failures: "list?",
  last_failure: "text?",
  equal_failures: "number?",
  exit_reason: "text?",
  extra_cycles: "number?",
  is_paused: "flag?",
} as const satisfies Record<keyof UltraqaDetails, FieldType>;

export function firstDetails(
  goal: Pick<UltraqaDetails, "goal_type" | "goal_pattern" | "goal_folder">,
  limit: number = DEFAULT_ROUNDS.ultraqa,
): UltraqaDetails {
  return {
    ...goal,
    cycle: 1,
    max_cycles: limit,
    failures: [],
    last_failure: "",
    equal_failures: 0,
    exit_reason: "",
    extra_cycles: 0,
    is_paused: false,
  };
}

/** The details as they are now: a run that was resumed after its cycles were used up has as many new ones as rounds. */
export function detailsOf(run: ModeRun): UltraqaDetails {
  const stored = readDetails(run);
  const isResumed = stored.is_paused && run.status !== "paused";
  const extra = isResumed ? stored.cycle - 1 - run.round : stored.extra_cycles;
  return {
    ...stored,
    extra_cycles: extra,
    max_cycles: run.limit + extra,
    ...(isResumed && { exit_reason: "", is_paused: false }),
  };
}

function readDetails({ details }: ModeRun): UltraqaDetails {
  const text = (field: string): string => (typeof details[field] === "string" ? details[field] : "");
  const count = (field: string): number => (typeof details[field] === "number" ? details[field] : 0);
  return {
    goal_type: goalNamed(text("goal_type")) ?? "tests",
    goal_pattern: text("goal_pattern"),
    goal_folder: text("goal_folder"),
    cycle: Math.max(1, count("cycle")),
    max_cycles: count("max_cycles"),
    failures: Array.isArray(details.failures) ? details.failures.map(String) : [],
    last_failure: text("last_failure"),
    equal_failures: count("equal_failures"),
    exit_reason: EXITS.find((exit) => exit === text("exit_reason")) ?? "",
    extra_cycles: count("extra_cycles"),
    is_paused: details.is_paused === true,
  };
}

export function withDetails(run: ModeRun, details: UltraqaDetails): ModeRun {
  return { ...run, details: details satisfies JsonObject };
}
