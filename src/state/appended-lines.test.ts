import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { addLine, hasOpenLines, writeOpenLines } from "./appended-lines.ts";
import { Database } from "./database.ts";

const uid = process.getuid?.() ?? 0;
let folder: string;
let file: string;
let db: Database;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "hookwright-lines-"));
  file = path.join(folder, "deep", "events.jsonl");
  db = new Database(path.join(folder, "state.db"), 100);
});
afterEach(() => {
  db.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

const add = (key: string, line = `{"key":"${key}"}`): boolean =>
  db.transaction(() => addLine(db, file, key, line, 1))?.value ?? false;
/** As another process that died after its commit would have left it. */
const leave = (key: string, line: string): number =>
  db.run("INSERT INTO lines (path, key, line, at) VALUES (?, ?, ?, 1)", file, key, line);
const lines = (): string[] => fs.readFileSync(file, "utf8").split("\n").slice(0, -1);

it("writes each line once, in order, for its owner alone", () => {
  expect(hasOpenLines(db)).toBe(false);
  add("a");
  add("b");
  expect(hasOpenLines(db)).toBe(true);
  expect(writeOpenLines(db, uid)).toEqual(new Map());
  expect(writeOpenLines(db, uid)).toEqual(new Map());
  expect(hasOpenLines(db)).toBe(false);
  expect(lines()).toEqual(['{"key":"a"}', '{"key":"b"}']);
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  expect(fs.statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
});

it("knows a repeated report by its key, also after it was written", () => {
  expect(add("a")).toBe(true);
  expect(add("a")).toBe(false);
  writeOpenLines(db, uid);
  expect(add("a")).toBe(false);
  writeOpenLines(db, uid);
  expect(lines()).toHaveLength(1);
});

it("writes what a process that died left behind", () => {
  leave("a", "left");
  writeOpenLines(db, uid);
  expect(lines()).toEqual(["left"]);
});

it("does not repeat a line that was written before its writer died", () => {
  fs.mkdirSync(path.dirname(file));
  fs.writeFileSync(file, "before\nleft\n");
  leave("a", "left");
  leave("b", "other");
  writeOpenLines(db, uid);
  expect(lines()).toEqual(["before", "left", "other"]);
});

it("finds such a line in the file that was just put aside too", () => {
  fs.mkdirSync(path.dirname(file));
  fs.writeFileSync(`${file}.1`, "left\n");
  leave("a", "left");
  writeOpenLines(db, uid);
  expect(fs.existsSync(file)).toBe(false);
});

it("keeps away from half a line at the end", () => {
  fs.mkdirSync(path.dirname(file));
  fs.writeFileSync(file, "whole\nhal");
  add("a", "new");
  writeOpenLines(db, uid);
  expect(lines()).toEqual(["whole", "hal", "new"]);
});

it("puts a large file aside and keeps three of them", () => {
  const large = "x".repeat(5 * 1024 * 1024);
  for (let i = 0; i < 5; i++) {
    add(`${i}`, `${i}${large}`);
    writeOpenLines(db, uid);
  }
  const names = fs.readdirSync(path.dirname(file)).sort();
  expect(names).toEqual(["events.jsonl", "events.jsonl.1", "events.jsonl.2", "events.jsonl.3"]);
  const first = names.map((name) => fs.readFileSync(path.join(path.dirname(file), name), "utf8")[0]);
  expect(first).toEqual(["4", "3", "2", "1"]);
});

it("puts a file aside before it grows beyond its limit", () => {
  const half = "x".repeat(3 * 1024 * 1024);
  for (const key of ["a", "b"]) {
    add(key, `${key}${half}`);
    writeOpenLines(db, uid);
  }
  const sizes = ["", ".1"].map((end) => fs.statSync(`${file}${end}`).size);
  expect(sizes).toEqual([half.length + 2, half.length + 2]);
});

it("never writes through a link, and keeps the line until it can", () => {
  const victim = path.join(folder, "victim");
  fs.writeFileSync(victim, "mine\n");
  fs.mkdirSync(path.dirname(file));
  fs.symlinkSync(victim, file);
  add("a", "new");
  expect([...(writeOpenLines(db, uid)?.keys() ?? [])]).toEqual([file]);
  expect(fs.readFileSync(victim, "utf8")).toBe("mine\n");
  fs.unlinkSync(file);
  expect(writeOpenLines(db, uid)).toEqual(new Map());
  expect(lines()).toEqual(["new"]);
});

it("never writes into somebody else's file", () => {
  fs.mkdirSync(path.dirname(file));
  fs.writeFileSync(file, "theirs\n");
  add("a", "new");
  expect(String(writeOpenLines(db, uid + 1)?.get(file))).toContain("belongs to user");
  expect(lines()).toEqual(["theirs"]);
});

it("tells when the database stayed locked, and loses nothing", () => {
  add("a", "new");
  const other = new Database(path.join(folder, "state.db"), 10);
  other.begin();
  expect(writeOpenLines(db, uid)).toBeUndefined();
  other.rollBack();
  other.close();
  writeOpenLines(db, uid);
  expect(lines()).toEqual(["new"]);
});
