/**
 * - running: it was started, and nothing was heard of its end
 * - completed: it ended, and no policy held it
 * - failed: the agent's client reports that it failed
 * - stopped: another agent or a person ended it
 * - lost: it is gone without a report, because its session ended or was killed
 */
export type AgentStatus = "running" | "completed" | "failed" | "stopped" | "lost";

/** One subagent. A type alias, because store rows need JSON. Times are in milliseconds. */
export type AgentRecord = {
  readonly id: string;
  readonly type: string;
  readonly status: AgentStatus;
  readonly startedAt: number;
  readonly endedAt?: number;
  /** The process of the client that it runs in; 0 when that is not known. */
  readonly pid: number;
  /** The mode that its session was in when it started; empty for none. */
  readonly parentMode: string;
  /** What it was started for. */
  readonly task: string;
  /** The files that it has changed, relative to the project. */
  readonly files: readonly string[];
  /** The beginning of its report. */
  readonly summary: string;
  readonly model: string;
  readonly tokens?: number;
  readonly toolUses?: number;
};

/** A call that starts a subagent, until the subagent is seen: only the call says what it is for. */
export type Spawn = { readonly useId: string; readonly type: string; readonly task: string; readonly model: string };

/** The subagents of one session. The counts go on when old records are dropped. */
export type SessionAgents = {
  readonly agents: readonly AgentRecord[];
  readonly spawns: readonly Spawn[];
  readonly spawned: number;
  readonly completed: number;
  readonly failed: number;
};

export const NO_AGENTS: SessionAgents = { agents: [], spawns: [], spawned: 0, completed: 0, failed: 0 };

export function isRunning({ status }: AgentRecord): boolean {
  return status === "running";
}
