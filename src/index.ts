/** What the author of a policy needs. Tests of policies are in `hookwright/testing`. */

export type { AnyEvent, EventName, EventOf, Json, ToolKind } from "./core/event.ts";
export { type Fate, type Policy, type PolicyContext, policy, type SettledContext } from "./core/policy.ts";
export type { StageName } from "./core/stages.ts";
export type { Verdict } from "./core/verdict.ts";
