import { HookwrightError } from "../core/errors.ts";
import type { Json } from "../core/event.ts";
import type { StoreDefinition, Table } from "../core/store.ts";
import type { Database } from "./database.ts";

/** Which agent works in which session and project. */
export interface SessionRef {
  readonly agent: string;
  readonly session: string;
  readonly agentId: string;
  readonly project: string;
}

export function sessionScope({ agent, session }: SessionRef): string {
  return `session:${agent}:${session}`;
}

export function projectScope({ project }: SessionRef): string {
  return `project:${project}`;
}

/** The scope that all sessions of one person share, in whatever project. */
export const PERSON_SCOPE = "person";

/** The scope of what belongs to no session or project, such as files that several sessions share. */
export const HOME_SCOPE = "home";

const ONE = "SELECT value FROM entries WHERE scope = ? AND store = ? AND key = ?";

/** Rows of one store. Given `onWrite` it may be written, and every write is reported there; without it, it only reads. */
export function openTable(db: Database, scope: string, store: string, onWrite?: () => void): Table {
  return new Rows(db, scope, store, onWrite);
}

/** The store that a policy declares, in the scope that it declares. Undefined for a policy without one. */
export function openStore(
  definition: StoreDefinition<never> | undefined,
  db: Database,
  ref: SessionRef,
  onWrite?: (scope: string) => void,
): never {
  if (!definition) return undefined as never;
  const { scope: kind } = definition;
  const scope = kind === "session" ? sessionScope(ref) : kind === "project" ? projectScope(ref) : PERSON_SCOPE;
  return definition.open(new Rows(db, scope, definition.name, onWrite && (() => onWrite(scope))));
}

class Rows implements Table {
  readonly #db: Database;
  readonly #scope: string;
  readonly #store: string;
  readonly #onWrite: (() => void) | undefined;

  constructor(db: Database, scope: string, store: string, onWrite: (() => void) | undefined) {
    this.#db = db;
    this.#scope = scope;
    this.#store = store;
    this.#onWrite = onWrite;
  }

  get(key: string): Json | undefined {
    const row = this.#db.recall("entries", ONE, this.#scope, this.#store, key);
    return row ? (JSON.parse(String(row.value)) as Json) : undefined;
  }

  keys(): string[] {
    const sql = "SELECT key FROM entries WHERE scope = ? AND store = ? ORDER BY key";
    return this.#db.all(sql, this.#scope, this.#store).map((row) => String(row.key));
  }

  isEmpty(): boolean {
    const sql = "SELECT 1 AS is_used FROM entries WHERE scope = ? AND store = ? LIMIT 1";
    return this.#db.recall("entries", sql, this.#scope, this.#store) === undefined;
  }

  set(key: string, value: Json): void {
    const sql = "INSERT OR REPLACE INTO entries (scope, store, key, value) VALUES (?, ?, ?, ?)";
    this.#write(sql, key, JSON.stringify(value));
  }

  delete(key: string): void {
    this.#write("DELETE FROM entries WHERE scope = ? AND store = ? AND key = ?", key);
  }

  add(key: string, by: number): number {
    const before = this.get(key);
    const next = (typeof before === "number" ? before : 0) + by;
    this.set(key, next);
    return next;
  }

  #write(sql: string, ...values: string[]): void {
    if (!this.#onWrite) throw new HookwrightError("HW_STORE_READ_ONLY", { store: this.#store });
    this.#onWrite();
    this.#db.run(sql, this.#scope, this.#store, ...values);
  }
}
