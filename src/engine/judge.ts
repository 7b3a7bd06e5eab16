import { arbitrateStop, type StopAnswer } from "../core/arbiter.ts";
import { type Config, type EnabledPolicy, enabledPolicies } from "../core/config.ts";
import { budgetFor, type ContextBudget, fitSections } from "../core/context-budget.ts";
import { type AnyEvent, EVENTS } from "../core/event.ts";
import type { HookArguments } from "../core/hook-arguments.ts";
import { type ActivePolicy, applies, type PolicyResult, runPolicies } from "../core/pipeline.ts";
import type { Policy } from "../core/policy.ts";
import { merge, type Ruling } from "../core/ruling.ts";
import { registry } from "../policies/index.gen.ts";
import type { Database } from "../state/database.ts";
import { type PendingNote, pendingNotes } from "../state/outbox.ts";
import { PERSON_SCOPE, projectScope, type Snapshot, type SnapshotOf, sessionScope } from "../state/sessions.ts";
import { openTable } from "../state/stores.ts";
import { bypassOf } from "./bypass.ts";
import type { PatternLoader } from "./chunks.ts";
import { contextFor, type World } from "./context.ts";
import { type Keeper, withKept } from "./keep-losses.ts";
import { activeRules } from "./rules.ts";
import { microseconds } from "./stopwatch.ts";

/** A decision that has not been written down yet. Making it changes nothing. */
export interface Judgement {
  readonly ruling: Ruling;
  readonly results: readonly PolicyResult[];
  readonly policies: readonly ActivePolicy[];
  readonly stop: StopAnswer | undefined;
  readonly delivered: readonly PendingNote[];
  /** Sentences for the person that this session has not been told yet. */
  readonly told: readonly string[];
}

export interface JudgeInput {
  readonly world: World;
  readonly policies: readonly ActivePolicy[];
  /** What the person should know about the configuration; each is told once per session. */
  readonly problems: readonly string[];
  readonly contextBudget: ContextBudget;
  readonly db: Database;
  readonly of: SnapshotOf;
  readonly snapshot: Snapshot;
  /** Milliseconds the policies may take together. */
  readonly budget: number;
  readonly keep: Keeper;
}

export async function judge(input: JudgeInput): Promise<Judgement> {
  const { world, db, of, snapshot, policies } = input;
  const { event } = world;
  const said = await runPolicies({
    event,
    policies,
    budget: input.budget,
    clock: microseconds,
    context: (active, signal) => contextFor(world, active, signal, policies),
    store: (active) => openStore(active, db, of),
  });
  const results = await withKept(world, said, policies, input.keep);
  const isHeld = results.some((result) => result.verdicts.some((verdict) => verdict.kind === "hold"));
  const bypass = isHeld ? await bypassOf(world) : "";
  let stop: StopAnswer | undefined;
  const merged = merge(event, results, (holds, released) => {
    stop = arbitrateStop({ holds, released, bypass, toolCalls: snapshot.toolCalls, state: snapshot.arbiter });
    return stop;
  });
  const isStop = EVENTS[event.name].blocking === "continue";
  return { ...withinBudget(input, merged), results, policies, stop: isStop ? stop : undefined };
}

/** Notes of the policies first, then what waits in the outbox as far as there is room; the rest keeps waiting. */
function withinBudget(input: JudgeInput, merged: Ruling): Pick<Judgement, "ruling" | "delivered" | "told"> {
  const { db, of, world } = input;
  const { name } = world.event;
  const legal: readonly string[] = EVENTS[name].verdicts;
  const budget = budgetFor(name, input.contextBudget);
  const own = fitSections(merged.notes, budget);
  const isOpen = legal.includes("note") && merged.outcome !== "deny";
  const pending = fitSections(
    isOpen && input.snapshot.hasNotes ? pendingNotes(db, of, name) : [],
    own.kept.length > 0 ? own.room - 2 : budget,
  );
  const told = legal.includes("notice") ? untold(input) : [];
  const sent = new Set(own.kept.map((note) => note.policy));
  const fates = { ...merged.fates };
  for (const { policy } of own.left) if (!sent.has(policy) && merged.outcome === "pass") fates[policy] = "dropped";
  const ruling: Ruling = {
    ...merged,
    fates,
    notes: [...own.kept, ...pending.kept],
    notices: [...merged.notices, ...told.map((text) => ({ policy: "core/config", text }))],
  };
  return { ruling, delivered: pending.kept, told };
}

export function openStore(
  active: ActivePolicy,
  db: Database,
  of: SnapshotOf,
  onWrite?: (scope: string) => void,
): never {
  const definition = active.policy.uses;
  if (!definition) return undefined as never;
  const { scope: kind } = definition;
  const scope = kind === "session" ? sessionScope(of) : kind === "project" ? projectScope(of) : PERSON_SCOPE;
  return definition.open(openTable(db, scope, definition.name, onWrite && (() => onWrite(scope))));
}

const loaded = new Map<string, Policy>();

type ProfileArguments = Pick<HookArguments, "profiles" | "isSupplement">;

/** The policies and rules that look at this event, loaded on first use. */
export async function activePolicies(
  event: AnyEvent,
  config: Config,
  args: ProfileArguments,
  loadPatterns: PatternLoader,
): Promise<ActivePolicy[]> {
  const active: ActivePolicy[] = [];
  for (const { entry, mode, options } of enabledFor(event, config, args)) {
    if (!applies(entry, event)) continue;
    let policy = loaded.get(entry.id);
    if (!policy) {
      policy = (await entry.load()).default;
      loaded.set(entry.id, policy);
    }
    active.push({ policy, mode, options });
  }
  if (args.isSupplement) return active;
  // No profile turns rules off: whoever wrote one wants it.
  return [...active, ...activeRules(event, config, loadPatterns)];
}

/** By profiles and event; a configuration is one object until something in it changes. */
const enabled = new WeakMap<Config, Map<string, readonly EnabledPolicy[]>>();

function enabledFor(event: AnyEvent, config: Config, { profiles, isSupplement }: ProfileArguments) {
  const known = enabled.get(config) ?? new Map<string, readonly EnabledPolicy[]>();
  enabled.set(config, known);
  const key = `${profiles?.join() ?? "*"} ${isSupplement} ${event.name}`;
  let found = known.get(key);
  if (!found) {
    found = enabledPolicies(registry, config, profiles, isSupplement).filter(({ entry }) =>
      entry.events.includes(event.name),
    );
    known.set(key, found);
  }
  return found;
}

export const TOLD = "told";

function untold({ problems, db, of }: JudgeInput): string[] {
  if (problems.length === 0) return [];
  const told = openTable(db, sessionScope(of), TOLD);
  return problems.filter((problem) => told.get(problem) !== true);
}
