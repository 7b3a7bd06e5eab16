import type { AnyEvent, EventOf, Json, JsonObject } from "../../core/event.ts";
import { isObject } from "../../core/event.ts";
import { listedTasks, stoppedTask, taskReports } from "../background/task-reports.ts";
import { shownPath } from "../claims/file-names.ts";
import { type AgentRecord, isRunning, type SessionAgents } from "./agent-record.ts";
import { described, ended, lost, started, withFiles, withoutSpawns, withSpawn } from "./follow-agents.ts";
import type { TrackedAgents } from "./tracked-agents.ts";

/** How an event is looked at, beside the event itself. */
export interface AgentView {
  /** Are these the subagents of the event's own session? */
  readonly isOwn: boolean;
  readonly outcome: "pass" | "deny" | "ask" | "hold" | "approve";
  readonly now: number;
  /** The process that reports the event; 0 when it is not known. */
  readonly pid: number;
  readonly project: string;
  /** The mode that the session is in; empty for none. */
  parentMode(): string;
  isAlive(pid: number): boolean;
}

/** With this tool a subagent hands its report back, which is then not its last message. */
const HAND_BACK = "SubagentHandback";
/** After these the same process goes on with the agents that it has. */
const GOES_ON = new Set(["compact", "clear"]);
const FAILED = new Set(["failed", "error"]);
const STOPPED = new Set(["killed", "stopped", "cancelled"]);

/**
 * The sessions whose subagents an event can be about: an agent goes on when the conversation is cleared, which gives it
 * another session.
 */
export function sessionsAbout(event: AnyEvent, store: TrackedAgents): readonly string[] {
  const { session, agentId } = event;
  if (session === "") return [];
  const ownersOf = (ids: readonly string[]) => [...new Set(ids.map((id) => store.sessionOf(id, session) ?? session))];
  switch (event.name) {
    case "tool.before":
    case "tool.failed":
      return event.tool.kind === "spawn" ? [session] : [];
    case "tool.after": {
      if (event.tool.kind === "spawn") return [session];
      const stopped = stoppedTask(event);
      if (stopped !== undefined) return ownersOf([stopped]);
      return agentId !== "" && (event.tool.kind === "edit" || event.tool.name === HAND_BACK) ? ownersOf([agentId]) : [];
    }
    case "subagent.start":
      return [session];
    case "prompt.submit":
      return ownersOf(taskReports(event).map(({ id }) => id));
    case "turn.stop":
    case "session.start":
      return [...new Set([session, ...store.sessions()])];
    default:
      return agentId === "" ? [session] : ownersOf([agentId]);
  }
}

/** The subagents of a session after an event; the same object when it says nothing about them. */
export function agentsAfter(state: SessionAgents, event: AnyEvent, view: AgentView): SessionAgents {
  switch (event.name) {
    case "tool.before":
      return beforeCall(state, event, view);
    case "subagent.start":
      // A compaction and the client's own helpers have no type.
      if (event.agentType === "" || event.agentId === "") return state;
      return started(
        state,
        { id: event.agentId, type: event.agentType, pid: view.pid, parentMode: view.parentMode() },
        view.now,
      );
    case "subagent.stop":
      return afterStop(state, event, view);
    case "teammate.idle":
      return view.outcome === "hold" || !isKnown(state, event.agentId)
        ? state
        : ended(state, event.agentId, "completed", view.now);
    case "tool.after":
      return afterCall(state, event, view);
    case "tool.failed":
      return withoutSpawns(state, ({ useId }) => useId === event.tool.useId);
    case "prompt.submit":
      return afterReports(state, event, view.now);
    case "turn.stop":
      return afterTurn(state, event, view);
    case "session.start":
      return lost(state, (agent) => isGoneAtStart(agent, event.source, view), view.now);
    case "session.end":
      return view.isOwn && event.reason !== "clear" ? lost(state, () => true, view.now) : state;
    default:
      return state;
  }
}

function beforeCall(state: SessionAgents, { tool }: EventOf<"tool.before">, { outcome }: AgentView): SessionAgents {
  if (tool.kind !== "spawn" || outcome === "deny" || tool.useId === "") return state;
  const { subagent_type, description, model } = tool.input;
  return withSpawn(state, {
    useId: tool.useId,
    type: text(subagent_type),
    task: text(description),
    model: text(model),
  });
}

function afterStop(state: SessionAgents, event: EventOf<"subagent.stop">, view: AgentView): SessionAgents {
  const { agentId, agentType, lastMessage, raw } = event;
  // One that is held goes on.
  if (view.outcome === "hold" || agentId === "") return state;
  if (agentType === "" && !isKnown(state, agentId)) return state;
  const known = state.agents.find(({ id }) => id === agentId);
  // What was handed back before is the report.
  const summary = known && isRunning(known) && known.summary !== "" ? "" : lastMessage;
  const status = raw.success === false ? "failed" : "completed";
  return ended(state, agentId, status, view.now, { type: agentType, summary });
}

function afterCall(state: SessionAgents, event: EventOf<"tool.after">, view: AgentView): SessionAgents {
  const { tool, agentId } = event;
  if (tool.kind === "spawn") return afterSpawn(state, event, view);
  if (tool.name === HAND_BACK) return described(state, agentId, { summary: text(tool.input.message) });
  if (tool.kind === "edit" && agentId !== "") {
    return withFiles(
      state,
      agentId,
      event.writes.map((file) => shownPath(file, view.project)),
    );
  }
  const stopped = stoppedTask(event);
  return stopped !== undefined && isKnown(state, stopped) ? ended(state, stopped, "stopped", view.now) : state;
}

function afterSpawn(state: SessionAgents, { tool, response }: EventOf<"tool.after">, view: AgentView): SessionAgents {
  const after = withoutSpawns(state, ({ useId }) => useId === tool.useId);
  const said = isObject(response) ? response : {};
  const id = text(said.agentId);
  if (!isKnown(after, id)) return after;
  const details = {
    task: text(tool.input.description),
    model: text(said.resolvedModel),
    ...counts(said),
  };
  const status = text(said.status);
  if (FAILED.has(status)) return ended(after, id, "failed", view.now, details);
  // Of a subagent that the main agent has waited for, the end may have been reported to nobody.
  return status === "completed" ? ended(after, id, "completed", view.now, details) : described(after, id, details);
}

function counts({ totalTokens, totalToolUseCount }: JsonObject) {
  return {
    ...(typeof totalTokens === "number" ? { tokens: totalTokens } : {}),
    ...(typeof totalToolUseCount === "number" ? { toolUses: totalToolUseCount } : {}),
  };
}

function afterReports(state: SessionAgents, event: EventOf<"prompt.submit">, now: number): SessionAgents {
  return taskReports(event).reduce((after, { id, status, result }) => {
    if (!isKnown(after, id)) return after;
    if (FAILED.has(status)) return ended(after, id, "failed", now, { summary: result });
    if (STOPPED.has(status)) return ended(after, id, "stopped", now, { summary: result });
    return status === "completed" ? ended(after, id, "completed", now, { summary: result }) : after;
  }, state);
}

/** When the main agent stops, only subagents in the background go on, and the client lists those. */
function afterTurn(state: SessionAgents, event: EventOf<"turn.stop">, { isOwn, pid, now }: AgentView): SessionAgents {
  if (event.agentId !== "") return state;
  const before = isOwn ? withoutSpawns(state, () => true) : state;
  const listed = listedTasks(event);
  if (!listed) return before;
  const isOfThisProcess = (agent: AgentRecord): boolean => isOwn || (pid > 0 && agent.pid === pid);
  return lost(before, (agent) => isOfThisProcess(agent) && !listed.some(({ id }) => id === agent.id), now);
}

function isGoneAtStart(agent: AgentRecord, source: string, { isOwn, isAlive }: AgentView): boolean {
  if (isOwn) return !GOES_ON.has(source);
  return agent.pid > 0 && !isAlive(agent.pid);
}

function isKnown({ agents }: SessionAgents, agentId: string): boolean {
  return agentId !== "" && agents.some(({ id }) => id === agentId);
}

function text(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
