import { isObject } from "../../core/event.ts";
import { defineStore, type Table } from "../../core/store.ts";
import type { FailedCall } from "./failing-call.ts";

/** A call that failed so many times in a row in the same way. */
export interface Repeated extends FailedCall {
  readonly count: number;
}

/** The call that each agent of a session has failed with last. The main thread and every subagent count by themselves. */
export class FailingCalls {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  last(agentId: string): Repeated | undefined {
    const row = this.#table.isEmpty() ? undefined : this.#table.get(agentId);
    return isObject(row) ? (row as unknown as Repeated) : undefined;
  }

  /** How often the call has failed in this way, this time included. */
  countWith(agentId: string, failed: FailedCall): number {
    const last = this.last(agentId);
    return last?.call === failed.call && last.error === failed.error ? last.count + 1 : 1;
  }

  add(agentId: string, failed: FailedCall): void {
    this.#table.set(agentId, { ...failed, count: this.countWith(agentId, failed) });
  }

  forget(agentId: string): void {
    if (this.last(agentId) !== undefined) this.#table.delete(agentId);
  }

  forgetAll(): void {
    if (this.#table.isEmpty()) return;
    for (const agentId of this.#table.keys()) this.#table.delete(agentId);
  }
}

export const failingCalls = defineStore({
  name: "failing-calls",
  scope: "session",
  open: (table) => new FailingCalls(table),
});
