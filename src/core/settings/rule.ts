import type { EventName, ToolKind } from "../event.ts";
import type { StageName } from "../stages.ts";
import type { PolicyMode } from "./config.ts";

/** Events that carry something a rule can look at: a tool call or a prompt. */
export const RULE_EVENTS = [
  "tool.before",
  "tool.after",
  "tool.failed",
  "permission.request",
  "prompt.submit",
  "prompt.expand",
] as const satisfies readonly EventName[];
export type RuleEvent = (typeof RULE_EVENTS)[number];

export const RULE_ACTIONS = ["deny", "ask", "note"] as const;
export type RuleAction = (typeof RULE_ACTIONS)[number];

/** Words under `tool` that mean every tool of that kind, whatever the agent calls it. */
export const RULE_KINDS = ["shell", "edit", "read", "spawn"] as const satisfies readonly ToolKind[];

/** A checked rule of the configuration: it answers when all of its conditions are met. */
export interface Rule {
  readonly id: string;
  readonly event: RuleEvent;
  readonly tool?: readonly string[];
  readonly program?: readonly string[];
  readonly pattern?: string;
  readonly path?: readonly string[];
  /** How many steps its pattern and globs take for each character; measured when the rule is checked. */
  readonly cost: number;
  readonly do: RuleAction;
  readonly mode: PolicyMode;
  readonly text: string;
}

/** The id of a rule among the ids of policies. */
export function ruleId({ id }: Pick<Rule, "id">): string {
  return `rules/${id}`;
}

export function ruleStage({ do: action }: Pick<Rule, "do">): StageName {
  return action === "note" ? "advice" : "scope";
}
