import type { Json } from "../../core/event.ts";
import { defineStore, type Table } from "../../core/store.ts";
import type { SourceKind } from "./lifecycle.ts";

export type AgentState = "launching" | "busy" | "idle" | "closed";

export interface AgentSession {
  readonly session: string;
  /** 0 when unknown. */
  readonly pid: number;
  readonly registry: "Active" | "Dead";
  /** When it last changed, in epoch milliseconds. */
  readonly at: number;
}

/** One agent of one team: its current session and state. */
export interface TeamRegistryEntry extends AgentSession {
  readonly team: string;
  readonly agent: string;
  readonly state: AgentState;
  readonly source: SourceKind;
  /** Earlier sessions of this agent: one may still be running when the next one starts. */
  readonly earlier?: readonly AgentSession[];
}

const MOST_EARLIER = 8;

/** One session of an agent, the current one or an earlier one. */
export function agentSessionIn(entry: TeamRegistryEntry, session: string): AgentSession | undefined {
  return entry.session === session ? entry : entry.earlier?.find((one) => one.session === session);
}

/** The list of earlier sessions once `session` replaces the session of `before`. */
export function earlierSessionsBefore(
  session: string,
  before: TeamRegistryEntry | undefined,
): { earlier?: readonly AgentSession[] } {
  if (!before) return {};
  const { session: last, pid, registry, at } = before;
  const known = [...(last === "" ? [] : [{ session: last, pid, registry, at }]), ...(before.earlier ?? [])];
  const others = known.filter((one) => one.session !== session).slice(0, MOST_EARLIER);
  return others.length === 0 ? {} : { earlier: others };
}

export interface TeamRegistry {
  find(team: string, agent: string): TeamRegistryEntry | undefined;
  ofTeam(team: string): TeamRegistryEntry[];
  /** Agents of one session: the main thread, and teammates inside its process. */
  ofSession(session: string): TeamRegistryEntry[];
  all(): TeamRegistryEntry[];
  put(entry: TeamRegistryEntry): void;
  remove(team: string, agent: string): void;
  /** Home folders of agent-team-mail that were used recently and that the daemon serves. */
  homes(now: number): string[];
  keepHome(home: string, now: number): void;
}

/** No agent's key starts with this, because a team's name is not empty. */
const HOME_PREFIX = "/home:";
const DAY_MS = 86_400_000;
const FORGET_HOME_MS = 30 * DAY_MS;

/** A team's name has no slash, so the key is unambiguous. */
const keyOf = (team: string, agent: string): string => `${team}/${agent}`;

export function openRegistry(table: Table): TeamRegistry {
  const read = (key: string): TeamRegistryEntry | undefined =>
    table.get(key) as unknown as TeamRegistryEntry | undefined;
  const all = (prefix: string): TeamRegistryEntry[] =>
    table
      .keys()
      .filter((key) => key.startsWith(prefix) && !key.startsWith(HOME_PREFIX))
      .flatMap((key) => read(key) ?? []);
  return {
    find: (team, agent) => read(keyOf(team, agent)),
    ofTeam: (team) => (team === "" ? [] : all(`${team}/`)),
    ofSession: (session) => all("").filter((entry) => entry.session === session && entry.registry === "Active"),
    all: () => all(""),
    put: (entry) => table.set(keyOf(entry.team, entry.agent), entry as unknown as Json),
    remove: (team, agent) => table.delete(keyOf(team, agent)),
    homes: (now) =>
      table
        .keys()
        .filter((key) => key.startsWith(HOME_PREFIX) && Number(table.get(key)) > now - FORGET_HOME_MS)
        .map((key) => key.slice(HOME_PREFIX.length)),
    keepHome(home, now) {
      const before = Number(table.get(HOME_PREFIX + home) ?? 0);
      if (before < now - DAY_MS) table.set(HOME_PREFIX + home, now);
    },
  };
}

/** A team may work in several projects, so its registry is stored per person. */
export const teams = defineStore({ name: "teams", scope: "person", open: openRegistry });
