import type { Row, Value } from "../../state/driver.ts";
import type { BoardAgent, BoardChange, BoardTask, BoardTaskStatus, ChangeKind } from "./board.ts";

/** The beginning of every statement that reads tasks. */
export const TASK_QUERY = `
SELECT tasks.*, (SELECT json_group_array(needs) FROM dependencies WHERE task = tasks.id) AS needed FROM tasks`;

const byNumber = new Intl.Collator("en", { numeric: true }).compare;

export function taskFromRow(row: Row): BoardTask {
  return {
    id: String(row.id),
    text: String(row.description),
    status: row.status as BoardTaskStatus,
    priority: Number(row.priority),
    after: (JSON.parse(String(row.needed)) as string[]).sort(byNumber),
    agent: text(row.claimed_by),
    epoch: Number(row.epoch),
    claimedAt: time(row.claimed_at),
    leaseUntil: time(row.lease_until),
    endedAt: time(row.completed_at),
    result: text(row.result),
    error: text(row.error),
  };
}

export function changeFromRow(row: Row): BoardChange {
  return {
    sequence: Number(row.sequence),
    at: Number(row.at),
    kind: row.kind as ChangeKind,
    task: String(row.task),
    text: String(row.description),
    agent: text(row.agent),
    epoch: Number(row.epoch),
  };
}

export function agentFromRow(row: Row): BoardAgent {
  return { name: String(row.agent_id), lastHeartbeat: Number(row.last_heartbeat), task: text(row.current_task_id) };
}

function text(value: Value | undefined): string | undefined {
  return value === null || value === undefined ? undefined : String(value);
}

function time(value: Value | undefined): number | undefined {
  return value === null || value === undefined ? undefined : Number(value);
}
