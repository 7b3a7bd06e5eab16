import { HookwrightError } from "../core/errors.ts";
import type { Json } from "../core/event.ts";
import type { Table } from "../core/store.ts";
import type { Database } from "./database.ts";

const ONE = "SELECT value FROM entries WHERE scope = ? AND store = ? AND key = ?";

/** Rows of one store. Given `onWrite` it may be written, and every write is reported there; without it, it only reads. */
export function openTable(db: Database, scope: string, store: string, onWrite?: () => void): Table {
  return new Rows(db, scope, store, onWrite);
}

/** A class, because every event opens several and most of them are asked one question. */
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
