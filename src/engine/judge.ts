import { arbitrateStop, type StopAnswer } from "../core/arbiter.ts";
import { type Config, enabledPolicies } from "../core/config.ts";
import { type AnyEvent, EVENTS } from "../core/event.ts";
import { type ActivePolicy, applies, type PolicyResult, runPolicies } from "../core/pipeline.ts";
import type { Policy } from "../core/policy.ts";
import type { ProfileName } from "../core/profiles.ts";
import { merge, type Ruling } from "../core/ruling.ts";
import { registry } from "../policies/index.gen.ts";
import type { Database } from "../state/database.ts";
import { type PendingNote, pendingNotes } from "../state/outbox.ts";
import { projectScope, type Snapshot, type SnapshotOf, sessionScope } from "../state/sessions.ts";
import { openTable } from "../state/stores.ts";
import { contextFor, type World } from "./context.ts";

/** A decision that has not been written down yet. Making it changes nothing. */
export interface Judgement {
  readonly ruling: Ruling;
  readonly results: readonly PolicyResult[];
  readonly policies: readonly ActivePolicy[];
  readonly stop: StopAnswer | undefined;
  readonly delivered: readonly PendingNote[];
  /** Sentences about the configuration that this session has not been told yet. */
  readonly toldProblems: readonly string[];
}

export interface JudgeInput {
  readonly world: World;
  readonly policies: readonly ActivePolicy[];
  /** What is wrong with the configuration. */
  readonly problems: readonly string[];
  readonly db: Database;
  readonly of: SnapshotOf;
  readonly snapshot: Snapshot;
  readonly budget: number;
}

const loaded = new Map<string, Policy>();

export async function judge(input: JudgeInput): Promise<Judgement> {
  const { world, db, of, snapshot, policies } = input;
  const { event } = world;
  const results = await runPolicies({
    event,
    policies,
    budget: input.budget,
    clock: () => Math.round(performance.now() * 1000),
    context: (active, signal) => contextFor(world, active, signal),
    store: (active) => openStore(active, db, of),
  });
  let stop: StopAnswer | undefined;
  const merged = merge(event, results, (holds, released) => {
    stop = arbitrateStop({
      holds,
      released,
      bypass: bypassOf(event),
      toolCalls: snapshot.toolCalls,
      state: snapshot.arbiter,
    });
    return stop;
  });
  const verdicts: readonly string[] = EVENTS[event.name].verdicts;
  const delivered = verdicts.includes("note") && merged.outcome !== "deny" ? pendingNotes(db, of, event.name) : [];
  const toldProblems = verdicts.includes("notice") ? untold(input) : [];
  const ruling: Ruling = {
    ...merged,
    notes: [...merged.notes, ...delivered.map(({ policy, text }) => ({ policy, text }))],
    notices: [...merged.notices, ...toldProblems.map((text) => ({ policy: "core/config", text }))],
  };
  return { ruling, results, policies, delivered, toldProblems, stop: isStop(event) ? stop : undefined };
}

export function openStore(
  active: ActivePolicy,
  db: Database,
  of: SnapshotOf,
  onWrite?: (scope: string) => void,
): never {
  const definition = active.policy.uses;
  if (!definition) return undefined as never;
  const scope = definition.scope === "session" ? sessionScope(of) : projectScope(of);
  return definition.open(openTable(db, scope, definition.name, onWrite && (() => onWrite(scope))));
}

/** The policies that look at this event, loaded on first use. */
export async function activePolicies(
  event: AnyEvent,
  config: Config,
  profiles: readonly ProfileName[] | undefined,
): Promise<ActivePolicy[]> {
  const active: ActivePolicy[] = [];
  for (const { entry, mode, options } of enabledPolicies(registry, config, profiles)) {
    if (!applies(entry, event)) continue;
    let policy = loaded.get(entry.id);
    if (!policy) {
      policy = (await entry.load()).default;
      loaded.set(entry.id, policy);
    }
    active.push({ policy, mode, options });
  }
  return active;
}

function isStop(event: AnyEvent): boolean {
  return EVENTS[event.name].blocking === "continue";
}

/** Reasons for which no stop is held, whatever the policies say. */
function bypassOf(event: AnyEvent): string {
  // A subagent's event lists its parent's tasks, which say nothing about the subagent.
  if (event.name !== "turn.stop") return "";
  if (event.backgroundTasks > 0) return "background tasks are still running and will wake the session";
  if (event.wakeUps > 0) return "a scheduled wake-up is pending";
  return "";
}

/** Each problem is told once per session. */
function untold({ problems, db, of }: JudgeInput): string[] {
  if (problems.length === 0) return [];
  const told = openTable(db, sessionScope(of), TOLD);
  return problems.filter((problem) => told.get(problem) !== true);
}

export const TOLD = "told-problems";
