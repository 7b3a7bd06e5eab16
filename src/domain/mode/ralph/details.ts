import type { JsonObject } from "../../../core/event.ts";
import type { FieldType } from "../machine.ts";
import type { ModeRun } from "../mode-run.ts";
import { type Verification, verificationOf } from "./review.ts";

/** What a run of ralph stores, under the names of oh-my-claudecode's state file and some of ours. */
export type RalphDetails = {
  readonly prompt: string;
  /** Is there a PRD whose stories are this run's? */
  readonly prd_mode: boolean;
  readonly prd_path: string;
  /** There was no PRD at the start, so one was made. */
  readonly prd_created: boolean;
  /** The fingerprint of a PRD that was complete already at the start; empty once it was seen with open stories. */
  readonly prd_done_at_start: string;
  /** What the PRD is about; empty while that is not settled. */
  readonly prd_project: string;
  readonly prd_branch: string;
  readonly current_story_id: string;
  readonly linked_ultrawork: boolean;
  /** The ids of the stories that passed at the last stop. */
  readonly passed: readonly string[];
  readonly verification: Verification;
};

export const RALPH_FIELDS = {
  prompt: "text?",
  prd_mode: "flag?",
  prd_path: "text?",
  prd_created: "flag?",
  prd_done_at_start: "text?",
  prd_project: "text?",
  prd_branch: "text?",
  current_story_id: "text?",
  linked_ultrawork: "flag?",
  passed: "list?",
  verification: "object?",
} as const satisfies Record<keyof RalphDetails, FieldType>;

export function detailsOf({ details, request }: ModeRun): RalphDetails {
  const text = (field: string): string => (typeof details[field] === "string" ? details[field] : "");
  return {
    prompt: text("prompt") || request || "the work at hand",
    prd_mode: details.prd_mode === true,
    prd_path: text("prd_path"),
    prd_created: details.prd_created === true,
    prd_done_at_start: text("prd_done_at_start"),
    prd_project: text("prd_project"),
    prd_branch: text("prd_branch"),
    current_story_id: text("current_story_id"),
    linked_ultrawork: details.linked_ultrawork === true,
    passed: Array.isArray(details.passed) ? details.passed.map(String) : [],
    verification: verificationOf(details.verification),
  };
}

export function withDetails(run: ModeRun, details: RalphDetails): ModeRun {
  return { ...run, details: details satisfies JsonObject };
}
