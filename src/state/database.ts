import fs from "node:fs";
import path from "node:path";
import { describe, type HookwrightError } from "../core/errors.ts";
import { type Connection, isBusy, isCorrupt, openConnection, type Row, type Statement, type Value } from "./driver.ts";
import { start } from "./migrations/0001-start.ts";
import { sealedReplies } from "./migrations/0002-sealed-replies.ts";
import { exportStamps } from "./migrations/0003-exports.ts";
import { lines } from "./migrations/0004-lines.ts";
import { setAside } from "./set-aside.ts";

const MIGRATIONS: readonly string[] = [start, sealedReplies, exportStamps, lines];

/** Tables whose rows are recalled, each by one statement. */
type Recalled = "entries" | "mirrors";
const RECALLED = /\b(?:entries|mirrors)\b/;
const KEEPS_ROWS = /^(?:SAVEPOINT|RELEASE|COMMIT)\b/;
const MOST_RECALLED = 4000;

/**
 * One connection with its statements prepared once. After SQLITE_BUSY the connection is thrown away: with libsql a
 * statement prepared around a BUSY can acknowledge writes that never arrive.
 */
export class Database {
  readonly file: string;
  /** Set when a damaged database was moved aside while opening. */
  readonly recovered: HookwrightError | undefined;
  #connection: Connection;
  #statements = new Map<string, Statement>();
  /** Rows of each table that were read before and have not changed since; see `recall`. */
  readonly #recalled = { entries: new Map<string, Row | undefined>(), mirrors: new Map<string, Row | undefined>() };
  #version: Value = null;
  readonly #busyMs: number;

  /** `mayReplace`: a damaged file is moved aside. Only who can tell the person about it should. */
  constructor(file: string, busyMs: number, mayReplace = true) {
    this.file = file;
    this.#busyMs = busyMs;
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
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
    return this.#statement(sql).get(...values);
  }

  /**
   * As `get`, but from memory where nothing was written since. Others write too: a row is as old as the last `refresh`,
   * so whoever decides by it refreshes after reading the revision that is compared at the end.
   */
  recall(table: Recalled, sql: string, ...values: string[]): Row | undefined {
    const rows = this.#recalled[table];
    const key = values.join("\0");
    if (rows.has(key)) return rows.get(key);
    const row = this.get(sql, ...values);
    if (rows.size >= MOST_RECALLED) rows.clear();
    rows.set(key, row);
    return row;
  }

  #forget(): void {
    this.#recalled.entries.clear();
    this.#recalled.mirrors.clear();
  }

  /** Forgets what other connections may have changed. */
  refresh(): void {
    const version = this.#statement("PRAGMA data_version").get()?.data_version ?? null;
    if (version !== this.#version) this.#forget();
    this.#version = version;
  }

  all(sql: string, ...values: Value[]): Row[] {
    return this.#statement(sql).all(...values);
  }

  run(sql: string, ...values: Value[]): number {
    const [table] = RECALLED.exec(sql) ?? [];
    if (table) this.#recalled[table as Recalled].clear();
    try {
      return Number(this.#statement(sql).run(...values).changes);
    } catch (error) {
      if (isBusy(error)) this.#reopen();
      throw error;
    }
  }

  /** Returns the id of the new row. */
  insert(sql: string, ...values: Value[]): number {
    return Number(this.#statement(sql).run(...values).lastInsertRowid);
  }

  exec(sql: string): void {
    if (!KEEPS_ROWS.test(sql)) this.#forget();
    this.#connection.exec(sql);
  }

  /**
   * The write lock is taken at the start, so a read in here cannot be out of date by the write.
   * Returns undefined when another writer kept the lock for longer than the connection may wait.
   */
  transaction<T>(work: () => T): { readonly value: T } | undefined {
    if (!this.begin()) return undefined;
    try {
      const value = work();
      this.#statement("COMMIT").run();
      return { value };
    } catch (error) {
      this.rollBack();
      throw error;
    }
  }

  /** False when another writer kept the lock for too long. */
  begin(): boolean {
    try {
      this.#statement("BEGIN IMMEDIATE").run();
      this.refresh();
      return true;
    } catch (error) {
      if (!isBusy(error)) throw error;
      this.#reopen();
      return false;
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

  #statement(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#connection.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #reopen(): void {
    this.close();
    this.#connection = connect(this.file, this.#busyMs);
  }
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
    connection.exec(`PRAGMA busy_timeout = ${Math.max(1, Math.round(busyMs))}; PRAGMA synchronous = NORMAL;`);
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
  // Before the first table, or pages freed by the clean-up could never be given back.
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
