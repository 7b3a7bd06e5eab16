import { CHANGES, type Change, type ChangeKind } from "./compare.ts";
import type { NotReplayable } from "./decide-again.ts";
import { AFTERWARDS, type Afterwards } from "./recorded-event.ts";
import type { Replayed } from "./replay.ts";

const MOST_SAMPLES = 3;

/** One difference, as `replay --json` prints it. Scripts rely on these names. */
export interface Difference {
  readonly id: number;
  readonly at: string;
  readonly session: string;
  readonly event: string;
  readonly agentEvent: string;
  readonly subject: string;
  readonly change: ChangeKind;
  readonly policy: string;
  readonly was: Change["was"];
  readonly now: Change["now"];
  readonly afterwards: Afterwards;
}

export interface PolicyTally {
  readonly policy: string;
  readonly counts: Record<ChangeKind, number>;
  /** What became of these events then. */
  readonly afterwards: Record<Afterwards, number>;
  readonly samples: Difference[];
}

/** The last line of `replay --json`. */
export interface Summary {
  readonly replayed: number;
  readonly undecidable: number;
  readonly notReplayable: number;
  readonly newlyDenied: number;
  readonly newlyAsked: number;
  readonly newlyAllowed: number;
  readonly newlyHeld: number;
  readonly changedContext: number;
  /** Why events could not be replayed, and of what kind the facts are that were missing. */
  readonly reasons: Readonly<Record<string, number>>;
  readonly missing: Readonly<Record<string, number>>;
  readonly policies: readonly PolicyTally[];
}

/** Counts what a replay came to, in memory that does not grow with the number of events. */
export class Tally {
  #replayed = 0;
  #undecidable = 0;
  readonly #reasons: Partial<Record<NotReplayable, number>> = {};
  readonly #missing: Record<string, number> = {};
  readonly #policies = new Map<string, PolicyTally>();

  /** Counts one event; `describe` is called for a difference. */
  add({ again, change }: Replayed, describe: (change: Change) => Difference): Difference | undefined {
    if (again.kind === "not-replayable") {
      this.#reasons[again.why] = (this.#reasons[again.why] ?? 0) + 1;
      return undefined;
    }
    if (again.kind === "undecidable") {
      this.#undecidable += 1;
      for (const kind of new Set(again.missing.map(kindOf))) this.#missing[kind] = (this.#missing[kind] ?? 0) + 1;
      return undefined;
    }
    this.#replayed += 1;
    if (!change) return undefined;
    const difference = describe(change);
    const of = this.#of(change.policy);
    of.counts[change.kind] += 1;
    of.afterwards[difference.afterwards] += 1;
    if (of.samples.filter((one) => one.change === change.kind).length < MOST_SAMPLES) of.samples.push(difference);
    return difference;
  }

  #of(policy: string): PolicyTally {
    const known = this.#policies.get(policy) ?? {
      policy,
      counts: zeros(CHANGES),
      afterwards: zeros(AFTERWARDS),
      samples: [],
    };
    this.#policies.set(policy, known);
    return known;
  }

  summary(): Summary {
    const policies = [...this.#policies.values()].sort((a, b) => total(b) - total(a) || (a.policy < b.policy ? -1 : 1));
    const all = (kind: ChangeKind): number => policies.reduce((sum, { counts }) => sum + counts[kind], 0);
    return {
      replayed: this.#replayed,
      undecidable: this.#undecidable,
      notReplayable: Object.values(this.#reasons).reduce((sum, count) => sum + count, 0),
      newlyDenied: all("denied"),
      newlyAsked: all("asked"),
      newlyAllowed: all("allowed"),
      newlyHeld: all("held"),
      changedContext: all("context"),
      reasons: this.#reasons,
      missing: this.#missing,
      policies,
    };
  }
}

function zeros<K extends string>(names: readonly K[]): Record<K, number> {
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<K, number>;
}

function total({ counts }: PolicyTally): number {
  return CHANGES.reduce((sum, kind) => sum + counts[kind], 0);
}

/** `info` of `info:/home/me/app/.git`: the names themselves would be too many. */
function kindOf(name: string): string {
  return name.split(":", 1)[0] ?? name;
}
