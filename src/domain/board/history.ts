import type { Value } from "../../state/driver.ts";
import type { BoardFile } from "./board-file.ts";
import { LAST_EPOCH } from "./schema.ts";

export function nextTaskNumber(db: BoardFile): number {
  return Number(db.get("SELECT COALESCE(MAX(number), 0) + 1 AS next FROM tasks")?.next);
}

/** Epochs go on after the tasks were archived, so that a late report of an archived claim is still recognised. */
export function firstEpoch(db: BoardFile): number {
  return Number(db.get("SELECT value FROM schema_info WHERE key = ?", LAST_EPOCH)?.value ?? 0);
}

interface HistoryRow {
  readonly at: number;
  readonly kind: Value;
  readonly task: Value;
  readonly agent: Value;
  readonly epoch: number;
}

export function recordChange(db: BoardFile, { at, kind, task, agent, epoch }: HistoryRow): void {
  db.run("INSERT INTO history (at, kind, task, agent, epoch) VALUES (?, ?, ?, ?, ?)", at, kind, task, agent, epoch);
}
