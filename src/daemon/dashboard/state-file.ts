import fs from "node:fs";
import { Database } from "../../state/database.ts";

/** Long enough for the transaction of an event, short enough for somebody who waits for a page. */
const BUSY_MS = 1_000;

/** The database as the dashboard reads it: it may come later, and a damaged one is replaced while we run. */
export class StateFile {
  readonly #file: string;
  #version = 0;
  #open: { readonly db: Database; readonly inode: number } | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /** Changes whenever something may have been written. */
  get version(): number {
    return this.#version;
  }

  /** Undefined while nothing was recorded. What other processes wrote is seen from here on. */
  get current(): Database | undefined {
    const inode = fs.statSync(this.#file, { throwIfNoEntry: false })?.ino;
    if (inode !== this.#open?.inode) this.close();
    if (inode === undefined) return undefined;
    this.#open ??= { db: new Database(this.#file, BUSY_MS, false), inode };
    if (this.#open.db.refresh()) this.#version++;
    return this.#open.db;
  }

  close(): void {
    this.#open?.db.close();
    this.#open = undefined;
  }
}
