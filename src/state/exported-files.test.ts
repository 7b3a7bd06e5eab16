import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Database } from "./database.ts";
import { addAppend, holdMirror, mirroredText, mirrorOf, setMirror, writeOpenMirrors } from "./exported-files.ts";

const uid = process.getuid?.() ?? 0;
let folder: string;
let db: Database;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "hookwright-mirrors-"));
  db = new Database(":memory:", 50);
});
afterEach(() => {
  db.close();
  fs.rmSync(folder, { recursive: true, force: true });
});
const file = (name = "a/state.json"): string => path.join(folder, name);
const onDisk = (name?: string): string | undefined =>
  fs.existsSync(file(name)) ? fs.readFileSync(file(name), "utf8") : undefined;
const text = (): string | undefined => mirroredText(mirrorOf(db, file()), onDisk());

describe("mirrored files", () => {
  it("are written whole, private, without leftovers, and removed again", () => {
    setMirror(db, file(), "one");
    expect(text()).toBe("one");
    expect(writeOpenMirrors(db, uid)).toEqual(new Map());
    expect(onDisk()).toBe("one");
    expect(fs.statSync(file()).mode & 0o777).toBe(0o600);
    expect(fs.statSync(path.dirname(file())).mode & 0o777).toBe(0o700);
    setMirror(db, file(), undefined);
    expect(text()).toBeUndefined();
    writeOpenMirrors(db, uid);
    expect(fs.readdirSync(path.dirname(file()))).toEqual([]);
  });

  it("give way to a change from outside, and to a deletion", () => {
    setMirror(db, file(), "one");
    writeOpenMirrors(db, uid);
    fs.writeFileSync(file(), "theirs");
    expect(text()).toBe("theirs");
    fs.rmSync(file());
    expect(text()).toBeUndefined();
  });

  it("are repaired later when the process died between commit and write", () => {
    setMirror(db, file(), "one");
    expect(onDisk()).toBeUndefined();
    expect(text()).toBe("one");
    writeOpenMirrors(db, uid);
    expect(onDisk()).toBe("one");
  });

  it("that are held back are known to us alone, until somebody changes the file", () => {
    holdMirror(db, file(), "held");
    expect(writeOpenMirrors(db, uid)).toEqual(new Map());
    expect([text(), onDisk()]).toEqual(["held", undefined]);
    fs.mkdirSync(path.dirname(file()));
    fs.writeFileSync(file(), "theirs");
    expect(text()).toBe("theirs");
    holdMirror(db, file(), undefined);
    writeOpenMirrors(db, uid);
    expect([text(), onDisk()]).toEqual([undefined, "theirs"]);
    setMirror(db, file(), "ours");
    writeOpenMirrors(db, uid);
    expect(onDisk()).toBe("ours");
  });

  it("report what could not be written and try it again", () => {
    fs.writeFileSync(file("a"), "a file where a folder should be");
    setMirror(db, file(), "one");
    expect([...writeOpenMirrors(db, uid).keys()]).toEqual([file()]);
    fs.rmSync(file("a"));
    expect(writeOpenMirrors(db, uid).size).toBe(0);
    expect(onDisk()).toBe("one");
  });

  it.each([
    ["a link", (target: string) => fs.symlinkSync("/etc/hostname", target)],
    ["a folder", (target: string) => fs.mkdirSync(target)],
  ])("never remove %s", (_name, make) => {
    fs.mkdirSync(path.dirname(file()));
    make(file());
    setMirror(db, file(), undefined);
    writeOpenMirrors(db, uid);
    expect(fs.lstatSync(file())).toBeTruthy();
  });
});

describe("texts for the end of a person's file", () => {
  it("are added in their order, once, even if the process dies before that is written down", () => {
    fs.mkdirSync(path.dirname(file()));
    fs.writeFileSync(file(), "theirs\n");
    addAppend(db, file(), "one (a)\n", "(a)");
    addAppend(db, file(), "two (b)\n", "(b)");
    expect(writeOpenMirrors(db, uid).size).toBe(0);
    expect(onDisk()).toBe("theirs\none (a)\ntwo (b)\n");
    addAppend(db, file(), "one (a)\n", "(a)");
    writeOpenMirrors(db, uid);
    expect(onDisk()).toBe("theirs\none (a)\ntwo (b)\n");
    expect(db.all("SELECT * FROM appends")).toEqual([]);
  });

  it("make the file and its folder", () => {
    addAppend(db, file(), "one (a)\n", "(a)");
    writeOpenMirrors(db, uid);
    expect(onDisk()).toBe("one (a)\n");
  });

  it("never go through a link, and are not tried again", () => {
    fs.mkdirSync(path.dirname(file()));
    fs.writeFileSync(file("private"), "mine");
    fs.symlinkSync(file("private"), file());
    addAppend(db, file(), "one (a)\n", "(a)");
    expect([...writeOpenMirrors(db, uid).keys()]).toEqual([file()]);
    expect(fs.readFileSync(file("private"), "utf8")).toBe("mine");
    expect(writeOpenMirrors(db, uid).size).toBe(0);
  });

  it("wait for a folder that cannot be made yet", () => {
    fs.writeFileSync(file("a"), "a file where a folder should be");
    addAppend(db, file(), "one (a)\n", "(a)");
    expect([...writeOpenMirrors(db, uid).keys()]).toEqual([file()]);
    fs.rmSync(file("a"));
    writeOpenMirrors(db, uid);
    expect(onDisk()).toBe("one (a)\n");
  });
});
