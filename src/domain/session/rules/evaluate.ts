import { flagIn, objectIn } from "../state.ts";
import type { SessionRule } from "./rule.ts";
import { holds, type Situation } from "./triggers.ts";
import { type Asked, isListed } from "./whitelist.ts";

export interface Matched<R extends SessionRule> {
  /** Those that hold now and have not said their say, in the order of their priority. */
  readonly rules: readonly R[];
  /** Those among them that stop this call: each decides by its own list, so a call has to be on all of them. */
  readonly blocking: readonly R[];
  readonly saying: readonly R[];
}

export function evaluate<R extends SessionRule>(rules: readonly R[], now: Situation, asked: Asked): Matched<R> {
  const matched = rules
    .filter((rule) => !isSaid(rule, now) && holds(rule, now))
    .sort((a, b) => a.priority - b.priority || (a.id < b.id ? -1 : 1));
  const blocks = (rule: SessionRule): boolean => rule.urgency !== "allow";
  return {
    rules: matched,
    blocking: matched.filter((rule) => blocks(rule) && !isListed(rule.whitelist, asked)),
    saying: matched.filter((rule) => !blocks(rule)),
  };
}

/** A rule that speaks once has spoken. */
export function isSaid(rule: SessionRule, { state }: Pick<Situation, "state">): boolean {
  return rule.inject === "once" && state !== undefined && flagIn(objectIn(state, "injectedRules"), rule.id);
}
