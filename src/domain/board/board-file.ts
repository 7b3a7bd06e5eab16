import fs from "node:fs";
import { describe, HookwrightError } from "../../core/errors.ts";
import {
  type Connection,
  isBusy,
  isCorrupt,
  openConnection,
  type Row,
  type Statement,
  type Value,
} from "../../state/driver.ts";
import { BOARD_VERSION } from "./schema.ts";

/** SQLite retries a lock less and less often; a wait that starts again after this time has a fair chance to get it. */
const FAIR_MS = 128;
const RETRY_MS = 2;

/**
 * The database of a board: one connection with its statements prepared once. It is closed after SQLITE_BUSY, because a
 * libsql statement that was prepared around a BUSY can acknowledge writes that are then lost.
 */
export class BoardFile {
  readonly file: string;
  readonly #busyMs: number;
  readonly #inode: number | undefined;
  #connection: Connection | undefined;
  #statements = new Map<string, Statement>();

  /** The file must exist; it may be empty. */
  constructor(file: string, busyMs: number) {
    this.file = file;
    this.#busyMs = busyMs;
    this.#inode = inodeOf(file);
  }

  get(sql: string, ...values: Value[]): Row | undefined {
    return this.#prepared(sql).get(...values);
  }

  all(sql: string, ...values: Value[]): Row[] {
    return this.#prepared(sql).all(...values);
  }

  run(sql: string, ...values: Value[]): number {
    return Number(this.#prepared(sql).run(...values).changes);
  }

  exec(sql: string): void {
    this.#open().exec(sql);
  }

  /** Takes the write lock at the start, so that values read inside are still valid when the transaction writes. */
  transaction<T>(work: () => T): T {
    this.retried(() => this.#prepared("BEGIN IMMEDIATE").run());
    try {
      // The file may have been replaced while this connection waited for the lock.
      this.#assertSameFile();
      const value = work();
      this.#prepared("COMMIT").run();
      return value;
    } catch (error) {
      this.#rollBack();
      if (isBusy(error)) this.close();
      throw this.#explained(error);
    }
  }

  close(): void {
    this.#statements.clear();
    this.#connection?.close();
    this.#connection = undefined;
  }

  /** Retries while the database is locked. For reads, and for statements that cannot be in a transaction. */
  retried<T>(work: () => T): T {
    for (const end = Date.now() + this.#busyMs; ; ) {
      this.#assertSameFile();
      try {
        return work();
      } catch (error) {
        if (!isBusy(error)) throw this.#explained(error);
        this.close();
        if (Date.now() >= end) throw this.#explained(error);
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
      }
    }
  }

  /** Fails when the file was deleted or replaced: writes to the old file would be lost. */
  #assertSameFile(): void {
    if (this.#inode !== undefined && inodeOf(this.file) === this.#inode) return;
    throw new HookwrightError("HW_SWARM_REPLACED", { file: this.file });
  }

  #prepared(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#open().prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #open(): Connection {
    if (this.#connection) return this.#connection;
    const connection = openConnection(this.file);
    try {
      connection.exec(`PRAGMA busy_timeout = ${Math.min(this.#busyMs, FAIR_MS)}; PRAGMA synchronous = NORMAL;`);
    } catch (error) {
      connection.close();
      throw error;
    }
    this.#connection = connection;
    return connection;
  }

  #rollBack(): void {
    try {
      this.#open().exec("ROLLBACK");
    } catch (error) {
      // With a full disk SQLite has already rolled back; after any other error the connection is closed.
      if (!/no transaction is active/.test(describe(error))) this.close();
    }
  }

  #explained(error: unknown): unknown {
    if (error instanceof HookwrightError || !(error instanceof Error)) return error;
    const { file } = this;
    if (isBusy(error)) return new HookwrightError("HW_SWARM_BUSY", { file, seconds: this.#busyMs / 1_000 }, error);
    if (isCorrupt(error)) return new HookwrightError("HW_SWARM_DAMAGED", { file, detail: error.message }, error);
    const isOfDatabase = "code" in error && /SQLITE/.test(String(error.code));
    return isOfDatabase ? new HookwrightError("HW_WRITE_FAILED", { file, detail: error.message }, error) : error;
  }
}

/** False for a file that is empty, or that only the other system has written. */
export function isBoard(db: BoardFile): boolean {
  return db.retried(() => versionOf(db)) >= BOARD_VERSION;
}

export function versionOf(db: BoardFile): number {
  return Number(db.get("PRAGMA user_version")?.user_version);
}

function inodeOf(file: string): number | undefined {
  return fs.statSync(file, { throwIfNoEntry: false })?.ino;
}
