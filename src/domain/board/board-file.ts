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

/** SQLite looks for the lock less and less often; who begins anew after this time has the same chance as the others. */
const FAIR_MS = 128;
const RETRY_MS = 2;

/**
 * The database of a board: one connection with its statements prepared once, thrown away after SQLITE_BUSY, because a
 * libsql statement that was prepared around a BUSY can acknowledge writes that never arrive.
 */
export class BoardFile {
  readonly file: string;
  readonly #busyMs: number;
  readonly #inode: number | undefined;
  #connection: Connection | undefined;
  #statements = new Map<string, Statement>();

  /** The file must exist, be it empty. */
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

  /** The write lock is taken at the start, so what is read in here is still true when it is written. */
  transaction<T>(work: () => T): T {
    this.retried(() => this.#prepared("BEGIN IMMEDIATE").run());
    try {
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

  /** For reads, and for statements that cannot be in a transaction: what meets a lock is done again. */
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

  /** What is written to a file without a name, or to one that was replaced, nobody would ever see. */
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
      // A full disk makes SQLite roll back by itself; whatever else is wrong ends with the connection.
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

function inodeOf(file: string): number | undefined {
  return fs.statSync(file, { throwIfNoEntry: false })?.ino;
}
