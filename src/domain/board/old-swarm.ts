import fs from "node:fs";
import { describe, HookwrightError } from "../../core/errors.ts";
import { openConnection, type Row, type Value } from "../../state/driver.ts";
import { LEASE_MS } from "./board.ts";
import type { BoardFile } from "./board-file.ts";
import { nextTaskNumber, recordChange } from "./history.ts";

const BUSY_MS = 2_000;
const IMPORTED = "imported_from";

export interface SwarmImport {
  readonly tasks: number;
  /** Why the file could not be imported; it is not changed, and the import is tried again next time. */
  readonly problem: HookwrightError | undefined;
}

const NOTHING: SwarmImport = { tasks: 0, problem: undefined };

/** Imports the tasks of oh-my-claudecode's swarm, once and only into an empty board. Runs in a transaction. */
export function importOldSwarm(db: BoardFile, oldFile: string): SwarmImport {
  if (!fs.existsSync(oldFile)) return NOTHING;
  if (db.get("SELECT 1 FROM schema_info WHERE key = ?", IMPORTED) || db.get("SELECT 1 FROM tasks")) return NOTHING;
  const old = readOld(oldFile);
  if (old instanceof HookwrightError) return { tasks: 0, problem: old };
  for (const row of old.tasks) {
    const values = TASK_FIELDS.map((name) => row[name] ?? null);
    db.run(`INSERT INTO tasks (${TASK_FIELDS.join(", ")}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`, ...values);
  }
  for (const { agent_id: agent = null, last_heartbeat: at = null } of old.heartbeats) {
    db.run("INSERT OR REPLACE INTO heartbeats (agent_id, last_heartbeat) VALUES (?, ?)", agent, at);
  }
  db.run("INSERT INTO schema_info (key, value) VALUES (?, ?)", IMPORTED, oldFile);
  return { tasks: old.tasks.length, problem: undefined };
}

const TASK_FIELDS = ["id", "description", "status", "claimed_by", "claimed_at", "completed_at", "error", "result"];
const STATUSES = ["pending", "claimed", "done", "failed"];

function readOld(file: string): { readonly tasks: Row[]; readonly heartbeats: Row[] } | HookwrightError {
  try {
    const connection = openConnection(file);
    try {
      connection.exec(`PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA query_only = ON;`);
      const tasks = connection.prepare(`SELECT ${TASK_FIELDS.join(", ")} FROM tasks`).all();
      const heartbeats = connection.prepare("SELECT agent_id, last_heartbeat FROM heartbeats").all();
      const odd = tasks.find((row) => !isTask(row));
      if (odd) throw new Error(`the task ${JSON.stringify(odd.id)} is not written as its schema says`);
      return { tasks, heartbeats: heartbeats.filter(isHeartbeat) };
    } finally {
      connection.close();
    }
  } catch (error) {
    return new HookwrightError("HW_SWARM_IMPORT", { file, detail: describe(error) }, error);
  }
}

function isTask({ id, description, status, claimed_by, claimed_at, completed_at, error, result }: Row): boolean {
  const isText = (value: Value | undefined): boolean => typeof value === "string";
  return (
    isText(id) &&
    id !== "" &&
    isText(description) &&
    STATUSES.includes(String(status)) &&
    [claimed_by, error, result].every((value) => value === null || isText(value)) &&
    [claimed_at, completed_at].every((value) => value === null || Number.isSafeInteger(value))
  );
}

function isHeartbeat({ agent_id, last_heartbeat }: Row): boolean {
  return typeof agent_id === "string" && Number.isSafeInteger(last_heartbeat);
}

const byNumber = new Intl.Collator("en", { numeric: true }).compare;

/** Adds numbers, leases and a history to tasks that the other system has added. Runs in a transaction. */
export function adoptTasks(db: BoardFile, now: number): void {
  const rows = db.all("SELECT * FROM tasks WHERE number = 0").sort((a, b) => byNumber(String(a.id), String(b.id)));
  const numbered = rows.map((row) => ({ row, number: Number(/^task-([1-9]\d{0,8})$/.exec(String(row.id))?.[1] ?? 0) }));
  // Tasks whose id contains their number come first, so that no other task gets that number.
  for (const { row, number } of numbered.filter(({ number }) => number > 0)) adopt(db, row, number, now);
  for (const { row } of numbered.filter(({ number }) => number === 0)) adopt(db, row, nextTaskNumber(db), now);
}

function adopt(db: BoardFile, row: Row, wanted: number, now: number): void {
  const id = row.id ?? "";
  const number = db.get("SELECT 1 FROM tasks WHERE number = ?", wanted) ? nextTaskNumber(db) : wanted;
  const isHeld = row.status === "claimed" && row.claimed_by !== null;
  const isEnded = row.status === "done" || row.status === "failed";
  const claimedAt = Number(row.claimed_at ?? 0);
  const beat = db.get("SELECT last_heartbeat FROM heartbeats WHERE agent_id = ?", row.claimed_by ?? "");
  const leaseUntil = isHeld ? Math.max(claimedAt, Number(beat?.last_heartbeat ?? 0)) + LEASE_MS : null;
  db.run(
    "UPDATE tasks SET number = ?, epoch = ?, lease_until = ?, status = ?, claimed_by = ? WHERE id = ?",
    number,
    isHeld || isEnded ? 1 : 0,
    leaseUntil,
    isHeld || isEnded ? (row.status ?? "") : "pending",
    isHeld || isEnded ? (row.claimed_by ?? null) : null,
    id,
  );
  const agent = row.claimed_by ?? null;
  recordChange(db, { at: now, kind: "added", task: id, agent: null, epoch: 0 });
  if ((isHeld || isEnded) && agent !== null)
    recordChange(db, { at: claimedAt || now, kind: "claimed", task: id, agent, epoch: 1 });
  if (isEnded)
    recordChange(db, { at: Number(row.completed_at ?? now), kind: row.status ?? "", task: id, agent, epoch: 1 });
}
