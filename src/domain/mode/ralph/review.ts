import type { Json, JsonObject } from "../../../core/event.ts";
import { isObject } from "../../../core/event.ts";
import { oneLine } from "../../../core/text/one-line.ts";
import { plainLines } from "../signals.ts";

/** With it, alone on a line, the main agent claims that everything is done. */
export const SIGNAL = "RALPH_COMPLETE";
export const APPROVAL = "<architect-approved>VERIFIED_COMPLETE</architect-approved>";
const APPROVED = /^<architect-approved>\s*VERIFIED_COMPLETE\s*<\/architect-approved>$/m;
const REJECTED = "<architect-rejected>";
const END_OF_REJECTED = "</architect-rejected>";
const MOST_REVIEWS = 3;
const LONGEST_REASON = 600;

/** Agents that may review, without a plugin's prefix such as `omc:`. */
const REVIEWERS = /^(?:architect(?:-low|-medium|-high)?|critic|code-reviewer|general-purpose)$/;

/** The state of the review, under the names of oh-my-claudecode's file and some of ours. */
export type Verification = {
  readonly pending: boolean;
  readonly completion_claim: string;
  /** How often a reviewer has rejected the work. */
  readonly verification_attempts: number;
  readonly max_verification_attempts: number;
  /** What the last reviewer said. */
  readonly architect_feedback: string;
  readonly architect_approved: boolean;
  readonly requested_at: string;
  /** How many stories did not pass when the review was asked for. */
  readonly open_stories: number;
  /** The complete PRD has led to a review: after a rejection only a new claim leads to the next one. */
  readonly prd_reviewed: boolean;
  /** How many rejections the person was told of. */
  readonly told_attempts: number;
  /** The type of the agent that spoke last. */
  readonly reviewer: string;
};

/** The stored state of the review, or that of a run without one. */
export function verificationOf(stored: Json | undefined): Verification {
  const value: JsonObject = isObject(stored) ? stored : {};
  const text = (field: string): string => (typeof value[field] === "string" ? value[field] : "");
  const count = (field: string, missing: number): number =>
    typeof value[field] === "number" && Number.isFinite(value[field]) ? value[field] : missing;
  return {
    pending: value.pending === true,
    completion_claim: text("completion_claim"),
    verification_attempts: count("verification_attempts", 0),
    max_verification_attempts: count("max_verification_attempts", MOST_REVIEWS),
    architect_feedback: text("architect_feedback"),
    architect_approved: value.architect_approved === true,
    requested_at: text("requested_at"),
    open_stories: count("open_stories", 0),
    prd_reviewed: value.prd_reviewed === true,
    told_attempts: count("told_attempts", 0),
    reviewer: text("reviewer"),
  };
}

export function reviewNumber({ verification_attempts, max_verification_attempts }: Verification): string {
  return `Review ${verification_attempts + 1} of at most ${max_verification_attempts}`;
}

export function beginReview(before: Verification, claim: string, openStories: number, now: number): Verification {
  return {
    ...before,
    pending: true,
    architect_approved: false,
    completion_claim: claim,
    requested_at: new Date(now).toISOString(),
    open_stories: openStories,
  };
}

export function endReview(before: Verification): Verification {
  return { ...before, pending: false, architect_approved: false };
}

export type ReviewVerdict = { readonly isApproved: true } | { readonly isApproved: false; readonly reason: string };

/**
 * The verdict in a reviewer's last message, on lines of its own and outside of code blocks. Prose counts as neither:
 * a reviewer that reports a bug it has seen fixed rejects nothing. A message with both verdicts rejects.
 */
export function verdictIn(message: string): ReviewVerdict | undefined {
  const lines = plainLines(message).map((line) => line.replace(/^(?:\*\*|__)|(?:\*\*|__)$/g, ""));
  const start = lines.findIndex((line) => line.startsWith(REJECTED));
  if (start >= 0) {
    const rest = lines.slice(start);
    const end = rest.findIndex((line) => line.includes(END_OF_REJECTED));
    const text = rest.slice(0, end < 0 ? rest.length : end + 1).join(" ");
    const reason = (text.slice(REJECTED.length).split(END_OF_REJECTED)[0] ?? "").trim();
    return { isApproved: false, reason: oneLine(reason, LONGEST_REASON) || "no reason was given" };
  }
  return APPROVED.test(lines.join("\n")) ? { isApproved: true } : undefined;
}

/** The review after a subagent's last message; undefined when that message decides nothing. */
export function hearReviewer(before: Verification, agentType: string, message: string): Verification | undefined {
  if (!before.pending || !isReviewer(agentType)) return undefined;
  const verdict = verdictIn(message);
  if (!verdict) return undefined;
  if (!verdict.isApproved) {
    return {
      ...endReview(before),
      verification_attempts: before.verification_attempts + 1,
      architect_feedback: verdict.reason,
      prd_reviewed: true,
      reviewer: agentType,
    };
  }
  const said = plainLines(message).filter((line) => !/^(?:<\/?architect-approved>|VERIFIED_COMPLETE|$)/.test(line));
  const feedback = oneLine(said.join(" "), LONGEST_REASON);
  return { ...before, architect_approved: true, architect_feedback: feedback, reviewer: agentType };
}

export function isReviewer(agentType: string): boolean {
  return REVIEWERS.test(agentType.slice(agentType.lastIndexOf(":") + 1));
}
