import fs from "node:fs";
import path from "node:path";
import { describe, type HookwrightError } from "../core/errors.ts";
import { makeFolder } from "../system/make-folder.ts";
import { setAside } from "../system/set-aside.ts";
import { type Connection, isBusy, isCorrupt, openConnection, type Row, type Statement, type Value } from "./driver.ts";
import { start } from "./migrations/0001-start.ts";
import { sealedReplies } from "./migrations/0002-sealed-replies.ts";
import { exportStamps } from "./migrations/0003-exports.ts";
import { lines } from "./migrations/0004-lines.ts";
import { silentPolicies } from "./migrations/0005-silent-policies.ts";
import { jobHolders } from "./migrations/0006-job-holders.ts";
import { calls } from "./migrations/0007-calls.ts";
import { refusedCalls } from "./migrations/0008-refused-calls.ts";
import { origins } from "./migrations/0009-origins.ts";
import { falseAlarms } from "./migrations/0010-false-alarms.ts";
import { permissionRequests } from "./migrations/0011-permission-requests.ts";
import { journalIdentity } from "./migrations/0012-journal-identity.ts";

const MIGRATIONS: readonly string[] = [
  start,
  sealedReplies,
  exportStamps,
  lines,
  silentPolicies,
  jobHolders,
  calls,
  refusedCalls,
  origins,
  falseAlarms,
  permissionRequests,
  journalIdentity,
];

/** The caches of rows, and the tables and columns whose change outdates each of them. */
const RECALLED = {
  entries: /\bentries\b/,
  mirrors: /\bmirrors\b/,
  heads: /\b(?:revisions|outbox|flags|via|last_at)\b/,
  exports: /\b(?:mirrors|appends|lines)\b/,
  silent: /\bsilent_lists\b/,
  origins: /\borigins\b/,
  jobs: /\bjobs\b/,
};
type Recalled = keyof typeof RECALLED;
const KINDS = Object.keys(RECALLED) as Recalled[];

interface Prepared {
  readonly statement: Statement;
  /** The caches that are outdated once this statement has run. */
  readonly outdates: readonly Recalled[];
}
const KEEPS_ROWS = /^(?:SAVEPOINT|RELEASE|COMMIT)\b/;
const MOST_RECALLED = 4000;
const DATA_VERSION = "PRAGMA data_version";
/**
 * SQLite tries the lock again after 1, 2, 5 ms and so on, and after this time only every 50 or 100 ms. Under contention
 * the newest waiter would always win, so every waiter starts over after this time.
 */
const FAIR_MS = 128;

/**
 * One connection with its statements prepared once. After SQLITE_BUSY the connection is thrown away: with libsql a
 * statement prepared around a BUSY can acknowledge writes that never arrive.
 */
export class Database {
  readonly file: string;
  /** Set when a damaged database was moved aside while opening. */
  readonly recovered: HookwrightError | undefined;
  #connection: Connection;
  #statements = new Map<string, Prepared>();
  /** Cached rows; see `recall`. */
  readonly #recalled = Object.fromEntries(KINDS.map((kind) => [kind, new Map()])) as Record<
    Recalled,
    Map<string, Row | undefined>
  >;
  #version: Value = null;
  #generation = 0;
  readonly #busyMs: number;

  /** `mayReplace`: a damaged file is moved aside. Only for callers that can tell the person about it. */
  constructor(file: string, busyMs: number, mayReplace = true) {
    this.file = file;
    this.#busyMs = busyMs;
    makeFolder(path.dirname(file), 0o700);
    const found = mayReplace ? fs.statSync(file, { throwIfNoEntry: false })?.ino : undefined;
    try {
      this.#connection = connect(file, busyMs);
    } catch (error) {
      if (!mayReplace || !isCorrupt(error)) throw error;
      this.recovered = setAside(file, found, error);
      this.#connection = connect(file, busyMs);
    }
  }

  get(sql: string, ...values: Value[]): Row | undefined {
    return this.#prepared(sql).statement.get(...values);
  }

  /** Counts the changes that outdate heads. While it stays the same, the snapshot of a decision is still valid. */
  get generation(): number {
    return this.#generation;
  }

  /**
   * As `get`, but from the cache if nothing was written since. Other processes write too, so a cached row is as old as
   * the last `refresh`. A decision recalls a head first, and compares the generation before it is recorded.
   */
  recall(kind: Recalled, sql: string, ...values: string[]): Row | undefined {
    const rows = this.#recalled[kind];
    const key = values.length === 1 ? (values[0] as string) : values.join("\0");
    const known = rows.get(key);
    if (known !== undefined || rows.has(key)) return known;
    // A head dates all other cached rows, so it is read again until no other process has written meanwhile.
    if (kind === "heads" && this.#version === null) this.refresh();
    let row = this.get(sql, ...values);
    while (kind === "heads" && this.refresh()) row = this.get(sql, ...values);
    if (rows.size >= MOST_RECALLED) rows.clear();
    rows.set(key, row);
    return row;
  }

  #forget(kinds: readonly Recalled[] = KINDS): void {
    for (const kind of kinds) {
      // Replaced instead of cleared: V8 keeps the old table of a cleared map alive.
      if (this.#recalled[kind].size > 0) this.#recalled[kind] = new Map();
      if (kind === "heads") this.#generation += 1;
    }
  }

  /** Drops the caches if another connection has written; true if so. */
  refresh(): boolean {
    const version = firstOf(this.#prepared(DATA_VERSION).statement.get());
    const isNew = version !== this.#version;
    if (isNew) this.#forget();
    this.#version = version;
    return isNew;
  }

  all(sql: string, ...values: Value[]): Row[] {
    return this.#prepared(sql).statement.all(...values);
  }

  run(sql: string, ...values: Value[]): number {
    const { statement, outdates } = this.#prepared(sql);
    if (outdates.length > 0) this.#forget(outdates);
    try {
      return Number(statement.run(...values).changes);
    } catch (error) {
      if (isBusy(error)) this.#reopen();
      throw error;
    }
  }

  /** Returns the id of the new row. */
  insert(sql: string, ...values: Value[]): number {
    const { statement, outdates } = this.#prepared(sql);
    if (outdates.length > 0) this.#forget(outdates);
    return Number(statement.run(...values).lastInsertRowid);
  }

  exec(sql: string): void {
    if (!KEEPS_ROWS.test(sql)) this.#forget();
    this.#connection.exec(sql);
  }

  /**
   * The write lock is taken at the start, so no other process can write between a read and a write in here.
   * Returns undefined when another writer kept the lock for longer than the connection may wait.
   */
  transaction<T>(work: () => T): { readonly value: T } | undefined {
    if (!this.begin()) return undefined;
    try {
      const value = work();
      this.#prepared("COMMIT").statement.run();
      return { value };
    } catch (error) {
      this.rollBack();
      throw error;
    }
  }

  /** False when another writer kept the lock for too long. */
  begin(): boolean {
    for (const end = Date.now() + this.#busyMs; ; ) {
      try {
        this.#prepared("BEGIN IMMEDIATE").statement.run();
        this.refresh();
        return true;
      } catch (error) {
        if (!isBusy(error)) throw error;
        this.#reopen();
        if (Date.now() >= end) return false;
      }
    }
  }

  rollBack(): void {
    this.#forget();
    try {
      this.#connection.exec("ROLLBACK");
    } catch (error) {
      // A full disk makes SQLite roll back by itself; then there is nothing left to undo.
      if (!/no transaction is active/.test(describe(error))) throw error;
    }
  }

  close(): void {
    this.#statements.clear();
    this.#forget();
    this.#version = null;
    this.#connection.close();
  }

  #prepared(sql: string): Prepared {
    let prepared = this.#statements.get(sql);
    if (!prepared) {
      const statement = this.#connection.prepare(sql);
      // Run at every event; a list of one number is cheaper than an object.
      if (sql === DATA_VERSION) statement.setReturnArrays?.(true);
      prepared = {
        statement,
        outdates: KINDS.filter((kind) => RECALLED[kind].test(sql)),
      };
      this.#statements.set(sql, prepared);
    }
    return prepared;
  }

  #reopen(): void {
    this.close();
    this.#connection = connect(this.file, this.#busyMs);
  }
}

/** Only some drivers return lists. */
function firstOf(row: Row | Value[] | undefined): Value {
  return (Array.isArray(row) ? row[0] : row?.data_version) ?? null;
}

function connect(file: string, busyMs: number): Connection {
  // Switching a fresh file to WAL answers BUSY at once instead of waiting, so the waiting is done here.
  for (const end = Date.now() + busyMs; ; ) {
    try {
      return tryConnect(file, busyMs);
    } catch (error) {
      if (!isBusy(error) || Date.now() >= end) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
}

function tryConnect(file: string, busyMs: number): Connection {
  const connection = openConnection(file);
  try {
    const patience = Math.min(Math.max(1, Math.round(busyMs)), FAIR_MS);
    connection.exec(`PRAGMA busy_timeout = ${patience}; PRAGMA synchronous = NORMAL;`);
    if (schemaVersion(connection) < MIGRATIONS.length) migrate(connection, file);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

function schemaVersion(connection: Connection): number {
  return Number(connection.prepare("PRAGMA user_version").get()?.user_version ?? 0);
}

function migrate(connection: Connection, file: string): void {
  if (file !== ":memory:") fs.chmodSync(file, 0o600);
  // Set before the first table is made: later it would have no effect, and freed pages would stay in the file.
  if (schemaVersion(connection) === 0) connection.exec("PRAGMA auto_vacuum = INCREMENTAL");
  connection.exec("PRAGMA journal_mode = WAL");
  connection.exec("BEGIN IMMEDIATE");
  // Another process may have migrated while this one waited for the lock.
  for (let version = schemaVersion(connection); version < MIGRATIONS.length; version++) {
    connection.exec(MIGRATIONS[version] ?? "");
    connection.exec(`PRAGMA user_version = ${version + 1}`);
  }
  connection.exec("COMMIT");
}
