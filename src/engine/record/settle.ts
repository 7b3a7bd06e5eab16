import { describe } from "../../core/errors.ts";
import type { AnyEvent, EventName } from "../../core/event.ts";
import type { ActivePolicy } from "../../core/pipeline.ts";
import type { Fate, SettledContext, When } from "../../core/policy.ts";
import { openStore } from "../decide/judge.ts";
import { type Effects, PolicySettledContext } from "./settled-context.ts";
import type { RecordInput } from "./write-event.ts";

type Settler = (event: AnyEvent, fate: Fate, ctx: SettledContext, store: never) => void;

interface SettlersAtEvent {
  readonly event: EventName;
  readonly settlers: readonly { readonly active: ActivePolicy; readonly settled: Settler }[];
}

/** Events of one kind have the same list of policies, so the settlers are kept with the list. */
const settlerLists = new WeakMap<readonly ActivePolicy[], SettlersAtEvent>();

function settlersAt(event: EventName, policies: readonly ActivePolicy[]): SettlersAtEvent["settlers"] {
  const known = settlerLists.get(policies);
  if (known?.event === event) return known.settlers;
  const settlers = policies.flatMap((active) => {
    const settled = active.policy.settled?.[event] as Settler | undefined;
    return settled ? [{ active, settled }] : [];
  });
  settlerLists.set(policies, { event, settlers });
  return settlers;
}

/** Each policy writes under a savepoint of its own: one that throws loses only its own writes. */
export function settle(input: RecordInput, now: number, effects: Effects): Map<string, string> {
  const { db, world, of, judgement } = input;
  const { event } = world;
  const errors = new Map<string, string>();
  const settlers = event.malformed.length > 0 ? [] : settlersAt(event.name, judgement.policies);
  if (settlers.length === 0) return errors;
  /** What a \`when\` condition answered, until something is written that it may depend on. */
  const conditions = new Map<When, boolean>();
  // Most policies that could write do not, so the savepoint is made before the first write.
  let hasSavepoint = false;
  const onWrite = (scope?: string): void => {
    if (!hasSavepoint) db.exec("SAVEPOINT policy");
    hasSavepoint = true;
    conditions.clear();
    if (scope !== undefined) effects.written.push(scope);
  };
  const stores = new Map<unknown, never>();
  for (const { active, settled } of settlers) {
    const { id, when, uses } = active.policy;
    if (when && conditions.get(when) === false) continue;
    const { flags, jobs, written, hasExports } = effects;
    const [jobsBefore, writtenBefore] = [jobs.length, written.length];
    try {
      if (uses && !stores.has(uses)) stores.set(uses, openStore(uses, db, of, onWrite));
      const store = stores.get(uses) as never;
      const context = new PolicySettledContext(input, active, now, onWrite, effects);
      const isMet = when === undefined || (conditions.get(when) ?? when(event, context, store));
      if (when) conditions.set(when, isMet);
      if (!isMet) continue;
      settled(event, judgement.ruling.fates[id] ?? "silent", context, store);
      if (hasSavepoint) db.exec("RELEASE policy");
    } catch (error) {
      if (hasSavepoint) db.exec("ROLLBACK TO policy; RELEASE policy");
      jobs.length = jobsBefore;
      written.length = writtenBefore;
      Object.assign(effects, { flags, hasExports });
      // The stores may remember rows that were undone.
      stores.clear();
      conditions.clear();
      errors.set(id, describe(error));
    }
    hasSavepoint = false;
  }
  return errors;
}
