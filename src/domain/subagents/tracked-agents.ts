import type { Json } from "../../core/event.ts";
import { isObject } from "../../core/event.ts";
import { defineStore, type Table } from "../../core/store.ts";
import { type AgentRecord, isRunning, NO_AGENTS, type SessionAgents } from "./agent-record.ts";
import { AGENT_STORE, agentsKey } from "./running-count.ts";

const MOST_SESSIONS = 20;
/** The counts of sessions whose records were dropped. */
const DROPPED = "dropped";
/** Sessions that have a replay log, the newest last. */
const REPLAYS = "replays";
const OF_SESSION = agentsKey("");

export interface AgentTotals {
  readonly spawned: number;
  readonly completed: number;
  readonly failed: number;
}

/** The subagents of all sessions of one project. */
export class TrackedAgents {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  of(session: string): SessionAgents {
    const row = this.#table.isEmpty() ? undefined : this.#table.get(agentsKey(session));
    const isWhole = isObject(row) && Array.isArray(row.agents) && Array.isArray(row.spawns);
    return isWhole ? (row as unknown as SessionAgents) : NO_AGENTS;
  }

  sessions(): readonly string[] {
    if (this.#table.isEmpty()) return [];
    const keys = this.#table.keys().filter((key) => key.startsWith(OF_SESSION));
    return keys.map((key) => key.slice(OF_SESSION.length));
  }

  save(session: string, state: SessionAgents): void {
    this.#table.set(agentsKey(session), state as unknown as Json);
    const others = this.sessions().filter((one) => one !== session);
    if (others.length < MOST_SESSIONS) return;
    const finished = others.filter((one) => !this.of(one).agents.some(isRunning));
    const [oldest] = finished.toSorted((a, b) => lastSeen(this.of(a)) - lastSeen(this.of(b)));
    if (oldest === undefined) return;
    this.#table.set(DROPPED, sum(this.#dropped(), this.of(oldest)));
    this.#table.delete(agentsKey(oldest));
  }

  /** The session whose record this is: an agent outlives its session when the conversation is cleared. */
  sessionOf(id: string, preferred: string): string | undefined {
    const has = (session: string): boolean => this.of(session).agents.some((agent) => agent.id === id);
    return has(preferred) ? preferred : this.sessions().find(has);
  }

  all(): readonly { readonly session: string; readonly agent: AgentRecord }[] {
    return this.sessions().flatMap((session) => this.of(session).agents.map((agent) => ({ session, agent })));
  }

  totals(): AgentTotals {
    return this.sessions().reduce((total, session) => sum(total, this.of(session)), this.#dropped());
  }

  replays(): readonly string[] {
    const row = this.#table.get(REPLAYS);
    return Array.isArray(row) ? row.filter((one: Json): one is string => typeof one === "string") : [];
  }

  setReplays(sessions: readonly string[]): void {
    this.#table.set(REPLAYS, sessions);
  }

  #dropped(): AgentTotals & { readonly [name: string]: number } {
    const row = this.#table.get(DROPPED);
    const count = (name: string): number => (isObject(row) && typeof row[name] === "number" ? row[name] : 0);
    return { spawned: count("spawned"), completed: count("completed"), failed: count("failed") };
  }
}

function sum(one: AgentTotals, other: AgentTotals) {
  return {
    spawned: one.spawned + other.spawned,
    completed: one.completed + other.completed,
    failed: one.failed + other.failed,
  };
}

function lastSeen({ agents }: SessionAgents): number {
  return Math.max(0, ...agents.map(({ startedAt, endedAt = startedAt }) => endedAt));
}

export const trackedAgents = defineStore({
  name: AGENT_STORE,
  scope: "project",
  open: (table) => new TrackedAgents(table),
});
