import type { EventOf } from "../../../core/event.ts";
import { shellOf } from "../../../effects/shell-of-event.ts";
import type { Command } from "../../../shell/command.ts";
import { overflowAt } from "../handover/overflow.ts";
import { callsOf } from "../heartbeat.ts";
import type { Found, Sessions } from "../records.ts";
import { isSteeringCall, transcriptKey } from "../required-calls.ts";
import { flagIn, isHandingOver } from "../state.ts";
import { evaluate, type Matched } from "./evaluate.ts";
import { allRules, hasOwnRules, type RuleSource } from "./files.ts";
import type { SessionRule } from "./rule.ts";
import type { Situation } from "./triggers.ts";
import { askedOf } from "./whitelist.ts";

export interface Surroundings {
  readonly directives: string;
  usage(): number | undefined;
  readonly userHome: string;
  readonly engine: string;
  readonly project: string;
  env(name: string): string | undefined;
}

export function situationOf(
  found: Found | undefined,
  transcript: string,
  ctx: Pick<Surroundings, "usage" | "env">,
): Situation {
  return {
    state: found?.state,
    calls: found ? callsOf(found.state, transcript) : 0,
    // Asked for only by a rule about it: reading a transcript costs more than everything else here.
    usage: ctx.usage,
    overflowAt: overflowAt(ctx.env),
  };
}

/** A rule, and whether it comes from the person or with sessions themselves instead of from a project. */
export type RuleInForce = SessionRule & { readonly isPersons: boolean };

const inForce = new WeakMap<readonly RuleSource[], Map<string, readonly RuleInForce[]>>();

/** Those that this pack's other policies do not do already. */
function rulesInForce(store: Sessions, { directives, userHome, project }: Surroundings): readonly RuleInForce[] {
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

/** Which rules speak or block at this call. Steering is never blocked, nor anything while a session is handed over. */
export function matchedAt(
  event: EventOf<"tool.before">,
  found: Found | undefined,
  store: Sessions,
  ctx: Surroundings,
): Matched<RuleInForce> | undefined {
  // Without a session and without a file, nothing that comes with sessions can hold.
  if (!found && !hasOwnRules(store)) return undefined;
  if (isSteeringCall(event, ctx) || (found && isHandingOver(found.state))) return undefined;
  const rules = rulesInForce(store, ctx);
  const lines = shellOf(event, ctx.userHome).commands.map(lineOf);
  const now = situationOf(found, transcriptKey(event), ctx);
  const matched = evaluate(rules, now, askedOf(event.tool, lines));
  return found && flagIn(found.state, "loading") ? { ...matched, saying: [] } : matched;
}

/** A command as a whitelist sees it. One that sets variables or writes files is more than its words. */
function lineOf({ argv, assignments, redirections }: Command): string {
  const words = argv.map(({ text }) => text).join(" ");
  const writes = redirections.some(({ operator, body }) => body === undefined && operator.includes(">"));
  return assignments.length > 0 || writes ? `\0${words}` : words;
}
