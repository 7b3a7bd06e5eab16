import { CLAUDE_CODE } from "../../agents/claude-code/declaration.ts";
import { claudeCodeInstaller } from "../../agents/claude-code/install.ts";
import type { InstallableAgent } from "../../agents/installers.ts";
import { type EventName, GUARDED_EVENTS } from "../../core/event.ts";
import { APPROVALS_POLICY } from "../../core/settings/approvals.ts";
import { type ProfileName, packsOf } from "../../core/settings/profiles.ts";
import { RULE_EVENTS } from "../../core/settings/rule.ts";
import { registry } from "../../policies/index.gen.ts";

/** Events that the engine itself needs: for the Stop arbiter, which counts prompts and failures, and for the record of turns. */
export const ENGINE_EVENTS: readonly EventName[] = [
  "prompt.submit",
  "turn.stop",
  "turn.failed",
  "session.start",
  "compact.after",
];

const USUAL: InstallableAgent = { declaration: CLAUDE_CODE, installer: claudeCodeInstaller };

export interface RegisteredEvent {
  readonly event: string;
  readonly guarded: boolean;
  /** Our answer may take as long as the agent waits, because a person may give it. */
  readonly waits?: true;
}

/** What needs events: profiles, and a project's own policies. */
export interface Listeners {
  readonly profiles: readonly ProfileName[];
  /** The events that a project's own policies handle. */
  readonly projectEvents?: readonly EventName[];
  /** Permission requests may be answered in the dashboard. */
  readonly hasApprovals?: boolean;
  /** Events that stay registered in any case. */
  readonly registered?: readonly string[];
}

/** The events that `init` registers: those that the engine, a rule or a listener handles and the agent version knows. */
export function registeredEvents(
  listeners: Listeners,
  { declaration, installer }: InstallableAgent = USUAL,
  version?: string,
): RegisteredEvent[] {
  const { profiles, projectEvents = [], hasApprovals = false, registered = [] } = listeners;
  const packs = packsOf(profiles);
  const policies = registry.filter(({ id, pack }) => packs.has(pack) && (hasApprovals || id !== APPROVALS_POLICY));
  const handled = new Set<EventName>([
    ...ENGINE_EVENTS,
    ...RULE_EVENTS,
    ...projectEvents,
    ...policies.flatMap(({ events }) => events),
  ]);
  return Object.entries(declaration.events)
    .filter(
      ([event, { name, also = [] }]) => [name, ...also].some((one) => handled.has(one)) || registered.includes(event),
    )
    .filter(([event]) => installer.knows(event, version))
    .map(([event, { name, can }]) => ({
      event,
      guarded: GUARDED_EVENTS.includes(name),
      ...(hasApprovals && can.includes("wait") ? { waits: true } : {}),
    }));
}
