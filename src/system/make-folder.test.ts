import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeFolder } from "./make-folder.ts";

let root: string;
beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), "hw-folder-"));
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

it("makes what is missing, as private as it is told, and says where that begins", () => {
  const deep = path.join(root, "a/b/c");
  expect(makeFolder(deep, 0o700)).toBe(path.join(root, "a"));
  for (const part of ["a", "a/b", "a/b/c"]) expect(fs.statSync(path.join(root, part)).mode & 0o777).toBe(0o700);
  expect(makeFolder(deep, 0o700)).toBeUndefined();
});

it.each([
  ["below a file", "file/x", "ENOTDIR"],
  ["in the place of a file", "file", "EEXIST"],
  ["below a link to nothing", "link/x", "EEXIST"],
])("fails %s", (_, name, code) => {
  fs.writeFileSync(path.join(root, "file"), "");
  fs.symlinkSync("/nonexistent/disk", path.join(root, "link"));
  expect(() => makeFolder(path.join(root, name))).toThrow(expect.objectContaining({ code }));
});

it.runIf(fs.existsSync("/proc/self"))("fails where nothing can be made, instead of trying for ever", () => {
  expect(() => makeFolder("/proc/hookwright/a/b")).toThrow(expect.objectContaining({ code: "ENOENT" }));
});
