import type { Reply } from "../core/frame.ts";
import type { Database } from "./database.ts";
import type { Row, Value } from "./driver.ts";

/** A retried event within this time gets the ruling it already had. */
const KEY_LIFETIME_MS = 60_000;

export interface JournalEntry {
  readonly at: number;
  readonly agent: string;
  readonly session: string;
  readonly agentId: string;
  readonly project: string;
  readonly event: string;
  readonly agentEvent: string;
  readonly tool: string;
  readonly toolUseId: string;
  readonly ruling: string;
  readonly policy: string;
  readonly reason: string;
  readonly microseconds: number;
  readonly body: string;
  readonly verdicts: string;
  readonly facts: string;
  readonly reply: Reply;
}

export interface JournalQuery {
  readonly session?: string;
  readonly deniedOnly?: boolean;
  readonly after?: number;
  readonly limit: number;
}

export function storedReply(db: Database, key: string, now: number): Reply | undefined {
  const row = db.get(
    "SELECT reply FROM keys JOIN journal ON journal.id = keys.journal WHERE keys.key = ? AND keys.at > ?",
    key,
    now - KEY_LIFETIME_MS,
  );
  return row ? (JSON.parse(String(row.reply)) as Reply) : undefined;
}

export function append(db: Database, key: string, entry: JournalEntry): number {
  db.run(
    `INSERT INTO journal (at, agent, session, agent_id, project, event, agent_event, tool, tool_use_id, ruling, policy,
      reason, microseconds, body, verdicts, facts, reply) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)`,
    entry.at,
    entry.agent,
    entry.session,
    entry.agentId,
    entry.project,
    entry.event,
    entry.agentEvent,
    entry.tool,
    entry.toolUseId,
    entry.ruling,
    entry.policy,
    entry.reason,
    entry.microseconds,
    entry.body,
    entry.verdicts,
    entry.facts,
    JSON.stringify(entry.reply),
  );
  const id = Number(db.get("SELECT last_insert_rowid() AS id")?.id);
  db.run("INSERT OR REPLACE INTO keys (key, at, journal) VALUES (?,?,?)", key, entry.at, id);
  // A few at a time keeps the table small without ever costing one event much.
  db.run("DELETE FROM keys WHERE key IN (SELECT key FROM keys WHERE at < ? LIMIT 4)", entry.at - KEY_LIFETIME_MS);
  return id;
}

/** Did a guard get to see this call before it ran? */
export function hasGuarded(db: Database, session: string, toolUseId: string): boolean {
  return (
    db.get(
      "SELECT 1 AS found FROM journal WHERE tool_use_id = ? AND event = 'tool.before' AND session = ? LIMIT 1",
      toolUseId,
      session,
    ) !== undefined
  );
}

/** The newest `limit` entries after `after`, oldest first. */
export function list(db: Database, query: JournalQuery): Row[] {
  const conditions = ["id > ?"];
  const values: Value[] = [query.after ?? 0];
  if (query.session !== undefined) {
    conditions.push("session = ?");
    values.push(query.session);
  }
  if (query.deniedOnly) conditions.push("ruling = 'deny'");
  const sql = `SELECT * FROM journal WHERE ${conditions.join(" AND ")} ORDER BY id DESC LIMIT ?`;
  return db.all(sql, ...values, query.limit).reverse();
}
