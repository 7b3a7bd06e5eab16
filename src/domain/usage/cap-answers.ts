import { isObject, type Json } from "../../core/event.ts";
import { defineStore, type Table } from "../../core/store.ts";
import type { CapName, CapState } from "./caps.ts";

type State = {
  /** Caps of which the person was told that they are nearly spent. */
  readonly told?: readonly CapName[];
  /** Up to which part of a cap the person has agreed to go on. */
  readonly agreed?: Readonly<Partial<Record<CapName, number>>>;
  /** The call that the person was asked about last. */
  readonly asked?: { readonly useId: string; readonly cap: CapName; readonly ratio: number };
  readonly readAt?: number;
};

const NEARLY = 0.8;
/** A person who agrees is asked again after so much more of the cap. */
const STEP = 0.1;
const READ_EVERY_MS = 60_000;
const KEY = "state";

/** What a person was told and has answered about the caps of one session. */
export class CapAnswers {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** The cap that a person has to be asked about. */
  toAsk(states: readonly CapState[]): CapState | undefined {
    const { agreed = {} } = this.#state;
    return states.find(({ cap, ratio }) => ratio >= Math.max(1, agreed[cap] ?? 0));
  }

  /** The cap that a person has to be told about. */
  toTell(states: readonly CapState[]): CapState | undefined {
    const { told = [] } = this.#state;
    return states.find(({ cap, ratio }) => ratio >= NEARLY && ratio < 1 && !told.includes(cap));
  }

  markTold(cap: CapName): void {
    const { told = [] } = this.#state;
    if (!told.includes(cap)) this.#save({ told: [...told, cap] });
  }

  markAsked(useId: string, cap: CapName, ratio: number): void {
    this.#save({ asked: { useId, cap, ratio } });
  }

  /** The call ran, so if the person was asked about it, the answer was yes. */
  ran(useId: string): void {
    const { asked, agreed = {} } = this.#state;
    if (asked === undefined || asked.useId !== useId) return;
    const { asked: _answered, ...others } = this.#state;
    this.#table.set(KEY, { ...others, agreed: { ...agreed, [asked.cap]: asked.ratio + STEP } });
  }

  isReadingDue(now: number): boolean {
    const { readAt = 0 } = this.#state;
    // A clock that was set back would otherwise keep it from being read for as long.
    return now - readAt >= READ_EVERY_MS || now < readAt;
  }

  markReading(now: number): void {
    this.#save({ readAt: now });
  }

  get #state(): State {
    const row: Json | undefined = this.#table.get(KEY);
    return isObject(row) ? (row as unknown as State) : {};
  }

  #save(change: State): void {
    this.#table.set(KEY, { ...this.#state, ...change });
  }
}

export const capAnswers = defineStore({ name: "spend-cap", scope: "session", open: (table) => new CapAnswers(table) });
