import { knowsEvent } from "../../agents/claude-code/client-version.ts";
import { CLAUDE_EVENTS, type ClaudeEvent } from "../../agents/claude-code/events.ts";
import { type EventName, GUARDED_EVENTS } from "../../core/event.ts";
import { type ProfileName, packsOf } from "../../core/settings/profiles.ts";
import { RULE_EVENTS } from "../../core/settings/rule.ts";
import { registry } from "../../policies/index.gen.ts";

/** Events that the engine itself needs: for the Stop arbiter, which counts prompts and failures, and for the record of turns. */
const ENGINE_EVENTS: readonly EventName[] = [
  "prompt.submit",
  "turn.stop",
  "turn.failed",
  "session.start",
  "compact.after",
];

/** A hook for this event would have to create worktrees instead of git. */
const NEVER: ClaudeEvent = "WorktreeCreate";

export interface RegisteredEvent {
  readonly event: ClaudeEvent;
  readonly guarded: boolean;
}

/** What needs events: profiles, and a project's own policies. */
export interface Listeners {
  readonly profiles: readonly ProfileName[];
  /** The events that a project's own policies handle. */
  readonly projectEvents?: readonly EventName[];
  /** Events that stay registered in any case. */
  readonly registered?: readonly string[];
}

/** The events that `init` registers: those that the engine, a rule or a listener handles and the agent version knows. */
export function registeredEvents(listeners: Listeners, version?: string): RegisteredEvent[] {
  const { profiles, projectEvents = [], registered = [] } = listeners;
  const packs = packsOf(profiles);
  const policies = registry.filter(({ pack }) => packs.has(pack));
  const handled = new Set<EventName>([
    ...ENGINE_EVENTS,
    ...RULE_EVENTS,
    ...projectEvents,
    ...policies.flatMap(({ events }) => events),
  ]);
  return (Object.keys(CLAUDE_EVENTS) as ClaudeEvent[])
    .filter((event) => event !== NEVER && (handled.has(CLAUDE_EVENTS[event]) || registered.includes(event)))
    .filter((event) => knowsEvent(event, version))
    .map((event) => ({ event, guarded: GUARDED_EVENTS.includes(CLAUDE_EVENTS[event]) }));
}
