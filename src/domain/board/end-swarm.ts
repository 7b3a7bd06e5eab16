import fs from "node:fs";
import { describe, HookwrightError } from "../../core/errors.ts";
import type { BoardTask } from "./board.ts";
import { BoardFile, isBoard } from "./board-file.ts";
import { takeBackExpired } from "./leases.ts";
import type { BoardEnvironment } from "./open-board.ts";
import { boardPlace } from "./place.ts";
import { endRound } from "./round.ts";
import { writeStatusFiles } from "./status-files.ts";

export interface EndedSwarm {
  /** The tasks that were claimed, as they were held; all of them are pending now. */
  readonly released: readonly BoardTask[];
  /** Why the files for other programs could not be written. The swarm was ended all the same. */
  readonly problem: HookwrightError | undefined;
}

/**
 * Ends the swarm of a project as `Board.end` does, in one transaction, and writes the files for other programs. It does not
 * wait for anything but the lock of the board, for at most `busyMs`. Undefined if the project has no board; throws a
 * HookwrightError if the board cannot be written, and has then changed nothing.
 */
export function endSwarm(root: string, environment: BoardEnvironment, busyMs: number): EndedSwarm | undefined {
  const { file } = boardPlace(root);
  if (!fs.existsSync(file)) return undefined;
  const { now } = environment;
  const db = new BoardFile(file, busyMs);
  try {
    if (!isBoard(db)) return undefined;
    const released = db.transaction(() => {
      takeBackExpired(db, now());
      return endRound(db, now());
    });
    return { released, problem: problemOf(() => writeStatusFiles(root, environment, busyMs)) };
  } finally {
    db.close();
  }
}

/** A hook holds the write lock of its own database meanwhile. */
const HOOK_BUSY_MS = 50;

/** The same for a hook: returns what went wrong, in words; empty when nothing did. */
export function endSwarmInHook(root: string, now: number, uid: number): string {
  try {
    const { problem } = endSwarm(root, { now: () => now, uid }, HOOK_BUSY_MS) ?? {};
    return problem?.message ?? "";
  } catch (error) {
    return `Its task board could not be ended: ${describe(error)}`;
  }
}

function problemOf(work: () => void): HookwrightError | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof HookwrightError) return error;
    throw error;
  }
}
