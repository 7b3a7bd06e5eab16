import { maskText } from "../../state/masking.ts";
import { type AgentRecord, type AgentStatus, isRunning, type SessionAgents, type Spawn } from "./agent-record.ts";

const MOST_FINISHED = 100;
const MOST_SPAWNS = 20;
const MOST_FILES = 100;
const LONGEST_TYPE = 200;
const LONGEST_TASK = 200;
const LONGEST_SUMMARY = 500;

export interface AgentStart {
  readonly id: string;
  readonly type: string;
  readonly pid: number;
  readonly parentMode: string;
}

/** What is known of a subagent beside its start and end. A field that is left out, or empty, changes nothing. */
export interface AgentDetails {
  readonly task?: string;
  readonly summary?: string;
  readonly model?: string;
  readonly tokens?: number;
  readonly toolUses?: number;
}

type Ending = Exclude<AgentStatus, "running">;

// Every function returns the same object when nothing changes, so that nothing is written then.

export function withSpawn(state: SessionAgents, spawn: Spawn): SessionAgents {
  const cut = { ...spawn, task: shortText(spawn.task, LONGEST_TASK) };
  return { ...state, spawns: [...state.spawns.filter(({ useId }) => useId !== spawn.useId), cut].slice(-MOST_SPAWNS) };
}

/** The call has ended, or its turn has. */
export function withoutSpawns(state: SessionAgents, isOver: (spawn: Spawn) => boolean): SessionAgents {
  const spawns = state.spawns.filter((spawn) => !isOver(spawn));
  return spawns.length === state.spawns.length ? state : { ...state, spawns };
}

/** A subagent starts, or one that had ended goes on. */
export function started(state: SessionAgents, { id, type, pid, parentMode }: AgentStart, now: number): SessionAgents {
  const known = find(state, id);
  if (known && isRunning(known)) return state;
  const spawn = known ? undefined : state.spawns.find((one) => isSameType(one.type, type));
  const { endedAt: _endedAt, ...before } = known ?? {
    ...newRecord(id, type, now),
    ...{ task: spawn?.task ?? "", model: spawn?.model ?? "" },
  };
  const record: AgentRecord = { ...before, status: "running", startedAt: now, pid, parentMode };
  return withRecord(
    withoutSpawns(state, (one) => one === spawn),
    record,
  );
}

/** A subagent ends. One whose start was not seen counts as started in the same moment. */
export function ended(
  state: SessionAgents,
  id: string,
  status: Ending,
  now: number,
  { type = "", ...details }: AgentDetails & { readonly type?: string } = {},
): SessionAgents {
  const known = find(state, id);
  // How it failed is known for sure, and the end of a stopped subagent is also reported as that of any other.
  const isKnown = known?.status === "failed" || known?.status === "stopped";
  if (known?.status === status || (isKnown && status === "completed")) return described(state, id, details);
  const before = known ?? newRecord(id, type, now);
  // The first end counts: a later report only says how it ended.
  const endedAt = before.endedAt ?? Math.max(now, before.startedAt);
  return described(withRecord(state, { ...before, status, endedAt }), id, details);
}

/** Running subagents that are gone without a report. */
export function lost(state: SessionAgents, isGone: (agent: AgentRecord) => boolean, now: number): SessionAgents {
  const gone = state.agents.filter((agent) => isRunning(agent) && isGone(agent));
  return gone.reduce((after, { id }) => ended(after, id, "lost", now), state);
}

export function described(state: SessionAgents, id: string, details: AgentDetails): SessionAgents {
  const known = find(state, id);
  if (!known) return state;
  const given: Partial<AgentRecord> = {
    ...(details.task ? { task: shortText(details.task, LONGEST_TASK) } : {}),
    ...(details.summary ? { summary: shortText(details.summary, LONGEST_SUMMARY) } : {}),
    ...(details.model ? { model: shortText(details.model, LONGEST_TASK) } : {}),
    ...(isCount(details.tokens) ? { tokens: details.tokens } : {}),
    ...(isCount(details.toolUses) ? { toolUses: details.toolUses } : {}),
  };
  const isNew = Object.entries(given).some(([name, value]) => known[name as keyof AgentRecord] !== value);
  return isNew ? withRecord(state, { ...known, ...given }) : state;
}

/** A running subagent has changed these files. */
export function withFiles(state: SessionAgents, id: string, files: readonly string[]): SessionAgents {
  const known = find(state, id);
  if (!known || known.files.length >= MOST_FILES) return state;
  const added = files.filter((file) => !known.files.includes(file));
  if (added.length === 0) return state;
  return withRecord(state, { ...known, files: [...known.files, ...added].slice(0, MOST_FILES) });
}

/** Files that several running subagents have changed, with their ids. */
export function sharedFiles(agents: readonly AgentRecord[]): readonly { file: string; ids: readonly string[] }[] {
  const changedBy = new Map<string, string[]>();
  for (const { id, files } of agents.filter(isRunning)) {
    for (const file of files) changedBy.set(file, [...(changedBy.get(file) ?? []), id]);
  }
  return [...changedBy].filter(([, ids]) => ids.length > 1).map(([file, ids]) => ({ file, ids }));
}

function newRecord(id: string, type: string, startedAt: number): AgentRecord {
  const unknown = { pid: 0, parentMode: "", task: "", files: [], summary: "", model: "" };
  return { id, type: type.slice(0, LONGEST_TYPE).toWellFormed(), status: "running", startedAt, ...unknown };
}

function withRecord(state: SessionAgents, record: AgentRecord): SessionAgents {
  const before = find(state, record.id);
  const agents = before ? state.agents.map((one) => (one === before ? record : one)) : [...state.agents, record];
  const begins = before === undefined || (!isRunning(before) && isRunning(record)) ? 1 : 0;
  // What ran again counts as a further run, so its earlier end stays counted.
  const corrected = begins === 1 || before?.status === record.status ? undefined : before?.status;
  const count = (is: (status: AgentStatus | undefined) => boolean): number => {
    const ends = before?.status === record.status ? 0 : Number(is(record.status));
    return ends - Number(is(corrected));
  };
  return {
    ...state,
    agents: withoutOldest(agents),
    spawned: state.spawned + begins,
    completed: state.completed + count((status) => status === "completed"),
    failed: state.failed + count(isFailure),
  };
}

/** For counts, which know no other end than these two. */
export function isFailure(status: AgentStatus | undefined): boolean {
  return status === "failed" || status === "stopped" || status === "lost";
}

function withoutOldest(agents: readonly AgentRecord[]): readonly AgentRecord[] {
  const finished = agents.filter((agent) => !isRunning(agent));
  if (finished.length <= MOST_FINISHED) return agents;
  const oldest = finished.toSorted((a, b) => (a.endedAt ?? 0) - (b.endedAt ?? 0)).slice(0, -MOST_FINISHED);
  return agents.filter((agent) => !oldest.includes(agent));
}

function find({ agents }: SessionAgents, id: string): AgentRecord | undefined {
  return agents.find((agent) => agent.id === id);
}

/** The type of a plugin's agent is `plugin:name`. */
function isSameType(spawned: string, type: string): boolean {
  return spawned === type || type.endsWith(`:${spawned}`) || (spawned === "" && type === "general-purpose");
}

function isCount(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value) && value >= 0;
}

function shortText(text: string, most: number): string {
  return maskText(text).trim().slice(0, most).toWellFormed();
}
