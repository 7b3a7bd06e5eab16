import type { Json } from "./event.ts";

/** Rows of one store in one scope. Writes work only while an event is being settled. */
export interface Table {
  get(key: string): Json | undefined;
  keys(): string[];
  /** Asked where most stores have nothing in them, before anything else is looked up. */
  isEmpty(): boolean;
  set(key: string, value: Json): void;
  delete(key: string): void;
  /** Atomic; returns the new value. */
  add(key: string, by: number): number;
}

/**
 * `session`: one agent session. `project`: everyone who works in the same project root. `person`: everything there is;
 * to be read only while settling, because a decision is not made again when somebody else changes it.
 */
export type StoreScope = "session" | "project" | "person";

/** The outside as a store may see it before an event is decided. */
export interface Outlook {
  readonly session: string;
  readonly cwd: string;
  readonly project: string;
  readonly userHome: string;
  env(name: string): string | undefined;
  now(): number;
  list(folder: string): readonly string[] | undefined;
  isAlive(pid: number): boolean;
  isThere(file: string): boolean;
  /** What became of a file since we wrote or read it. A write of ours that is still open makes it `same`. */
  fate(file: string): FileFate;
}

export type FileFate =
  | { readonly kind: "same" }
  | { readonly kind: "gone" }
  | { readonly kind: "changed"; readonly text: string };

/** What writing in `sync` may do beside the store itself. */
export interface Import {
  readonly table: Table;
  /** The file counts as read, as it is now. */
  adopt(file: string): void;
  /** Writes a file that others read, after the commit. */
  write(file: string, text: string): void;
}

export interface StoreDefinition<S> {
  readonly name: string;
  readonly scope: StoreScope;
  open(table: Table): S;
  /**
   * Called before an event is decided, so that what others changed in our files is known by then. Returns what there is
   * to write, if anything; it is asked once more when the write lock is held.
   */
  sync?(table: Table, look: Outlook): ((to: Import) => void) | undefined;
}

export function defineStore<S>(definition: StoreDefinition<S>): StoreDefinition<S> {
  return definition;
}
