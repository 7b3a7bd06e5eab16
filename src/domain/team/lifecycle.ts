import type { Json, JsonObject } from "../../core/event.ts";
import { isTeamName } from "./atm-paths.ts";
import { agentSessionIn, earlierSessionsBefore, type TeamRegistry, type TeamRegistryEntry } from "./registry.ts";
import { isMember, type Team } from "./team-config.ts";

/** Who reported an event: the agent's hooks, an MCP server, another agent's adapter, or an unnamed source. */
export const SOURCE_KINDS = ["claude_hook", "atm_mcp", "agent_hook", "unknown"] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

export const LIFECYCLE_EVENTS = ["session_start", "session_end", "turn_start", "stop", "teammate_idle"] as const;
export type LifecycleName = (typeof LIFECYCLE_EVENTS)[number];

/** One report about an agent of a team, whoever sent it. */
export interface LifecycleEvent {
  readonly event: string;
  readonly agent: string;
  readonly team: string;
  readonly session: string;
  readonly pid: number;
  readonly source: SourceKind;
}

export type ReportResult = { readonly processed: true } | { readonly processed: false; readonly reason: string };

const LONGEST_NAME = 256;

/** From the payload of a `hook-event` request. */
export function readLifecycleEvent(payload: JsonObject): LifecycleEvent {
  const { source, process_id: pid } = payload;
  const kind = typeof source === "object" && source !== null && "kind" in source ? source.kind : source;
  return {
    event: text(payload.event),
    agent: text(payload.agent),
    team: text(payload.team),
    session: text(payload.session_id),
    pid: typeof pid === "number" && Number.isSafeInteger(pid) ? Math.max(0, pid) : 0,
    source: SOURCE_KINDS.find((known) => known === kind) ?? "unknown",
  };
}

/** Cuts names from outside to a bounded length before they are stored. */
export function withBoundedNames(event: LifecycleEvent): LifecycleEvent {
  const cut = (name: string): string => name.trim().slice(0, LONGEST_NAME);
  return { ...event, agent: cut(event.agent), team: cut(event.team), session: cut(event.session) };
}

function text(value: Json | undefined): string {
  return typeof value === "string" ? value.trim().slice(0, LONGEST_NAME) : "";
}

const refused = (reason: string): ReportResult => ({ processed: false, reason });

/**
 * The state machine behind all sources. It fails closed: without a readable team, or from an agent that is not a member,
 * nothing changes. An invalid report gets a refusal as its result instead of an exception, so that no sender fails.
 */
export function applyLifecycle(
  event: LifecycleEvent,
  registry: TeamRegistry,
  teamOf: (name: string) => Team | undefined,
  now: number,
): ReportResult {
  if (event.agent === "") return refused("missing agent");
  if (event.team === "") return refused("missing team");
  if (!isTeamName(event.team)) return refused("not a team name");
  const name = LIFECYCLE_EVENTS.find((known) => known === event.event);
  if (!name) return refused("unknown event type");
  const team = teamOf(event.team);
  if (!team || !isMember(team, event.agent)) return refused("not authorised: the agent is not a member of the team");
  const isOfSession = name === "session_start" || name === "session_end";
  const isOpenToAll = !isOfSession || event.source === "atm_mcp" || event.source === "agent_hook";
  if (!isOpenToAll && event.agent !== team.lead) return refused(`only ${team.lead} may report ${name}`);
  if (event.session === "" && isOfSession) return refused("missing session_id");
  return STEPS[name](event, registry, registry.find(event.team, event.agent), now);
}

type Step = (
  event: LifecycleEvent,
  registry: TeamRegistry,
  before: TeamRegistryEntry | undefined,
  now: number,
) => ReportResult;

/** The step for a report that the agent is working or waiting. */
function at(state: "busy" | "idle"): Step {
  return (event, registry, before, now) => {
    const session = event.session || before?.session || "";
    const isKnown = before?.session === session;
    // A report that was still in transit when the session ended must not reactivate it.
    if (isKnown && before.registry === "Dead") return refused("the session has ended");
    const pid = event.pid || (isKnown ? before.pid : 0);
    registry.put({
      ...entryOf(event, now),
      session,
      pid,
      ...earlierSessionsBefore(session, before),
      registry: "Active",
      state,
    });
    return { processed: true };
  };
}

const STEPS: Readonly<Record<LifecycleName, Step>> = {
  session_start(event, registry, before, now) {
    // A compaction starts the same session again: the agent keeps its state.
    const isKnown = before?.registry === "Active" && before.session === event.session;
    registry.put({
      ...entryOf(event, now),
      ...earlierSessionsBefore(event.session, before),
      pid: event.pid || (isKnown ? before.pid : 0),
      registry: "Active",
      state: isKnown ? before.state : "launching",
    });
    return { processed: true };
  },

  turn_start: at("busy"),
  stop: at("idle"),
  teammate_idle: at("idle"),

  session_end(event, registry, before, now) {
    if (before && before.session !== "" && before.session !== event.session) {
      if (!agentSessionIn(before, event.session)) return refused("another session is registered for this agent");
      const earlier = (before.earlier ?? []).map((one) =>
        one.session === event.session ? { ...one, registry: "Dead" as const, at: now } : one,
      );
      registry.put({ ...before, earlier });
      return { processed: true };
    }
    registry.put({
      ...(before ?? entryOf(event, now)),
      registry: "Dead",
      state: "closed",
      source: event.source,
      at: now,
    });
    // Teammates that run inside the lead's process end with it.
    for (const other of registry.ofTeam(event.team)) {
      if (other.session === event.session && other.registry === "Active") {
        registry.put({ ...other, registry: "Dead", state: "closed", at: now });
      }
    }
    return { processed: true };
  },
};

function entryOf(event: LifecycleEvent, now: number): TeamRegistryEntry {
  const { team, agent, session, pid, source } = event;
  return { team, agent, session, pid, source, registry: "Active", state: "launching", at: now };
}
