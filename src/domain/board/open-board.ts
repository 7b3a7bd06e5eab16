import { randomUUID } from "node:crypto";
import fs from "node:fs";
import { HookwrightError } from "../../core/errors.ts";
import { setAside } from "../../system/set-aside.ts";
import type { Board } from "./board.ts";
import { BoardFile } from "./board-file.ts";
import { adoptTasks, importOldSwarm, type SwarmImport } from "./old-swarm.ts";
import { boardPlace, makeBoardFile } from "./place.ts";
import { BASE_TABLES, BOARD_VERSION, OWN_TABLES, TASK_COLUMNS } from "./schema.ts";
import { SqliteBoard } from "./sqlite-board.ts";

const BUSY_MS = 10_000;

export interface BoardEnvironment {
  readonly now: () => number;
  readonly uid: number;
}

export interface MadeBoard {
  readonly file: string;
  /** False when the project already had a board. */
  readonly isNew: boolean;
  readonly imported: number;
  /** Problems for the person that did not prevent the creation of the board. */
  readonly notices: readonly HookwrightError[];
}

/** The board of a project that has one. */
export function openBoard(root: string, now: () => number): Board {
  const { file } = boardPlace(root);
  if (!fs.existsSync(file)) throw new HookwrightError("HW_SWARM_NONE", { root });
  const db = new BoardFile(file, BUSY_MS);
  if (db.retried(() => versionOf(db)) < BOARD_VERSION) {
    db.close();
    throw new HookwrightError("HW_SWARM_NONE", { root });
  }
  return new SqliteBoard(db, now);
}

/** Creates the board, or opens an existing one with all its tasks. */
export function makeBoard(root: string, agents: number | undefined, { now, uid }: BoardEnvironment): MadeBoard {
  const { file, oldFile } = makeBoardFile(root, uid);
  const inode = fs.statSync(file).ino;
  const notices: HookwrightError[] = [];
  let made: SwarmImport & { isNew: boolean };
  try {
    made = setUp(file, oldFile, agents, now);
  } catch (error) {
    if (!(error instanceof HookwrightError) || error.code !== "HW_SWARM_DAMAGED") throw error;
    const moved = setAside(file, inode, error);
    if (moved) notices.push(moved);
    made = setUp(makeBoardFile(root, uid).file, oldFile, agents, now);
  }
  if (made.problem) notices.push(made.problem);
  return { file, isNew: made.isNew, imported: made.tasks, notices };
}

function setUp(
  file: string,
  oldFile: string,
  agents: number | undefined,
  now: () => number,
): SwarmImport & { isNew: boolean } {
  const db = new BoardFile(file, BUSY_MS);
  try {
    db.retried(() => db.exec("PRAGMA journal_mode = WAL"));
    return db.transaction(() => {
      const isNew = versionOf(db) < BOARD_VERSION;
      if (isNew) makeTables(db);
      noteAgents(db, agents, now());
      const imported = importOldSwarm(db, oldFile);
      adoptTasks(db, now());
      return { isNew, ...imported };
    });
  } finally {
    db.close();
  }
}

function versionOf(db: BoardFile): number {
  return Number(db.get("PRAGMA user_version")?.user_version);
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

function noteAgents(db: BoardFile, agents: number | undefined, now: number): void {
  db.run(
    "INSERT OR IGNORE INTO swarm_session (id, session_id, active, agent_count, started_at) VALUES (1, ?, 1, 0, ?)",
    randomUUID(),
    now,
  );
  if (agents !== undefined) db.run("UPDATE swarm_session SET agent_count = ?", agents);
}
