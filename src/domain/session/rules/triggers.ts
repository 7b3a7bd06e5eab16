import type { Json } from "../../../core/event.ts";
import { lifecycleOf, numberIn, type SessionState, textIn, textsIn } from "../state.ts";
import type { SessionRule } from "./rule.ts";

/** The facts that triggers test. */
export interface TriggerFacts {
  /** Undefined when no session is found. */
  readonly state: SessionState | undefined;
  /** Number of calls of this agent since its last log entry. */
  readonly calls: number;
  /** The context usage, 0 to 1; undefined when unknown. */
  usage(): number | undefined;
  readonly overflowAt: number;
}

const WORKING = ["active", "idle", "resuming"];

/** Does the rule's trigger hold? A trigger of unknown type never does. */
export function triggerHolds({ trigger }: Pick<SessionRule, "trigger">, now: TriggerFacts): boolean {
  const { condition } = trigger;
  const state = now.state ?? {};
  switch (trigger.type) {
    case "contextThreshold": {
      const limit = condition.gte === "OVERFLOW_THRESHOLD" ? now.overflowAt : condition.gte;
      return typeof limit === "number" && (now.usage() ?? -1) >= limit;
    }
    case "lifecycle": {
      const lifecycle = now.state ? lifecycleOf(now.state) : "none";
      if (condition.noActiveSession === true) return !WORKING.includes(lifecycle);
      return typeof condition.eq === "string" && lifecycle === condition.eq;
    }
    case "phase":
      return (
        typeof condition.matches === "string" &&
        condition.matches !== "" &&
        textIn(state, "currentPhase").includes(condition.matches)
      );
    case "toolCount": {
      if (!now.state || typeof condition.field !== "string") return false;
      return compares(numberIn(state, condition.field, 0), condition, state);
    }
    case "perTranscriptToolCount":
      return now.state !== undefined && compares(now.calls, condition, state);
    case "discovery":
      return (
        typeof condition.field === "string" && condition.nonEmpty === true && textsIn(state, condition.field).length > 0
      );
    default:
      return false;
  }
}

/** `gte` and `eq` take a number or the name of a field that holds one. */
function compares(count: number, condition: { readonly [key: string]: Json }, state: SessionState): boolean {
  const limit = (value: Json | undefined): number | undefined => {
    if (typeof value === "number") return value;
    return typeof value === "string" ? numberIn(state, value, DEFAULTS[value] ?? Number.NaN) : undefined;
  };
  const [gte, eq] = [limit(condition.gte), limit(condition.eq)];
  if (gte !== undefined) return count >= gte;
  return eq !== undefined && count === eq;
}

const DEFAULTS: Readonly<Record<string, number>> = {
  toolUseWithoutLogsWarnAfter: 3,
  toolUseWithoutLogsBlockAfter: 10,
  directiveBlockAfter: 3,
};
