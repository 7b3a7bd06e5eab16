import { CLAUDE_EVENTS, type ClaudeEvent } from "../agents/claude-code/events.ts";
import { type EventName, GUARDED_EVENTS } from "../core/event.ts";
import { registry } from "../policies/index.gen.ts";

/** The engine itself listens here: a person's prompt gives the Stop arbiter its budgets back. */
const ENGINE_EVENTS: readonly EventName[] = ["prompt.submit"];

/** What `init` registers: every event that the engine or a shipped policy handles. */
export function registeredEvents(): { readonly event: ClaudeEvent; readonly guarded: boolean }[] {
  const handled = new Set<EventName>([...ENGINE_EVENTS, ...registry.flatMap((entry) => entry.events)]);
  return (Object.keys(CLAUDE_EVENTS) as ClaudeEvent[])
    .filter((event) => handled.has(CLAUDE_EVENTS[event]))
    .map((event) => ({ event, guarded: GUARDED_EVENTS.includes(CLAUDE_EVENTS[event]) }));
}
