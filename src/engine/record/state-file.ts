import fs from "node:fs";
import path from "node:path";
import { describe } from "../../core/errors.ts";
import { tidyBetweenEvents } from "../../state/checkpoint.ts";
import { Database } from "../../state/database.ts";
import { isCorrupt, isReadOnly } from "../../state/driver.ts";
import { type Folder, type Folders, LOOK_YOURSELF, type Seen } from "../../system/folders.ts";
import { type Glance, lookAlways } from "../../system/glances.ts";
import { setAside } from "../../system/set-aside.ts";

export interface OpenState {
  readonly db: Database;
  /** Why nothing can be recorded; empty when it can. */
  readonly unrecorded: string;
  /** That a damaged database was just replaced; otherwise empty. */
  readonly replaced: string;
}

/** The database of a home over the life of an engine, whatever happens to the file meanwhile. */
export interface StateFile {
  /** Opened at the first event, and again when another file, or none, lies where the opened one lay. */
  open(deadline: number): OpenState;
  /** Does the work with the open database; where that fails, once more with a fresh one, and at last without any. */
  use<T>(deadline: number, work: (state: OpenState) => Promise<T>): Promise<T>;
  /** Told what kept an event from being recorded; the next one gets a new connection. */
  failed(error: unknown): void;
  /**
   * Could others write again what this process cannot? A connection that was opened read-only may live on after its end,
   * until its statements are collected as garbage, and makes every later one of the process read-only as well.
   */
  isStale(): boolean;
  close(): void;
}

export interface WhenLocked {
  /** Told that others kept an event from being recorded. What it returns is said instead of that it is lost. */
  onLocked?(): string | undefined;
}

const IN_MEMORY = ":memory:";

/**
 * `isResident`: whoever has it open stays, and finds a better time to tidy up than in the middle of an event.
 * `usual`: looked at in place of a database in memory, so that who rehearses looks as everybody does.
 */
export function stateFile(
  file: string,
  busyMs: (deadline: number) => number,
  isResident = false,
  glance: Glance = lookAlways,
  folders: Folders = LOOK_YOURSELF,
  usual = file,
): StateFile {
  const place = file === IN_MEMORY ? usual : file;
  const folder = folders.at(path.dirname(place));
  const tidy = isResident ? tidyBetweenEvents() : undefined;
  let opened: { readonly db: Database; look: Look } | undefined;
  let wasReadOnly = false;
  let damage: { readonly error: unknown; readonly inode: number | undefined } | undefined;

  function close(): void {
    tidy?.cancel();
    opened?.db.close();
    opened = undefined;
  }

  /** A glance is enough to see that nothing has changed, and for nothing else. */
  function lookAgain(): Look {
    const glanced = opened && glance("state", () => lookAt(place, folder, opened?.look));
    return opened && glanced && isSame(opened.look, glanced) ? glanced : lookAt(place, folder);
  }

  function open(deadline: number): OpenState {
    try {
      const look = lookAgain();
      if (opened && isSame(opened.look, look)) {
        opened.look = look;
        tidy?.afterEvent(opened.db);
        return { db: opened.db, unrecorded: "", replaced: "" };
      }
      // SQLite would make a new database in a file that was emptied, but not as long as anybody has it open.
      if (opened && look.data === opened.look.data && look.isEmpty && file !== IN_MEMORY) fs.rmSync(file);
      // What is written into a file that was removed or replaced is lost without a word.
      close();
      const replaced = damage && setAside(file, damage.inode, damage.error);
      damage = undefined;
      const db = new Database(file, busyMs(deadline));
      tidy?.begin(db);
      opened = { db, look: lookAt(place, folder) };
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
        if (isCorrupt(error)) damage = { error, inode: opened.look.data };
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

/** A decision is still due. It is made on empty state, and the person learns that nothing is recorded. */
function withoutFile(error: unknown): OpenState {
  return { db: new Database(IN_MEMORY, 1), unrecorded: notRecorded(error), replaced: "" };
}

export function notRecorded(error: unknown): string {
  return `Hookwright decided, but could not record it: ${describe(error)}.`;
}

/** Files by their numbers: one that is still open keeps its own, so that a new one in its place has another. */
interface Look {
  readonly data: number | undefined;
  readonly log: number | undefined;
  readonly isEmpty: boolean;
  /** As it was before the files were looked at. */
  readonly folder: Seen | undefined;
}

function lookAt(file: string, at: Folder, before?: Look): Look {
  const folder = at.see();
  const data = fs.statSync(file, { throwIfNoEntry: false });
  // In a folder where nothing came or went it is the same one.
  const isSameLog = before?.folder !== undefined && before.folder === folder;
  const log = isSameLog ? before.log : fs.statSync(`${file}-wal`, { throwIfNoEntry: false })?.ino;
  return { data: data?.ino, log, isEmpty: data?.size === 0, folder };
}

function isSame(before: Look, now: Look): boolean {
  return before.data === now.data && before.log === now.log && !now.isEmpty;
}
