import type { EventOf } from "../../../core/event.ts";
import { isSteeringCall, type Where } from "../required-calls.ts";

/** Raised where the agent does not compact by itself: then more of its context can be used. */
export const LATE_ENV = "DISABLE_AUTO_COMPACT";
const AT = 0.76;
const LATE = 0.95;

/** How full the context may be before the work is handed over. */
export function overflowAt(env: (name: string) => string | undefined): number {
  return env(LATE_ENV) === "1" ? LATE : AT;
}

/** A skill of ours, as the plugin names it or under its bare name. */
export function isSkill(event: EventOf<"tool.before">, name: string): boolean {
  const skill = event.tool.name === "Skill" ? event.tool.input.skill : undefined;
  return typeof skill === "string" && skill.replace(/^\//, "").replace(/^hookwright:/, "") === name;
}

/** What an agent needs to hand its work over, and nothing else. ToolSearch is how some clients find the skills. */
export function isHandingOverCall(event: EventOf<"tool.before">, where: Where): boolean {
  if (event.tool.name === "ToolSearch" || isSkill(event, "dehydrate") || isSkill(event, "session")) return true;
  return isSteeringCall(event, where);
}
