import { knowsEvent } from "../agents/claude-code/client-version.ts";
import { CLAUDE_EVENTS, type ClaudeEvent } from "../agents/claude-code/events.ts";
import { type EventName, GUARDED_EVENTS } from "../core/event.ts";
import { RULE_EVENTS } from "../core/rule.ts";
import { registry } from "../policies/index.gen.ts";

/** The engine itself listens here: prompts and failures decide what the Stop arbiter may do. */
const ENGINE_EVENTS: readonly EventName[] = ["prompt.submit", "turn.failed", "session.start", "compact.after"];

/** Registering it would replace git in making worktrees. */
const NEVER: ClaudeEvent = "WorktreeCreate";

/** What `init` registers: every event that the engine, a shipped policy or a rule can handle and the client knows. */
export function registeredEvents(version?: string): { readonly event: ClaudeEvent; readonly guarded: boolean }[] {
  const handled = new Set<EventName>([...ENGINE_EVENTS, ...RULE_EVENTS, ...registry.flatMap((entry) => entry.events)]);
  return (Object.keys(CLAUDE_EVENTS) as ClaudeEvent[])
    .filter((event) => event !== NEVER && handled.has(CLAUDE_EVENTS[event]) && knowsEvent(event, version))
    .map((event) => ({ event, guarded: GUARDED_EVENTS.includes(CLAUDE_EVENTS[event]) }));
}
