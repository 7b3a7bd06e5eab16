import { randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openConnection } from "../../state/driver.ts";
import { type Board, LEASE_MS } from "./board.ts";
import { boardCounts } from "./counts.ts";
import { makeBoard, openBoard } from "./open-board.ts";
import { BASE_TABLES } from "./schema.ts";

let scratch: string;
let root: string;
let now: number;
beforeEach(() => {
  scratch = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "hookwright-counts-")));
  // Characters that mean something in the address of a database.
  root = path.join(scratch, "a b?c#d%20e'ä");
  fs.mkdirSync(root);
  now = 1_800_000_000_000;
});
afterEach(() => fs.rmSync(scratch, { recursive: true, force: true }));

const file = (suffix = ""): string => path.join(root, `.omc/state/swarm-tasks.db${suffix}`);
const make = (): void => void makeBoard(root, {}, { now: () => now, uid: process.getuid?.() ?? 0 });
const counts = () => boardCounts(root, now);
const filesBelow = (): string[] => fs.readdirSync(scratch, { recursive: true, encoding: "utf8" }).sort();

async function onBoard(work: (board: Board) => Promise<unknown>): Promise<void> {
  const board = openBoard(root, () => now);
  await work(board).finally(() => board.close());
}

const add = (board: Board, text: string, priority = 0) => board.add({ text, priority, after: [] });

/** What is left when the last process of a board has closed it: a file in the mode with a log, and no log. */
function closeForGood(): void {
  const copy = path.join(scratch, "copy");
  const db = openConnection(file());
  db.prepare("VACUUM INTO ?").run(copy);
  db.close();
  for (const suffix of ["", "-wal", "-shm"]) fs.rmSync(file(suffix), { force: true });
  fs.renameSync(copy, file());
  // The two bytes of the header that name the mode.
  const fd = fs.openSync(file(), "r+");
  fs.writeSync(fd, Buffer.from([2, 2]), 0, 2, 18);
  fs.closeSync(fd);
}

async function fill(): Promise<void> {
  make();
  await onBoard(async (board) => {
    for (const text of ["one", "two", "three", "four", "five", "six", "seven", "eight"]) await add(board, text);
    await add(board, "urgent", 5);
    for (const agent of ["ada", "bob", "cyd"]) await board.claim(agent);
    await board.finish({ task: "9", agent: "ada" }, "well");
    await board.fail({ task: "1", agent: "bob" }, "badly");
  });
}

const FILLED = {
  total: 9,
  pending: 6,
  claimed: 1,
  done: 1,
  failed: 1,
  open: [
    { id: "task-2", text: "two", agent: "cyd" },
    { id: "task-3", text: "three" },
    { id: "task-4", text: "four" },
    { id: "task-5", text: "five" },
    { id: "task-6", text: "six" },
  ],
  lastEndedAt: 1_800_000_000_000,
  isEnded: false,
};

describe("no board", () => {
  it.each<[string, () => void]>([
    ["no folder", () => undefined],
    ["an empty folder", () => fs.mkdirSync(path.dirname(file()), { recursive: true })],
    ["an empty file", () => write("")],
    [
      "only tables of the other system",
      () => {
        write("");
        const db = openConnection(file());
        db.exec(`${BASE_TABLES}; INSERT INTO tasks (id, description) VALUES ('task-1', 'x')`);
        db.close();
      },
    ],
  ])("with %s, and nothing is made", (_what, prepare) => {
    prepare();
    const before = filesBelow();
    expect(counts()).toBeUndefined();
    expect(filesBelow()).toEqual(before);
  });
});

function write(content: string | Buffer): void {
  fs.mkdirSync(path.dirname(file()), { recursive: true });
  fs.writeFileSync(file(), content);
}

describe("a board", () => {
  it("is counted, with the first open tasks in the order in which they are claimed", async () => {
    await fill();
    expect(counts()).toEqual(FILLED);
    await onBoard((board) => add(board, "first of all", 9));
    expect(counts()).toMatchObject({ pending: 7, claimed: 1 });
    expect(counts()).toHaveProperty("open.0", { id: "task-10", text: "first of all" });
    expect(counts()).toHaveProperty("open.1.id", "task-2");
    expect(counts()).toHaveProperty("open.length", 5);
  });

  it("that no process has open is read without making a file", async () => {
    await fill();
    closeForGood();
    const before = filesBelow();
    const bytes = fs.readFileSync(file());
    expect(counts()).toEqual(FILLED);
    expect(filesBelow()).toEqual(before);
    expect(fs.readFileSync(file()).equals(bytes)).toBe(true);
  });

  it("that changes while it is read without locks is read again", async () => {
    await fill();
    closeForGood();
    const exists = fs.existsSync;
    let looks = 0;
    vi.spyOn(fs, "existsSync").mockImplementation((name) => {
      looks += 1;
      // The third look is the first after the read.
      if (looks === 3) {
        const writer = openConnection(file());
        writer.exec("DELETE FROM tasks WHERE id <> 'task-3'");
        writer.close();
      }
      return exists(name);
    });
    expect(counts()).toMatchObject({ total: 1, open: [{ id: "task-3" }] });
    expect(looks).toBeGreaterThanOrEqual(3);
  });

  it("is read with what is only in the log, and the time of the file does not matter", async () => {
    make();
    const board = openBoard(root, () => now);
    await add(board, "one");
    expect(counts()).toMatchObject({ total: 1 });
    const stamp = fs.statSync(file(), { bigint: true }).mtimeNs;
    await add(board, "two");
    expect(fs.statSync(file(), { bigint: true }).mtimeNs).toBe(stamp);
    expect(counts()).toMatchObject({ total: 2, pending: 2 });
    await board.close();
  });

  it("is read with the log that killed processes have left", async () => {
    await fill();
    const board = openBoard(root, () => now);
    await add(board, "in the log");
    const [content, log] = [fs.readFileSync(file()), fs.readFileSync(file("-wal"))];
    await board.close();
    for (const suffix of ["", "-wal", "-shm"]) fs.rmSync(file(suffix), { force: true });
    fs.writeFileSync(file(), content);
    fs.writeFileSync(file("-wal"), log);
    expect(counts()).toMatchObject({ total: 10, pending: 7 });
  });

  it("is read while another process writes it", async () => {
    await fill();
    const writer = openConnection(file());
    writer.exec("BEGIN IMMEDIATE; DELETE FROM tasks");
    expect(counts()).toEqual(FILLED);
    writer.exec("ROLLBACK");
    writer.close();
  });

  it("does not keep its lock: the log can be emptied afterwards", async () => {
    make();
    const board = openBoard(root, () => now);
    await add(board, "one");
    expect(counts()).toMatchObject({ total: 1 });
    const writer = openConnection(file());
    expect(writer.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all()[0]).toMatchObject({ busy: 0, log: 0 });
    writer.close();
    await board.close();
  });

  it("has the tasks of expired leases as pending, without an agent, to the millisecond", async () => {
    make();
    await onBoard(async (board) => {
      await add(board, "one");
      await board.claim("ada");
    });
    now += LEASE_MS - 1;
    expect(counts()).toMatchObject({ pending: 0, claimed: 1, open: [{ id: "task-1", agent: "ada" }] });
    now += 1;
    expect(counts()).toMatchObject({ pending: 1, claimed: 0, open: [{ id: "task-1", text: "one" }] });
    expect(counts()).not.toHaveProperty("open.0.agent");
  });

  it("says when a task was completed or failed last, in whichever round", async () => {
    make();
    await onBoard(async (board) => {
      await add(board, "one");
      await board.claim("ada");
      now += 1_000;
      await board.finish({ task: "1", agent: "ada" }, undefined);
    });
    const completed = { total: 1, pending: 0, claimed: 0, done: 1, failed: 0, open: [], isEnded: false };
    const first = now;
    expect(counts()).toEqual({ ...completed, lastEndedAt: first });
    now += 1_000;
    make();
    await onBoard((board) => add(board, "two"));
    expect(counts()).toMatchObject({ total: 2, pending: 1, lastEndedAt: first });
    await onBoard(async (board) => {
      await board.claim("bob");
      await board.fail({ task: "task-2", agent: "bob" }, undefined);
    });
    expect(counts()).toMatchObject({ failed: 1, lastEndedAt: now });
  });

  it("says that it was ended, until the next round", async () => {
    await fill();
    await onBoard((board) => board.end());
    expect(counts()).toMatchObject({ pending: 7, claimed: 0, isEnded: true });
    make();
    expect(counts()).toMatchObject({ pending: 7, isEnded: false });
  });

  it("has no long text", async () => {
    make();
    await onBoard((board) => add(board, "ä".repeat(9_000)));
    expect(counts()).toMatchObject({ open: [{ text: "ä".repeat(300) }] });
  });
});

describe("a board that cannot be read is named in a sentence", () => {
  it.each<[string, string, () => void]>([
    ["is damaged", "random bytes", () => write(randomBytes(8_192))],
    ["is damaged", "a header and nothing more", () => write(fs.readFileSync(file()).subarray(0, 1_000))],
    ["could not be read", "other tables", () => replaceTables()],
    ["not a regular file", "a folder", () => fs.mkdirSync(file(), { recursive: true })],
    [
      "leads out of the project",
      "a link",
      () => {
        fs.mkdirSync(path.join(scratch, "outside/state"), { recursive: true });
        fs.symlinkSync(path.join(scratch, "outside"), path.join(root, ".omc"));
      },
    ],
  ])("%s: %s", async (text, what, prepare) => {
    if (what.startsWith("a header")) {
      await fill();
      closeForGood();
    }
    prepare();
    const before = filesBelow();
    expect(counts()).toEqual({
      unreadable: expect.stringMatching(/^(?:The task board )?\/.*\.$|^The task board .*\.$/),
    });
    expect(counts()).toEqual({ unreadable: expect.stringContaining(text) });
    expect(counts()).toEqual({ unreadable: expect.stringContaining(path.join(root, ".omc")) });
    expect(filesBelow()).toEqual(before);
  });

  function replaceTables(): void {
    write("");
    const db = openConnection(file());
    db.exec("CREATE TABLE tasks (name TEXT); PRAGMA user_version = 1");
    db.close();
  }

  it("while another program has it for itself", async () => {
    await fill();
    closeForGood();
    const other = openConnection(file());
    other.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; UPDATE tasks SET priority = 1");
    expect(counts()).toEqual({ unreadable: expect.stringContaining("is locked by another program") });
    other.exec("COMMIT");
    other.close();
  });
});
