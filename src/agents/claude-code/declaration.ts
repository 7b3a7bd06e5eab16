import { EVENTS, type EventName } from "../../core/event.ts";
import type { Declaration, DeclaredEvent } from "../declaration.ts";
import { CLAUDE_EVENTS } from "./events.ts";

const events: Record<string, DeclaredEvent> = {};
for (const [agentEvent, name] of Object.entries(CLAUDE_EVENTS) as [string, EventName][]) {
  // Claude Code carries out every verdict that an event may have: the events are modelled on it.
  events[agentEvent] = { name, can: EVENTS[name].verdicts };
}

export const CLAUDE_CODE: Declaration = {
  id: "claude-code",
  title: "Claude Code",
  program: "claude",
  package: "@anthropic-ai/claude-code",
  version: "2.1.325",
  events,
  because: {},
  stopCap: 8,
  // Because `init` registers guarded events with `onFailure: "block"`.
  onFailure: { crash: "denies", timeout: "denies", missing: "denies" },
};
