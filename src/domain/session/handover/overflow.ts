import type { EventOf } from "../../../core/event.ts";
import { type ControlPaths, isControlCall } from "../required-calls.ts";

/** With automatic compaction switched off, more of the context can be used, so the limit is higher. */
export const AUTO_COMPACT_ENV = "DISABLE_AUTO_COMPACT";
const DEFAULT_LIMIT = 0.76;
const LIMIT_WITHOUT_COMPACTION = 0.95;

/** The context usage, 0 to 1, at which the work has to be handed over. */
export function overflowAt(env: (name: string) => string | undefined): number {
  return env(AUTO_COMPACT_ENV) === "1" ? LIMIT_WITHOUT_COMPACTION : DEFAULT_LIMIT;
}

/** Does the call start this skill of ours, under its plugin name or its bare name? */
export function isSkill(event: EventOf<"tool.before">, name: string): boolean {
  const skill = event.tool.name === "Skill" ? event.tool.input.skill : undefined;
  return typeof skill === "string" && skill.replace(/^\//, "").replace(/^hookwright:/, "") === name;
}

/** Is the call one that a hand-over needs? Some clients find the skills with ToolSearch. */
export function isHandOverCall(event: EventOf<"tool.before">, where: ControlPaths): boolean {
  if (event.tool.name === "ToolSearch" || isSkill(event, "dehydrate") || isSkill(event, "session")) return true;
  return isControlCall(event, where);
}
