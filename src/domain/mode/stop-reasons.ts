import type { JsonObject } from "../../core/event.ts";

/** Words in a reason for the end of a turn that mean that the context or the answer is full. */
const LIMITS = [
  "context_limit",
  "context_window",
  "context_exceeded",
  "context_full",
  "max_context",
  "token_limit",
  "max_tokens",
  "conversation_too_long",
  "input_too_long",
];
const ABORTS = ["aborted", "abort", "cancel", "interrupt"];
const ABORT_PARTS = ["user_cancel", "user_interrupt", "ctrl_c", "manual_stop"];
const REASONS = ["stop_reason", "stopReason", "end_turn_reason", "endTurnReason", "reason"];

/**
 * The reason, if the event says that the turn ended at a limit or because the person interrupted it; else empty. Claude
 * Code sends none of these fields today; other versions and wrappers do.
 */
export function saysLimitOrAbort(raw: JsonObject): string {
  if (raw.user_requested === true || raw.userRequested === true) return "the person interrupted it";
  for (const name of REASONS) {
    const value = raw[name];
    if (typeof value !== "string") continue;
    const reason = value.toLowerCase();
    const isLimit = LIMITS.some((word) => reason.includes(word));
    if (isLimit || ABORTS.includes(reason) || ABORT_PARTS.some((word) => reason.includes(word)))
      return reason.slice(0, 80);
  }
  return "";
}
