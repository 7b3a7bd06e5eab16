/** What a world's database holds, read through a connection of the test's own. */
import fs from "node:fs";
import { type Connection, openConnection, type Row } from "../../src/state/driver.ts";
import { sleep } from "./processes.ts";
import type { World } from "./world.ts";

export function query(world: World, sql: string, ...values: string[]): Row[] {
  if (!fs.existsSync(world.database)) return [];
  const connection = openConnection(world.database);
  try {
    connection.exec("PRAGMA busy_timeout = 5000");
    // A daemon that has just started may still be making the tables.
    if (Number(connection.prepare("PRAGMA user_version").get()?.user_version) === 0) return [];
    return connection
      .prepare(sql)
      .all(...values)
      .map((row) => ({ ...row }));
  } finally {
    connection.close();
  }
}

export function journal(world: World): Row[] {
  return query(world, "SELECT * FROM journal ORDER BY id");
}

export function rowCount(world: World): number {
  return Number(query(world, "SELECT count(*) AS n FROM journal")[0]?.n ?? 0);
}

export function rulings(world: World, toolUseId: string): unknown[] {
  return query(world, "SELECT ruling FROM journal WHERE tool_use_id = ? ORDER BY id", toolUseId).map(
    (row) => row.ruling,
  );
}

/** What was recorded of one session: a decision made twice, or lost, would show here. */
export function counters(world: World, session: string): { events: number; toolCalls: number } {
  const rows = query(world, "SELECT event FROM journal WHERE session = ?", session);
  return { events: rows.length, toolCalls: rows.filter(({ event }) => event === "tool.before").length };
}

/** Waits for the work that events left behind; it outlives the process that answered them. */
export async function jobsAreDone(world: World, limitMs = 10_000): Promise<void> {
  for (const end = Date.now() + limitMs; ; await sleep(20)) {
    const open = query(world, "SELECT name, tries, error FROM jobs WHERE done_at IS NULL");
    if (open.length === 0) return;
    if (Date.now() > end) throw new Error(`not done in time: ${JSON.stringify(open)}`);
  }
}

/** Holds the database's only write lock until released. */
export function holdWriteLock(world: World): { release(): void } {
  const connection: Connection = openConnection(world.database);
  connection.exec("PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE");
  return {
    release() {
      connection.exec("ROLLBACK");
      connection.close();
    },
  };
}

/** Moves everything from the log into the database file itself. Nothing may be running. */
export function emptyLog(world: World): void {
  const connection = openConnection(world.database);
  connection.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  connection.close();
  for (const suffix of ["-wal", "-shm"]) fs.rmSync(world.database + suffix, { force: true });
}

/** Every byte the database and its log hold on disk. */
export function storedBytes(world: World): Buffer {
  const files = ["", "-wal", "-shm"].map((suffix) => world.database + suffix).filter((file) => fs.existsSync(file));
  return Buffer.concat(files.map((file) => fs.readFileSync(file)));
}
