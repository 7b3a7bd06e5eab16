import type { Json } from "./event.ts";
import type { FileInfo } from "./ports.ts";

/** Rows of one store in one scope. Writes work only while an event is being settled. */
export interface Table {
  get(key: string): Json | undefined;
  keys(): string[];
  /** Asked first, because most stores are empty. */
  isEmpty(): boolean;
  set(key: string, value: Json): void;
  delete(key: string): void;
  /** Atomic; returns the new value. */
  add(key: string, by: number): number;
}

/**
 * `session`: one agent session. `project`: all sessions in the same project root. `person`: all sessions; it may be
 * read only while settling, because a decision is not made again when another session changes it.
 */
export type StoreScope = "session" | "project" | "person";

/** What a store may read of the outside before an event is decided. */
export interface OutsideReads {
  readonly session: string;
  readonly cwd: string;
  readonly project: string;
  readonly userHome: string;
  env(name: string): string | undefined;
  now(): number;
  list(folder: string): readonly string[] | undefined;
  isAlive(pid: number): boolean;
  /** Undefined when there is nothing. A link is not followed. */
  info(file: string): FileInfo | undefined;
  /** Whether others changed a file since we wrote or read it. It is `same` while a write of ours is pending. */
  fate(file: string): FileFate;
}

export type FileFate =
  | { readonly kind: "same" }
  | { readonly kind: "gone" }
  | { readonly kind: "changed"; readonly text: string };

/** What an import of `sync` may do. */
export interface Import {
  readonly table: Table;
  /** Marks the file as imported, as it is now. */
  adopt(file: string): void;
  /** Writes a file that others read, after the commit. */
  write(file: string, text: string): void;
  /** Removes it, after the commit. */
  remove(file: string): void;
  /** Ends the swarm on the project's task board. Returns what went wrong, in words; empty when nothing did. */
  endBoard(): string;
}

export interface StoreDefinition<S> {
  readonly name: string;
  readonly scope: StoreScope;
  open(table: Table): S;
  /**
   * Called before an event is decided, to import what others changed in our files. Returns the function that writes the
   * import, if there is any; it is asked once more when the write lock is held.
   */
  sync?(table: Table, look: OutsideReads): ((to: Import) => void) | undefined;
}

export function defineStore<S>(definition: StoreDefinition<S>): StoreDefinition<S> {
  return definition;
}
