import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isAbsent } from "./absent.ts";

let folder: string;
const HOUR = 3_600_000;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "hw-absent-"));
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + HOUR });
});
afterEach(() => {
  vi.useRealTimers();
  fs.rmSync(folder, { recursive: true });
});

const later = (ms: number): void => void vi.setSystemTime(Date.now() + ms);

test("a file that comes is noticed at the next look, however often it was not there", () => {
  const file = path.join(folder, "a");
  for (let i = 0; i < 3; i++) {
    expect(isAbsent(file)).toBe(true);
    later(10);
  }
  fs.writeFileSync(file, "");
  expect(isAbsent(file)).toBe(false);
  fs.rmSync(file);
  later(10);
  expect(isAbsent(file)).toBe(true);
});

test("below a folder that is not there nothing is, until there is one", () => {
  const file = path.join(folder, "b", "c");
  expect(isAbsent(file)).toBe(true);
  later(1);
  fs.mkdirSync(path.dirname(file));
  fs.writeFileSync(file, "");
  expect(isAbsent(file)).toBe(false);
});

test("many files of one folder cost one look at the folder", () => {
  const files = ["a", "b", "c", "d"].map((name) => path.join(folder, name));
  for (const file of files) isAbsent(file);
  later(10);
  const looks = [vi.spyOn(fs, "lstatSync"), vi.spyOn(fs, "statSync")];
  for (const file of files) expect(isAbsent(file)).toBe(true);
  expect(looks.map((look) => look.mock.calls.length)).toEqual([0, 1]);
  for (const look of looks) look.mockRestore();
});

test("a folder that keeps no times is not believed for longer than a second", () => {
  const file = path.join(folder, "a");
  const { atime, mtime } = fs.statSync(folder);
  expect(isAbsent(file)).toBe(true);
  fs.writeFileSync(file, "");
  fs.utimesSync(folder, atime, mtime);
  later(2_000);
  expect(isAbsent(file)).toBe(false);
});

test("a folder that was changed just now is looked into", () => {
  vi.setSystemTime(fs.statSync(folder).mtimeMs + 20);
  const file = path.join(folder, "a");
  expect(isAbsent(file)).toBe(true);
  const { atime, mtime } = fs.statSync(folder);
  fs.writeFileSync(file, "");
  fs.utimesSync(folder, atime, mtime);
  later(1);
  expect(isAbsent(file)).toBe(false);
});
