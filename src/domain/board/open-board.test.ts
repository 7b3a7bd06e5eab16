import { randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openConnection } from "../../state/driver.ts";
import { type BoardOverview, LEASE_MS } from "./board.ts";
import { BoardFile } from "./board-file.ts";
import { makeBoard, openBoard } from "./open-board.ts";
import { BASE_TABLES } from "./schema.ts";
import { SqliteBoard } from "./sqlite-board.ts";

let root: string;
let now: number;
beforeEach(() => {
  root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "hookwright-board-")));
  fs.mkdirSync(path.join(root, ".omc/state"), { recursive: true });
  now = 1_800_000_000_000;
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

const fileIn = (name: string): string => path.join(root, ".omc/state", name);
const make = (agents?: number) => makeBoard(root, { agents }, { now: () => now, uid: process.getuid?.() ?? 0 });
const open = () => openBoard(root, () => now);

async function overview(): Promise<BoardOverview> {
  const board = open();
  return board.overview().finally(() => board.close());
}

/** A file of oh-my-claudecode with unfinished tasks, in the order of their texts. */
function writeOld(name: string): void {
  const db = openConnection(fileIn(name));
  db.exec(`PRAGMA journal_mode = WAL; ${BASE_TABLES}`);
  const add = db.prepare(
    "INSERT INTO tasks (id, description, status, claimed_by, claimed_at, completed_at, error, result) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
  );
  add.run("task-10", "tenth", "pending", null, null, null, null, null);
  add.run("extra", "with a name", "pending", null, null, null, null, null);
  add.run("task-1", "first", "done", "agent-1", now - 9_000, now - 5_000, null, "fine");
  add.run("task-2", "second", "claimed", "agent-1", now - LEASE_MS - 1, null, null, null);
  add.run("task-3", "third", "claimed", "agent-2", now - LEASE_MS - 1, null, null, null);
  add.run("task-4", "fourth", "failed", "agent-2", now - 9_000, now - 4_000, "broken", null);
  db.prepare("INSERT INTO heartbeats VALUES (?, ?, ?)").run("agent-1", now - 1_000, "task-2");
  db.close();
}

const EXPECTED = [
  { id: "task-1", text: "first", status: "done", agent: "agent-1", result: "fine", endedAt: 1_800_000_000_000 - 5_000 },
  { id: "task-2", status: "claimed", agent: "agent-1", leaseUntil: 1_800_000_000_000 - 1_000 + LEASE_MS, epoch: 1 },
  // The agent has sent nothing since the lease expired.
  { id: "task-3", status: "pending", agent: undefined },
  { id: "task-4", status: "failed", agent: "agent-2", error: "broken" },
  { id: "task-10", status: "pending" },
  { id: "extra", status: "pending" },
];

describe("tasks of the other system", () => {
  it("are imported once, with their state and numeric order, and their file stays as it is", async () => {
    writeOld("swarm.db");
    const before = fs.readFileSync(fileIn("swarm.db"));
    expect(make(4)).toMatchObject({ isNew: true, imported: 6, notices: [] });
    expect(fs.readFileSync(fileIn("swarm.db")).equals(before)).toBe(true);
    expect((await overview()).tasks).toMatchObject(EXPECTED);
    expect(make()).toMatchObject({ isNew: false, imported: 0 });
    const board = open();
    expect(await board.finish({ task: "task-2", agent: "agent-1" }, "done")).toMatchObject({ status: "done" });
    await expect(board.finish({ task: "3", agent: "agent-2" }, "late")).rejects.toMatchObject({
      code: "HW_SWARM_LATE",
    });
    expect(await board.claim("agent-3")).toMatchObject({ id: "task-3", epoch: 2 });
    expect(await board.claim("agent-3")).toMatchObject({ id: "task-10" });
    expect(await board.claim("agent-3")).toMatchObject({ id: "extra" });
    expect(await board.add({ text: "new", priority: 0, after: ["extra", "10"] })).toMatchObject({
      id: "task-12",
      after: ["extra", "task-10"],
    });
    await board.close();
  });

  it("are taken over where they lie under the name of the board", async () => {
    writeOld("swarm-tasks.db");
    expect(() => open()).toThrow("There is no task board");
    expect(make()).toMatchObject({ isNew: true, imported: 0 });
    expect((await overview()).tasks).toMatchObject(EXPECTED);
  });

  it("can still be read by the other system's statements", async () => {
    make(2);
    const board = open();
    await board.add({ text: "x", priority: 0, after: [] });
    await board.claim("a");
    await board.close();
    const db = openConnection(fileIn("swarm-tasks.db"));
    const row = (sql: string) => ({ ...db.prepare(sql).get() });
    expect(row("SELECT value FROM schema_info WHERE key = 'version'")).toMatchObject({ value: "1" });
    expect(row("SELECT id, active, agent_count, started_at, completed_at FROM swarm_session")).toMatchObject({
      id: 1,
      active: 1,
      agent_count: 2,
      started_at: now,
      completed_at: null,
    });
    expect(row("SELECT id, status, claimed_by, claimed_at FROM tasks")).toMatchObject({
      id: "task-1",
      status: "claimed",
      claimed_by: "a",
      claimed_at: now,
    });
    expect(row("SELECT * FROM heartbeats")).toMatchObject({
      agent_id: "a",
      last_heartbeat: now,
      current_task_id: "task-1",
    });
    db.close();
  });

  it.each([
    ["no database", () => fs.writeFileSync(fileIn("swarm.db"), randomBytes(5_000))],
    ["other tables", () => openAndClose("CREATE TABLE tasks (name TEXT)")],
    [
      "a task that is none",
      () => openAndClose(`${BASE_TABLES}; INSERT INTO tasks (id, description) VALUES ('a', x'00')`),
    ],
  ])("that cannot be read (%s) are named, and the board is made without them", async (_what, write) => {
    write();
    const { notices } = make();
    expect(notices.map(({ code, message }) => [code, message])).toEqual([
      ["HW_SWARM_IMPORT", expect.stringContaining(fileIn("swarm.db"))],
    ]);
    expect((await overview()).tasks).toEqual([]);
  });

  function openAndClose(sql: string): void {
    const db = openConnection(fileIn("swarm.db"));
    db.exec(sql);
    db.close();
  }
});

describe("a board in use", () => {
  it("that is removed or replaced is written to no more", async () => {
    make();
    const board = open();
    await board.add({ text: "x", priority: 0, after: [] });
    for (const suffix of ["", "-wal", "-shm"]) fs.rmSync(fileIn(`swarm-tasks.db${suffix}`), { force: true });
    await expect(board.claim("a")).rejects.toMatchObject({ code: "HW_SWARM_REPLACED" });
    fs.writeFileSync(fileIn("keeps-the-number"), "");
    make();
    await expect(board.overview()).rejects.toMatchObject({ code: "HW_SWARM_REPLACED" });
    await board.close();
  });

  it("says so when its lock stays taken, and every write that it acknowledges after that is seen by others", async () => {
    make();
    const file = fileIn("swarm-tasks.db");
    const [a, b] = [1, 2].map(() => new SqliteBoard(new BoardFile(file, 5), () => now)) as [SqliteBoard, SqliteBoard];
    const other = openConnection(file);
    for (let round = 1; round <= 10; round++) {
      other.exec("BEGIN IMMEDIATE");
      for (const board of [a, b]) {
        await expect(board.claim("x")).rejects.toMatchObject({
          code: "HW_SWARM_BUSY",
          message: expect.stringContaining(file),
        });
      }
      other.exec("COMMIT");
      for (const board of [a, b, a]) await board.add({ text: "x", priority: 0, after: [] });
      expect(Number(other.prepare("SELECT COUNT(*) AS n FROM tasks").get()?.n)).toBe(round * 3);
      for (const board of [a, b]) expect((await board.overview()).tasks).toHaveLength(round * 3);
    }
    other.close();
    for (const board of [a, b]) await board.close();
  });
});
