import type { Json } from "./event.ts";

/** Rows of one store in one scope. Writes work only while an event is being settled. */
export interface Table {
  get(key: string): Json | undefined;
  keys(): string[];
  set(key: string, value: Json): void;
  delete(key: string): void;
  /** Atomic; returns the new value. */
  add(key: string, by: number): number;
}

/** `session`: one agent session. `project`: everyone who works in the same project root. */
export type StoreScope = "session" | "project";

export interface StoreDefinition<S> {
  readonly name: string;
  readonly scope: StoreScope;
  open(table: Table): S;
}

export function defineStore<S>(definition: StoreDefinition<S>): StoreDefinition<S> {
  return definition;
}
