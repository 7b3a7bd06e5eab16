import { knowsEvent } from "../../agents/claude-code/client-version.ts";
import { CLAUDE_EVENTS, type ClaudeEvent } from "../../agents/claude-code/events.ts";
import { type EventName, GUARDED_EVENTS } from "../../core/event.ts";
import { type ProfileName, packsOf } from "../../core/settings/profiles.ts";
import { RULE_EVENTS } from "../../core/settings/rule.ts";
import { registry } from "../../policies/index.gen.ts";

/** The engine itself listens here: prompts and failures decide what the Stop arbiter may do, and turns are recorded whole. */
const ENGINE_EVENTS: readonly EventName[] = [
  "prompt.submit",
  "turn.stop",
  "turn.failed",
  "session.start",
  "compact.after",
];

/** Registering it would replace git in making worktrees. */
const NEVER: ClaudeEvent = "WorktreeCreate";

export interface RegisteredEvent {
  readonly event: ClaudeEvent;
  readonly guarded: boolean;
}

/** Who listens. */
export interface Listeners {
  readonly profiles: readonly ProfileName[];
  /** What a project's own policies handle. */
  readonly projectEvents?: readonly EventName[];
  /** Events that stay registered, whoever listens. */
  readonly registered?: readonly string[];
}

/** What `init` registers: every event that the engine, a rule or one of these handles and the client knows. */
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
