import type { Json } from "../../core/event.ts";
import type { Table } from "../../core/store.ts";

/** A table whose writes are kept in memory: what a change would lead to can be seen while nothing may be written. */
export class DraftTable implements Table {
  readonly #table: Table;
  readonly #written = new Map<string, Json | undefined>();

  constructor(table: Table) {
    this.#table = table;
  }

  get(key: string): Json | undefined {
    return this.#written.has(key) ? this.#written.get(key) : this.#table.get(key);
  }

  keys(): string[] {
    const all = new Set([...this.#table.keys(), ...this.#written.keys()]);
    return [...all].filter((key) => this.get(key) !== undefined).sort();
  }

  isEmpty(): boolean {
    return this.#written.size === 0 ? this.#table.isEmpty() : this.keys().length === 0;
  }

  set(key: string, value: Json): void {
    this.#written.set(key, value);
  }

  delete(key: string): void {
    this.#written.set(key, undefined);
  }

  add(key: string, by: number): number {
    const before = this.get(key);
    const next = (typeof before === "number" ? before : 0) + by;
    this.set(key, next);
    return next;
  }
}
