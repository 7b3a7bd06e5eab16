import fs from "node:fs";
import { HookwrightError } from "../../core/errors.ts";
import { setAside } from "../../system/set-aside.ts";
import { archiveTasks } from "./archive.ts";
import type { Board } from "./board.ts";
import { BoardFile, isBoard, versionOf } from "./board-file.ts";
import { adoptTasks, importOldSwarm, type SwarmImport } from "./old-swarm.ts";
import { boardPlace, makeBoardFile } from "./place.ts";
import { beginRoundIfOver } from "./round.ts";
import { BASE_TABLES, BOARD_VERSION, OWN_TABLES, TASK_COLUMNS } from "./schema.ts";
import { SqliteBoard } from "./sqlite-board.ts";

export const BUSY_MS = 10_000;

export interface BoardEnvironment {
  readonly now: () => number;
  readonly uid: number;
}

export interface MadeBoard {
  readonly file: string;
  /** False when the project already had a board. */
  readonly isNew: boolean;
  readonly imported: number;
  /** The project had a board whose tasks were all completed or failed, or whose swarm was ended. */
  readonly isNewRound: boolean;
  /** The file with the tasks that were on the board before; undefined if they were not archived. */
  readonly archive: string | undefined;
  /** Problems for the person that did not prevent the creation of the board. */
  readonly notices: readonly HookwrightError[];
}

/** The board of a project that has one. */
export function openBoard(root: string, now: () => number): Board {
  const { file } = boardPlace(root);
  if (!fs.existsSync(file)) throw new HookwrightError("HW_SWARM_NONE", { root });
  const db = new BoardFile(file, BUSY_MS);
  if (!isBoard(db)) {
    db.close();
    throw new HookwrightError("HW_SWARM_NONE", { root });
  }
  return new SqliteBoard(db, now);
}

export interface BoardWish {
  /** The expected number of agents; undefined to leave it as it is. */
  readonly agents?: number | undefined;
  /** Archives the tasks that an existing board has. Refused while any is claimed. */
  readonly isFresh?: boolean;
}

/** Creates the board, or opens an existing one with all its tasks, also after its swarm was ended. */
export function makeBoard(root: string, wish: BoardWish, { now, uid }: BoardEnvironment): MadeBoard {
  const { file, oldFile } = makeBoardFile(root, uid);
  const inode = fs.statSync(file).ino;
  const notices: HookwrightError[] = [];
  let made: SetUp;
  try {
    made = setUp(file, oldFile, wish, now);
  } catch (error) {
    if (!(error instanceof HookwrightError) || error.code !== "HW_SWARM_DAMAGED") throw error;
    const moved = setAside(file, inode, error);
    if (moved) notices.push(moved);
    made = setUp(makeBoardFile(root, uid).file, oldFile, wish, now);
  }
  const { tasks: imported, problem, ...rest } = made;
  if (problem) notices.push(problem);
  return { file, imported, notices, ...rest };
}

type SetUp = SwarmImport & Pick<MadeBoard, "isNew" | "isNewRound" | "archive">;

function setUp(file: string, oldFile: string, { agents, isFresh }: BoardWish, now: () => number): SetUp {
  const db = new BoardFile(file, BUSY_MS);
  try {
    db.retried(() => db.exec("PRAGMA journal_mode = WAL"));
    const made = db.transaction(() => {
      const isNew = versionOf(db) < BOARD_VERSION;
      if (isNew) makeTables(db);
      const imported = importOldSwarm(db, oldFile);
      adoptTasks(db, now());
      return { isNew, isNewRound: beginRoundIfOver(db, now()), ...imported };
    });
    const archive = isFresh ? archiveTasks(db, now) : undefined;
    // Not before the archive, which may be refused.
    if (agents !== undefined) db.transaction(() => db.run("UPDATE swarm_session SET agent_count = ?", agents));
    return { ...made, isNewRound: made.isNewRound || archive !== undefined, archive };
  } finally {
    db.close();
  }
}

/** The file may already hold the tables of the other system, with its tasks. */
function makeTables(db: BoardFile): void {
  db.exec(BASE_TABLES);
  const known = new Set(db.all("PRAGMA table_info(tasks)").map(({ name }) => name));
  for (const [name, type] of Object.entries(TASK_COLUMNS)) {
    if (!known.has(name)) db.exec(`ALTER TABLE tasks ADD COLUMN ${name} ${type}`);
  }
  db.exec(OWN_TABLES);
  db.exec(`PRAGMA user_version = ${BOARD_VERSION}`);
}
