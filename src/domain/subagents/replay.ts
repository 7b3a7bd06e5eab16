import type { AnyEvent, JsonObject } from "../../core/event.ts";
import { type AgentRecord, isRunning, type SessionAgents } from "./agent-record.ts";

/** What the replay log says of an event: which subagents have started, were held or have ended. */
export function replayEntries(
  before: SessionAgents,
  after: SessionAgents,
  event: AnyEvent,
  outcome: string,
): readonly JsonObject[] {
  const held = before.agents.find(({ id }) => id === event.agentId);
  if (event.name === "subagent.stop" && outcome === "hold" && held) return [{ event: "agent_held", ...about(held) }];
  if (before.agents === after.agents) return [];
  return after.agents.flatMap((agent) => {
    const known = before.agents.find(({ id }) => id === agent.id);
    if (known?.status === agent.status) return [];
    if (isRunning(agent)) {
      const { task, parentMode } = agent;
      const more = { ...(task === "" ? {} : { task }), ...(parentMode === "" ? {} : { parent_mode: parentMode }) };
      return [{ event: "agent_start", ...about(agent), ...more }];
    }
    const duration_ms = (agent.endedAt ?? agent.startedAt) - agent.startedAt;
    return [{ event: "agent_stop", ...about(agent), success: agent.status === "completed", duration_ms }];
  });
}

function about({ id, type, status }: AgentRecord): JsonObject {
  return { agent: id, agent_type: type, status };
}
