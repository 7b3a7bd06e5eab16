import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { setAside } from "./set-aside.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "hookwright-aside-"));
  file = path.join(folder, "state.db");
  fs.writeFileSync(file, "damaged");
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const inode = (): number => fs.statSync(file).ino;
const contents = (): Record<string, string> =>
  Object.fromEntries(
    fs.readdirSync(folder).map((name) => {
      const known = name.replace(/corrupt-[\d-]+T[\dZ-]+-\d+/, "ASIDE");
      return [known, fs.readFileSync(path.join(folder, name), "utf8")];
    }),
  );

describe("a damaged database", () => {
  it("is kept under another name, with its log", () => {
    fs.writeFileSync(`${file}-wal`, "log");
    const told = setAside(file, inode(), new Error("malformed"));
    expect(told?.message).toContain(`has been moved to ${file}.corrupt-`);
    expect(contents()).toEqual({ "state.db.ASIDE": "damaged", "state.db.ASIDE-wal": "log" });
  });

  it("is left alone when it is no longer the one that was meant", () => {
    const before = inode();
    fs.renameSync(file, `${file}.old`);
    fs.writeFileSync(file, "fresh");
    expect(setAside(file, before, undefined)).toBeUndefined();
    expect(contents()).toEqual({ "state.db": "fresh", "state.db.old": "damaged" });
    fs.rmSync(file);
    expect(setAside(file, before, undefined)).toBeUndefined();
  });

  it("that another process has taken over, and died, does not stay in the way", () => {
    const { mtime, ino } = fs.statSync(file);
    fs.linkSync(file, `${file}.corrupt-${mtime.toISOString().replace(/[:.]/g, "-")}-${ino}`);
    expect(setAside(file, ino, undefined)).toBeUndefined();
    expect(contents()).toEqual({ "state.db.ASIDE": "damaged" });
  });
});
