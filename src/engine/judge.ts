import { arbitrateStop, isIdleAgain, type StopAnswer } from "../core/arbiter.ts";
import { type Config, type EnabledPolicy, enabledPolicies } from "../core/config.ts";
import { budgetFor, type ContextBudget, fitSections } from "../core/context-budget.ts";
import { type AnyEvent, EVENTS, type EventName, isStop, type ToolKind, toolOf } from "../core/event.ts";
import type { HookArguments } from "../core/hook-arguments.ts";
import { type ActivePolicy, applies, type PolicyResult, runPolicies } from "../core/pipeline.ts";
import type { Policy } from "../core/policy.ts";
import { isSilent, merge, type Ruling } from "../core/ruling.ts";
import type { Grant } from "../domain/grants/grants.ts";
import { registry } from "../policies/index.gen.ts";
import type { Database } from "../state/database.ts";
import { type PendingNote, pendingNotes } from "../state/outbox.ts";
import { PERSON_SCOPE, projectScope, type Snapshot, type SnapshotOf, sessionScope } from "../state/sessions.ts";
import { openTable } from "../state/stores.ts";
import { bypassOf } from "./bypass.ts";
import type { PatternLoader } from "./chunks.ts";
import type { World } from "./context.ts";
import { type Keeper, withKept } from "./keep-losses.ts";
import { Context, Shared } from "./policy-context.ts";
import { activeRules } from "./rules.ts";
import { microseconds } from "./stopwatch.ts";
import { withGranted } from "./use-grants.ts";

/** A decision that has not been written down yet. Making it changes nothing. */
export interface Judgement {
  readonly ruling: Ruling;
  readonly results: readonly PolicyResult[];
  /** What a person had allowed before, without which it would be another ruling. */
  readonly grant: Grant | undefined;
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
  const stores = new Map<unknown, never>();
  const storeOf = ({ uses }: Policy): never => {
    const store = stores.get(uses) ?? openStore(uses, db, of);
    stores.set(uses, store);
    return store;
  };
  const shared = new Shared(world, policies);
  const said = await runPolicies({
    event,
    policies,
    budget: input.budget,
    clock: microseconds,
    context: (active, signal) => new Context(shared, active, signal),
    store: ({ policy }) => storeOf(policy),
  });
  // The usual case: there is nothing to keep, to allow or to hold.
  const isNothing = said.every(isSilent);
  const { results, grant } = isNothing
    ? { results: said, grant: undefined }
    : withGranted(world, await withKept(world, said, policies, input.keep), db, of);
  const isHeld = !isNothing && results.some((result) => result.verdicts.some((verdict) => verdict.kind === "hold"));
  const bypass = isHeld ? await bypassOf(world, isIdleAgain(snapshot.arbiter, snapshot.toolCalls)) : "";
  let stop: StopAnswer | undefined;
  const merged = merge(event, results, (holds, released) => {
    stop = arbitrateStop({ holds, released, bypass, toolCalls: snapshot.toolCalls, state: snapshot.arbiter });
    return stop;
  });
  return { ...withinBudget(input, merged), results, grant, policies, stop: isStop(event) ? stop : undefined };
}

/** Notes of the policies first, then what waits in the outbox as far as there is room; the rest keeps waiting. */
function withinBudget(input: JudgeInput, merged: Ruling): Pick<Judgement, "ruling" | "delivered" | "told"> {
  const { db, of, world } = input;
  const { name } = world.event;
  const { notes, outcome } = merged;
  if (notes.length === 0 && !input.snapshot.hasNotes && input.problems.length === 0)
    return { ruling: merged, delivered: [], told: [] };
  const legal: readonly string[] = EVENTS[name].verdicts;
  const budget = budgetFor(name, input.contextBudget);
  const own = fitSections(notes, budget);
  const isOpen = legal.includes("note") && outcome !== "deny";
  const pending = fitSections(
    isOpen && input.snapshot.hasNotes ? pendingNotes(db, of, name) : [],
    own.kept.length > 0 ? own.room - 2 : budget,
  );
  const told = legal.includes("notice") ? untold(input) : [];
  const sent = new Set(own.kept.map((note) => note.policy));
  const fates = { ...merged.fates };
  for (const { policy } of own.left) if (!sent.has(policy) && outcome === "pass") fates[policy] = "dropped";
  const ruling: Ruling = {
    ...merged,
    fates,
    notes: [...own.kept, ...pending.kept],
    notices: [...merged.notices, ...told.map((text) => ({ policy: "core/config", text }))],
  };
  return { ruling, delivered: pending.kept, told };
}

export function openStore(
  definition: Policy["uses"],
  db: Database,
  of: SnapshotOf,
  onWrite?: (scope: string) => void,
): never {
  if (!definition) return undefined as never;
  const { scope: kind } = definition;
  const scope = kind === "session" ? sessionScope(of) : kind === "project" ? projectScope(of) : PERSON_SCOPE;
  return definition.open(openTable(db, scope, definition.name, onWrite && (() => onWrite(scope))));
}

const loaded = new Map<string, Policy>();

type ProfileArguments = Pick<HookArguments, "profiles" | "isSupplement">;

/** A configuration is one object until something in it changes, and so are the arguments of a registration. */
const active = new WeakMap<Config, WeakMap<ProfileArguments, Map<EventName, ByKind>>>();
type ByKind = Map<ToolKind | undefined, readonly ActivePolicy[]>;

/** The policies and rules that look at this event, loaded on first use. */
export async function activePolicies(
  event: AnyEvent,
  config: Config,
  args: ProfileArguments,
  loadPatterns: PatternLoader,
): Promise<readonly ActivePolicy[]> {
  const kind = toolOf(event)?.kind;
  let ours = active.get(config)?.get(args)?.get(event.name)?.get(kind);
  if (!ours) {
    ours = await load(enabledPolicies(registry, config, args.profiles, args.isSupplement), event);
    keep(config, args, event.name, kind, ours);
  }
  if (args.isSupplement || config.rules.length === 0) return ours;
  // No profile turns rules off: whoever wrote one wants it.
  return [...ours, ...activeRules(event, config, loadPatterns)];
}

function keep(
  config: Config,
  args: ProfileArguments,
  event: EventName,
  kind: ToolKind | undefined,
  ours: readonly ActivePolicy[],
): void {
  const byArguments = active.get(config) ?? new WeakMap<ProfileArguments, Map<EventName, ByKind>>();
  const byEvent = byArguments.get(args) ?? new Map<EventName, ByKind>();
  const byKind: ByKind = byEvent.get(event) ?? new Map();
  byKind.set(kind, ours);
  byEvent.set(event, byKind);
  byArguments.set(args, byEvent);
  active.set(config, byArguments);
}

async function load(enabled: readonly EnabledPolicy[], event: AnyEvent): Promise<readonly ActivePolicy[]> {
  const ours: ActivePolicy[] = [];
  for (const { entry, mode, options } of enabled) {
    if (!applies(entry, event)) continue;
    const policy = loaded.get(entry.id) ?? (await entry.load()).default;
    loaded.set(entry.id, policy);
    ours.push({ policy, mode, options });
  }
  return ours;
}

export const TOLD = "told";

function untold({ problems, db, of }: JudgeInput): string[] {
  if (problems.length === 0) return [];
  const told = openTable(db, sessionScope(of), TOLD);
  return problems.filter((problem) => told.get(problem) !== true);
}
