import fs from "node:fs";
import path from "node:path";
import { describe } from "../../core/errors.ts";
import { checkpointBetweenEvents } from "../../state/checkpoint.ts";
import { Database } from "../../state/database.ts";
import { isCorrupt, isReadOnly } from "../../state/driver.ts";
import type { CachedRead } from "../../system/file-cache.ts";
import { setAside } from "../../system/set-aside.ts";

export interface OpenState {
  readonly db: Database;
  /** Why nothing can be recorded; empty when it can. */
  readonly unrecorded: string;
  /** That a damaged database was just replaced; otherwise empty. */
  readonly replaced: string;
}

/** The database of a home over the life of an engine; the file may be removed, replaced or damaged meanwhile. */
export interface StateFile {
  /** Opens the database at the first event, and again when its file was removed or replaced. */
  open(deadline: number): OpenState;
  /** Runs the work on the open database; if that fails, once more on a new connection, and at last in memory. */
  use<T>(deadline: number, work: (state: OpenState) => Promise<T>): Promise<T>;
  /** Told what kept an event from being recorded; the next one gets a new connection. */
  failed(error: unknown): void;
  /**
   * True when other processes can write and this one cannot. A connection that was opened read-only may outlive its end,
   * until its statements are collected as garbage, and makes every later one of the process read-only as well.
   */
  isStale(): boolean;
  close(): void;
}

const IN_MEMORY = ":memory:";

/** `isResident`: the process stays, and moves the write-ahead log into the database between events. */
export function stateFile(
  file: string,
  busyMs: (deadline: number) => number,
  isResident = false,
  cached?: CachedRead,
): StateFile {
  const checkpoints = isResident ? checkpointBetweenEvents() : undefined;
  let opened: { readonly db: Database; readonly files: FileNumbers } | undefined;
  let wasReadOnly = false;
  let damage: { readonly error: unknown; readonly inode: number | undefined } | undefined;

  function close(): void {
    checkpoints?.cancel();
    opened?.db.close();
    opened = undefined;
  }

  /** The cache may say that nothing has changed. Any other answer is checked on the disk. */
  function filesNow(): FileNumbers {
    const fresh = opened && cached?.("state", () => numbersOf(file));
    return opened && fresh && isSame(opened.files, fresh) ? fresh : numbersOf(file);
  }

  function open(deadline: number): OpenState {
    try {
      const files = filesNow();
      if (opened && isSame(opened.files, files)) {
        checkpoints?.afterEvent(opened.db);
        return { db: opened.db, unrecorded: "", replaced: "" };
      }
      // SQLite would make a new database in a file that was emptied, but not as long as anybody has it open.
      if (opened && files.data === opened.files.data && files.isEmpty && file !== IN_MEMORY) fs.rmSync(file);
      // Writes into a file that was removed or replaced would be lost without an error.
      close();
      const replaced = damage && setAside(file, damage.inode, damage.error);
      damage = undefined;
      const db = new Database(file, busyMs(deadline));
      checkpoints?.begin(db);
      opened = { db, files: numbersOf(file) };
      const recovered = replaced ?? db.recovered;
      return { db, unrecorded: "", replaced: recovered ? `${recovered.message} ${recovered.fix}` : "" };
    } catch (error) {
      return withoutFile(error);
    }
  }

  function failed(error: unknown): void {
    wasReadOnly ||= isReadOnly(error);
    close();
  }

  function isStale(): boolean {
    if (!wasReadOnly) return false;
    try {
      for (const place of [path.dirname(file), file]) fs.accessSync(place, fs.constants.W_OK);
      return true;
    } catch (error) {
      if (error instanceof Error && "code" in error) return false;
      throw error;
    }
  }

  async function use<T>(deadline: number, work: (state: OpenState) => Promise<T>): Promise<T> {
    const state = open(deadline);
    try {
      return await work(state);
    } catch (error) {
      // Another event of this process, or another process, may have met the damage first and replaced the file.
      if (opened?.db === state.db) {
        if (isCorrupt(error)) damage = { error, inode: opened.files.data };
        close();
      }
    }
    try {
      return await work(open(deadline));
    } catch (error) {
      return work(withoutFile(error));
    }
  }

  return { open, use, failed, isStale, close };
}

/** The decision is made on empty state, and the person learns that nothing is recorded. */
function withoutFile(error: unknown): OpenState {
  return { db: new Database(IN_MEMORY, 1), unrecorded: notRecorded(error), replaced: "" };
}

export function notRecorded(error: unknown): string {
  return `Hookwright decided, but could not record it: ${describe(error)}.`;
}

/** The inodes of the database and its log: a file that is open keeps its inode, so a new one in its place has another. */
interface FileNumbers {
  readonly data: number | undefined;
  readonly log: number | undefined;
  readonly isEmpty: boolean;
}

function numbersOf(file: string): FileNumbers {
  if (file === IN_MEMORY) return { data: undefined, log: undefined, isEmpty: false };
  const data = fs.statSync(file, { throwIfNoEntry: false });
  const log = fs.statSync(`${file}-wal`, { throwIfNoEntry: false });
  return { data: data?.ino, log: log?.ino, isEmpty: data?.size === 0 };
}

function isSame(before: FileNumbers, now: FileNumbers): boolean {
  return before.data === now.data && before.log === now.log && !now.isEmpty;
}
