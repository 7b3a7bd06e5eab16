import { flagIn, objectIn } from "../state.ts";
import type { SessionRule } from "./rule.ts";
import { type TriggerFacts, triggerHolds } from "./triggers.ts";
import { isListed, type WhitelistQuery } from "./whitelist.ts";

export interface MatchedRules<R extends SessionRule> {
  /** Rules whose trigger holds and that are not used up, by priority. */
  readonly rules: readonly R[];
  /** The rules that block the call. Each has its own whitelist, so a call passes only if all of them list it. */
  readonly blocking: readonly R[];
  readonly saying: readonly R[];
}

export function evaluateRules<R extends SessionRule>(
  rules: readonly R[],
  now: TriggerFacts,
  asked: WhitelistQuery,
): MatchedRules<R> {
  const matched = rules
    .filter((rule) => !isDelivered(rule, now) && triggerHolds(rule, now))
    .sort((a, b) => a.priority - b.priority || (a.id < b.id ? -1 : 1));
  const blocks = (rule: SessionRule): boolean => rule.urgency !== "allow";
  return {
    rules: matched,
    blocking: matched.filter((rule) => blocks(rule) && !isListed(rule.whitelist, asked)),
    saying: matched.filter((rule) => !blocks(rule)),
  };
}

/** Is this a rule with `inject: once` that was already delivered? */
export function isDelivered(rule: SessionRule, { state }: Pick<TriggerFacts, "state">): boolean {
  return rule.inject === "once" && state !== undefined && flagIn(objectIn(state, "injectedRules"), rule.id);
}
