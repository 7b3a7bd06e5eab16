import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openConnection } from "../../state/driver.ts";
import { copyDatabase } from "./database-copy.ts";

let root: string;
let file: string;
let copies: string;
let writer: ChildProcess | undefined;
beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), "hw-copy-"));
  file = path.join(root, "state.db");
  copies = path.join(root, "copies");
  fs.mkdirSync(copies);
});
afterEach(() => {
  vi.restoreAllMocks();
  writer?.kill("SIGKILL");
  writer = undefined;
  fs.rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
});

/**
 * Increments a counter in two tables that must always agree. Copying takes a while, and the WAL is restarted every few
 * transactions. `rest`: milliseconds between two transactions.
 */
const WRITER = `
  const open = (file) => {
    const builtin = process.getBuiltinModule("node:sqlite");
    return builtin ? new builtin.DatabaseSync(file) : new (require("libsql"))(file);
  };
  const [file, rest] = process.argv.slice(1);
  const db = open(file);
  db.exec("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 8; PRAGMA synchronous = OFF");
  db.exec("CREATE TABLE a (v); CREATE TABLE filler (v); CREATE TABLE b (v); INSERT INTO a VALUES (0); INSERT INTO b VALUES (0)");
  db.exec("BEGIN; WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400) INSERT INTO filler SELECT randomblob(3000) FROM n; COMMIT");
  console.log("ready");
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let i = 1; ; i++) {
    db.exec("BEGIN IMMEDIATE; UPDATE a SET v = v + 1; UPDATE b SET v = v + 1; UPDATE filler SET v = randomblob(3000) WHERE rowid % 400 = " + (i % 400) + "; COMMIT");
    if (Number(rest) > 0) Atomics.wait(pause, 0, 0, Number(rest));
  }`;

async function startWriter(rest: number): Promise<ChildProcess> {
  const args = ["--no-warnings", "-e", WRITER, file, String(rest)];
  writer = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"], cwd: path.resolve(".") });
  if (!writer.stdout) throw new Error("no output to wait for");
  await once(writer.stdout, "data");
  return writer;
}

function look(copy: string | undefined): { a: number; b: number; integrity: string } {
  const connection = openConnection(copy ?? "");
  try {
    const one = (sql: string): unknown => Object.values(connection.prepare(sql).get() ?? {})[0];
    return {
      a: Number(one("SELECT v FROM a")),
      b: Number(one("SELECT v FROM b")),
      integrity: String(one("PRAGMA integrity_check")),
    };
  } finally {
    connection.close();
  }
}

describe("while somebody writes", () => {
  test("every copy is a state that was", async () => {
    // The pause lets a copy end between two restarts of the WAL on a machine that is slow or busy, too.
    await startWriter(20);
    let last = -1;
    for (let round = 0; round < 40; round++) {
      const folder = path.join(copies, String(round));
      fs.mkdirSync(folder);
      const { a, b, integrity } = look(copyDatabase(file, folder));
      expect([integrity, a]).toEqual(["ok", b]);
      expect(a).toBeGreaterThanOrEqual(last);
      last = a;
    }
    expect(last).toBeGreaterThan(5);
  });

  test("a log begun anew in the middle of the copy is noticed, and the copy made again", () => {
    const connection = openConnection(file);
    connection.exec("PRAGMA journal_mode = WAL; CREATE TABLE a (v); CREATE TABLE b (v)");
    connection.exec("INSERT INTO a VALUES (0); INSERT INTO b VALUES (0); PRAGMA wal_checkpoint(TRUNCATE)");
    connection.exec("UPDATE a SET v = 1");
    const copyFile = fs.copyFileSync.bind(fs);
    let copied = 0;
    vi.spyOn(fs, "copyFileSync").mockImplementation((from, to, mode) => {
      copyFile(from, to, mode);
      if (from !== file || ++copied > 1) return;
      // The copy has the old page of `a`, and the restarted WAL no longer contains the new one.
      connection.exec("PRAGMA wal_checkpoint(RESTART); UPDATE b SET v = 1");
    });
    expect(look(copyDatabase(file, copies))).toEqual({ a: 1, b: 1, integrity: "ok" });
    expect(copied).toBe(2);
    connection.close();
  });

  test("what was only in the log of a process that was killed is in the copy", async () => {
    const child = await startWriter(20);
    await new Promise((resolve) => setTimeout(resolve, 150));
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(fs.statSync(`${file}-wal`).size).toBeGreaterThan(0);
    const before = [file, `${file}-wal`].map((name) => fs.readFileSync(name).toString("hex"));
    const copied = look(copyDatabase(file, copies));
    expect([file, `${file}-wal`].map((name) => fs.readFileSync(name).toString("hex"))).toEqual(before);
    expect(copied.a).toBeGreaterThan(0);
    expect(look(file)).toEqual(copied);
  });
});

test("no database, no copy", () => {
  expect(copyDatabase(file, copies)).toBeUndefined();
  expect(fs.readdirSync(copies)).toEqual([]);
});

test("a log of an earlier copy does not stay beside a later one", () => {
  const connection = openConnection(file);
  connection.exec("CREATE TABLE a (v); INSERT INTO a VALUES (1)");
  connection.close();
  fs.writeFileSync(path.join(copies, "state.db-wal"), "old");
  copyDatabase(file, copies);
  expect(fs.readdirSync(copies)).toEqual(["state.db"]);
});

test("what cannot be read is named", () => {
  fs.mkdirSync(file);
  expect(() => copyDatabase(file, copies)).toThrow(file);
});
