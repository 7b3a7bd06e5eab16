import type { Json } from "../../core/event.ts";
import { isObject } from "../../core/event.ts";

// In a file of its own, because the status line has a bundle with few imports.

export const AGENT_STORE = "agents";
export const agentsKey = (session: string): string => `session:${session}`;

/** How many subagents run, by the stored row of their session. */
export function runningIn(row: Json | undefined): number {
  const agents = isObject(row) && Array.isArray(row.agents) ? row.agents : [];
  return agents.filter((agent: Json) => isObject(agent) && agent.status === "running").length;
}
