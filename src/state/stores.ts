import { HookwrightError } from "../core/errors.ts";
import type { Json } from "../core/event.ts";
import type { Table } from "../core/store.ts";
import type { Database } from "./database.ts";

const ONE = "SELECT value FROM entries WHERE scope = ? AND store = ? AND key = ?";

/** Rows of one store. Given `onWrite` it may be written, and every write is reported there; without it, it only reads. */
export function openTable(db: Database, scope: string, store: string, onWrite?: () => void): Table {
  const write = (sql: string, ...values: string[]): void => {
    if (!onWrite) throw new HookwrightError("HW_STORE_READ_ONLY", { store });
    onWrite();
    db.run(sql, scope, store, ...values);
  };
  const get = (key: string): Json | undefined => {
    const row = db.recall("entries", ONE, scope, store, key);
    return row ? (JSON.parse(String(row.value)) as Json) : undefined;
  };
  const set = (key: string, value: Json): void =>
    write("INSERT OR REPLACE INTO entries (scope, store, key, value) VALUES (?, ?, ?, ?)", key, JSON.stringify(value));
  return {
    get,
    set,
    keys: () =>
      db
        .all("SELECT key FROM entries WHERE scope = ? AND store = ? ORDER BY key", scope, store)
        .map((row) => String(row.key)),
    delete: (key) => write("DELETE FROM entries WHERE scope = ? AND store = ? AND key = ?", key),
    add(key, by) {
      const before = get(key);
      const next = (typeof before === "number" ? before : 0) + by;
      set(key, next);
      return next;
    },
  };
}
