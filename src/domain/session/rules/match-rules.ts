import type { EventOf } from "../../../core/event.ts";
import { shellOf } from "../../../effects/shell-of-event.ts";
import type { Command } from "../../../shell/command.ts";
import { overflowAt } from "../handover/overflow.ts";
import { callCount } from "../heartbeat.ts";
import { isControlCall, transcriptKey } from "../required-calls.ts";
import type { FoundSession, Sessions } from "../sessions.ts";
import { flagIn, isHandingOver } from "../state.ts";
import { evaluateRules, type MatchedRules } from "./evaluate.ts";
import type { SessionRule } from "./rule.ts";
import { allRules, hasOwnRules, type RuleSource } from "./rule-files.ts";
import type { TriggerFacts } from "./triggers.ts";
import { whitelistQuery } from "./whitelist.ts";

export interface RuleContext {
  readonly directives: string;
  usage(): number | undefined;
  readonly userHome: string;
  readonly engine: string;
  readonly project: string;
  env(name: string): string | undefined;
}

export function triggerFacts(
  found: FoundSession | undefined,
  transcript: string,
  ctx: Pick<RuleContext, "usage" | "env">,
): TriggerFacts {
  return {
    state: found?.state,
    calls: found ? callCount(found.state, transcript) : 0,
    // A function, called only for rules about context usage, because reading the transcript is slow.
    usage: ctx.usage,
    overflowAt: overflowAt(ctx.env),
  };
}

/** `isPersons`: the rule is built in or comes from the person's files, not from a project. */
export type RuleInForce = SessionRule & { readonly isPersons: boolean };

const inForce = new WeakMap<readonly RuleSource[], Map<string, readonly RuleInForce[]>>();

/** The rules that no other policy of this pack implements. */
function rulesInForce(store: Sessions, { directives, userHome, project }: RuleContext): readonly RuleInForce[] {
  const all = allRules(store, userHome, project);
  const made = inForce.get(all) ?? new Map<string, readonly RuleInForce[]>();
  inForce.set(all, made);
  let rules = made.get(directives);
  if (!rules) {
    rules = all.flatMap(({ rule, isPersons }) => {
      const isOurs = rule.by === undefined && (rule.onlyWhen === undefined || rule.onlyWhen === directives);
      return isOurs ? [{ ...rule, isPersons }] : [];
    });
    made.set(directives, rules);
  }
  return rules;
}

/** The rules that apply to this call. Control commands and the calls of a hand-over are never blocked. */
export function matchRules(
  event: EventOf<"tool.before">,
  found: FoundSession | undefined,
  store: Sessions,
  ctx: RuleContext,
): MatchedRules<RuleInForce> | undefined {
  // Without a session no built-in rule can hold.
  if (!found && !hasOwnRules(store)) return undefined;
  if (isControlCall(event, ctx) || (found && isHandingOver(found.state))) return undefined;
  const rules = rulesInForce(store, ctx);
  const lines = shellOf(event, ctx.userHome).commands.map(whitelistText);
  const now = triggerFacts(found, transcriptKey(event), ctx);
  const matched = evaluateRules(rules, now, whitelistQuery(event.tool, lines));
  return found && flagIn(found.state, "loading") ? { ...matched, saying: [] } : matched;
}

/** The command as text for whitelists. A leading NUL keeps commands that set variables or write files from matching. */
function whitelistText({ argv, assignments, redirections }: Command): string {
  const words = argv.map(({ text }) => text).join(" ");
  const writes = redirections.some(({ operator, body }) => body === undefined && operator.includes(">"));
  return assignments.length > 0 || writes ? `\0${words}` : words;
}
