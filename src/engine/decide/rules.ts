import { type AnyEvent, EVENTS } from "../../core/event.ts";
import type { ActivePolicy } from "../../core/pipeline.ts";
import { type Policy, type PolicyContext, policy } from "../../core/policy.ts";
import type { Config } from "../../core/settings/config.ts";
import { RULE_KINDS, type Rule, ruleId, ruleStage } from "../../core/settings/rule.ts";
import type { Verdict } from "../../core/verdict.ts";
import type { PatternLoader } from "../chunks.ts";
import { type Conditions, checkConditions, conditionsOf } from "./rule-conditions.ts";

/**
 * How much searching all rules of one event may do together: less than a second at worst. Rules come in the order of
 * the configuration, the person's first, so a project that uses it up takes nothing away from theirs.
 */
const MOST_STEPS = 100_000_000;

interface Options {
  /** How many characters the rule may search with its pattern, and with its globs. */
  readonly reach: number;
}

/** The policies made of rules live as long as the configuration, so their patterns are compiled once. */
const made = new WeakMap<Rule, Policy>();

/** The rules for this event, as policies like any other. */
export function activeRules(event: AnyEvent, config: Config, loadPatterns: PatternLoader): ActivePolicy[] {
  let cost = 0;
  return config.rules.flatMap((rule): ActivePolicy[] => {
    if (rule.mode === "off" || rule.event !== event.name || !mayHold(rule, event)) return [];
    cost += rule.cost;
    const known = made.get(rule) ?? policyOf(rule, loadPatterns);
    made.set(rule, known);
    const options: Options = { reach: MOST_STEPS / cost };
    return [{ policy: known, mode: rule.mode, options: { ...options } }];
  });
}

/** Decided by the tool alone. When the event does not name its tool, every rule is asked. */
function mayHold(rule: Rule, event: AnyEvent): boolean {
  const tool = event.tool;
  if (!tool || tool.kind === "unknown") return true;
  if (rule.program && tool.kind !== "shell") return false;
  if (rule.path && tool.kind !== "shell" && tool.kind !== "edit") return false;
  const isKind = (name: string): boolean => (RULE_KINDS as readonly string[]).includes(name);
  const isMeant = (name: string): boolean =>
    isKind(name) ? name === tool.kind : name.toLowerCase() === tool.name.toLowerCase();
  return rule.tool?.some(isMeant) ?? true;
}

function policyOf(rule: Rule, loadPatterns: PatternLoader): Policy {
  let conditions: Conditions | undefined;
  const isGuard = rule.do !== "note";
  const handler = (event: AnyEvent, ctx: PolicyContext<string, Options>): Verdict | undefined => {
    conditions ??= conditionsOf(rule, loadPatterns);
    const found = checkConditions(conditions, event, ctx, ctx.options.reach);
    if (found === undefined) return undefined;
    if (!("unsure" in found)) return ctx[rule.do]("text", { ...found });
    if (!isGuard) return undefined;
    // At an event where `ask` is not possible, the doubt is recorded as an error of the rule.
    if (!(EVENTS[event.name].verdicts as readonly string[]).includes("ask")) throw new Error(found.why);
    return ctx.ask(found.unsure, { why: found.why });
  };
  return policy({
    id: ruleId(rule),
    summary: rule.text,
    why: "The configuration contains this rule.",
    stage: ruleStage(rule),
    messages: {
      text: rule.text,
      unreadable:
        "This command could not be parsed ({why}), so it is not known whether this rule forbids it. Write it in a simpler form or in several calls.",
      long: "The rule could not check this call, because {why}. Split it into smaller calls.",
    },
    examples: { hit: [rule.id], pass: ["anything else"] },
    on: { [rule.event]: handler },
  });
}
