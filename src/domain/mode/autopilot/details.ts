import type { Json, JsonObject } from "../../../core/event.ts";
import { isObject } from "../../../core/event.ts";
import type { FieldType } from "../machine.ts";
import type { ModeRun } from "../mode-run.ts";
import { type Phase, phaseOf } from "./phases.ts";
import { type Validation, validationOf } from "./verdicts.ts";

export type CheckStatus = "pending" | "passing" | "failing";

/** What a run of autopilot stores, under the names of oh-my-claudecode's state file and some of ours. */
export type AutopilotDetails = {
  readonly originalIdea: string;
  readonly expansion: {
    readonly analyst_complete: boolean;
    readonly architect_complete: boolean;
    readonly spec_path: string | null;
    readonly requirements_summary: string;
    readonly tech_stack: readonly Json[];
  };
  readonly planning: {
    readonly plan_path: string | null;
    /** How many agents have looked at the plan. */
    readonly architect_iterations: number;
    readonly approved: boolean;
    /** The fingerprint of the plan that was there before the start; empty without one. */
    readonly plan_at_start: string;
  };
  readonly execution: {
    readonly ralph_iterations: number;
    readonly ultrawork_active: boolean;
    readonly tasks_completed: number;
    readonly tasks_total: number;
    /** Relative to the project. */
    readonly files_created: readonly string[];
    readonly files_modified: readonly string[];
    readonly ralph_completed_at: string | null;
    /** How ralph has ended; empty while it has not. */
    readonly ralph_outcome: string;
  };
  readonly qa: {
    readonly ultraqa_cycles: number;
    readonly build_status: CheckStatus;
    readonly lint_status: CheckStatus;
    readonly test_status: CheckStatus;
    readonly qa_completed_at: string | null;
  };
  readonly validation: Validation;
  readonly completed_at: string | null;
  /** Milliseconds of each phase that has ended, and `<phase>_start_ms` of each that has begun. */
  readonly phase_durations: Readonly<Record<string, number>>;
  readonly total_agents_spawned: number;
  readonly wisdom_entries: number;
};

export const AUTOPILOT_FIELDS = {
  originalIdea: "text?",
  expansion: "object?",
  planning: "object?",
  execution: "object?",
  qa: "object?",
  validation: "object?",
  completed_at: "text?",
  phase_durations: "object?",
  total_agents_spawned: "number?",
  wisdom_entries: "number?",
} as const satisfies Record<keyof AutopilotDetails, FieldType>;

export function firstDetails(idea: string, planAtStart: string, now: number): AutopilotDetails {
  const details = readDetails({ originalIdea: idea, phase_durations: { expansion_start_ms: now } }, idea);
  return { ...details, planning: { ...details.planning, plan_at_start: planAtStart } };
}

/** The stored details; what is missing or has a wrong type is as in a new run. */
export function detailsOf({ details, request }: ModeRun): AutopilotDetails {
  return readDetails(details, request);
}

function readDetails(details: JsonObject, request: string): AutopilotDetails {
  const [expansion, planning, execution, qa] = [
    read(details.expansion),
    read(details.planning),
    read(details.execution),
    read(details.qa),
  ];
  const top = read(details);
  return {
    originalIdea: top.text("originalIdea") || request || "the work at hand",
    expansion: {
      analyst_complete: expansion.flag("analyst_complete"),
      architect_complete: expansion.flag("architect_complete"),
      spec_path: expansion.text("spec_path") || null,
      requirements_summary: expansion.text("requirements_summary"),
      tech_stack: expansion.list("tech_stack"),
    },
    planning: {
      plan_path: planning.text("plan_path") || null,
      architect_iterations: planning.count("architect_iterations"),
      approved: planning.flag("approved"),
      plan_at_start: planning.text("plan_at_start"),
    },
    execution: {
      ralph_iterations: execution.count("ralph_iterations"),
      ultrawork_active: execution.flag("ultrawork_active"),
      tasks_completed: execution.count("tasks_completed"),
      tasks_total: execution.count("tasks_total"),
      files_created: execution.list("files_created").map(String),
      files_modified: execution.list("files_modified").map(String),
      ralph_completed_at: execution.text("ralph_completed_at") || null,
      ralph_outcome: execution.text("ralph_outcome"),
    },
    qa: {
      ultraqa_cycles: qa.count("ultraqa_cycles"),
      build_status: statusOf(qa.text("build_status")),
      lint_status: statusOf(qa.text("lint_status")),
      test_status: statusOf(qa.text("test_status")),
      qa_completed_at: qa.text("qa_completed_at") || null,
    },
    validation: validationOf(details.validation),
    completed_at: top.text("completed_at") || null,
    phase_durations: numbersOf(details.phase_durations),
    total_agents_spawned: top.count("total_agents_spawned"),
    wisdom_entries: top.count("wisdom_entries"),
  };
}

export function withDetails(run: ModeRun, details: AutopilotDetails): ModeRun {
  return { ...run, details: details satisfies JsonObject };
}

/** The run as it leaves its phase for another one, or for its end. */
export function withPhase(
  run: ModeRun,
  details: AutopilotDetails,
  next: Phase | "complete" | "failed",
  now: number,
): ModeRun {
  const phase = phaseOf(run);
  const began = details.phase_durations[`${phase}_start_ms`] ?? now;
  const isEnd = next === "complete" || next === "failed";
  const ended = { ...details.phase_durations, [phase]: Math.max(0, now - began) };
  return withDetails(
    { ...run, phase: next },
    {
      ...details,
      phase_durations: isEnd ? ended : { ...ended, [`${next}_start_ms`]: now },
      ...(isEnd && { completed_at: new Date(now).toISOString() }),
    },
  );
}

function read(value: Json | undefined) {
  const source: JsonObject = isObject(value) ? value : {};
  return {
    text: (field: string): string => (typeof source[field] === "string" ? source[field] : ""),
    flag: (field: string): boolean => source[field] === true,
    count: (field: string): number => (typeof source[field] === "number" ? source[field] : 0),
    list: (field: string): readonly Json[] => (Array.isArray(source[field]) ? source[field] : []),
  };
}

function numbersOf(value: Json | undefined): Record<string, number> {
  const source = isObject(value) ? value : {};
  return Object.fromEntries(
    Object.entries(source).filter((entry): entry is [string, number] => typeof entry[1] === "number"),
  );
}

function statusOf(text: string): CheckStatus {
  return text === "passing" || text === "failing" ? text : "pending";
}
