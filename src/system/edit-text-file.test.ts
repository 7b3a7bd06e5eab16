import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { editTextFile } from "./edit-text-file.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "hookwright-edit-")));
  file = path.join(folder, "notes.md");
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const read = (): string => fs.readFileSync(file, "utf8");
const nobody = (): void => undefined;
const withLine =
  (line: string) =>
  (text = ""): string =>
    `${text}${line}\n`;
/** Somebody else writes when the edit reaches that point, at most so often. */
const meanwhile = (point: string, times: number, write: (time: number) => void) => {
  let time = 0;
  return (reached: string): void => {
    if (reached === point && time < times) write(++time);
  };
};

describe("an edit", () => {
  it("makes a file that only its owner can read", () => {
    expect(editTextFile(file, withLine("a"), nobody)).toBe(true);
    expect(read()).toBe("a\n");
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(fs.readdirSync(folder)).toEqual(["notes.md"]);
  });
  it("keeps the mode of a file, whatever the umask", () => {
    fs.writeFileSync(file, "a\n");
    fs.chmodSync(file, 0o666);
    expect(editTextFile(file, withLine("b"), nobody)).toBe(true);
    expect(read()).toBe("a\nb\n");
    expect(fs.statSync(file).mode & 0o777).toBe(0o666);
  });
  it("writes nothing when nothing changes", () => {
    expect(editTextFile(file, () => undefined, nobody)).toBe(false);
    expect(fs.existsSync(file)).toBe(false);
    fs.writeFileSync(file, "a\n");
    const { ino } = fs.statSync(file);
    expect(editTextFile(file, (text) => text, nobody)).toBe(false);
    expect(fs.statSync(file).ino).toBe(ino);
  });
  it("keeps every character, also one in the middle of the text", () => {
    for (const text of ["😀", "a😀", "\uFEFFä\r\n", "日本語 日本語"]) {
      fs.rmSync(file, { force: true });
      editTextFile(file, () => text, nobody);
      expect(read()).toBe(text);
    }
  });
});

describe("a change of somebody else", () => {
  it.each([1, 3])("is edited instead, also the %i. time", (times) => {
    fs.writeFileSync(file, "mine\n");
    const other = meanwhile("edit-before-rename", times, (time) => fs.writeFileSync(file, `theirs ${time}\n`));
    expect(editTextFile(file, withLine("b"), other)).toBe(true);
    expect(read()).toBe(`theirs ${times}\nb\n`);
    expect(fs.readdirSync(folder)).toEqual(["notes.md"]);
  });
  it("is seen although size and time are the same", () => {
    fs.writeFileSync(file, "1234\n");
    const { atime, mtime } = fs.statSync(file);
    const other = meanwhile("edit-half-written", 1, () => {
      fs.writeFileSync(file, "5678\n");
      fs.utimesSync(file, atime, mtime);
    });
    editTextFile(file, withLine("b"), other);
    expect(read()).toBe("5678\nb\n");
  });
  it("may be that the file appears, or goes", () => {
    editTextFile(
      file,
      withLine("b"),
      meanwhile("edit-before-rename", 1, () => fs.writeFileSync(file, "theirs\n")),
    );
    expect(read()).toBe("theirs\nb\n");
    editTextFile(
      file,
      withLine("c"),
      meanwhile("edit-before-rename", 1, () => fs.rmSync(file)),
    );
    expect(read()).toBe("c\n");
  });
  it("is not overwritten when it never ends", () => {
    fs.writeFileSync(file, "mine\n");
    const other = meanwhile("edit-before-rename", 1_000, (time) => fs.writeFileSync(file, `theirs ${time}\n`));
    expect(() => editTextFile(file, withLine("b"), other)).toThrow("other programs changed it again and again");
    expect(read()).toBe("theirs 10\n");
    expect(fs.readdirSync(folder)).toEqual(["notes.md"]);
  });
});

describe("what is no text file of one's own", () => {
  const refuses = (detail: string): void => {
    const before = fs.readdirSync(folder);
    expect(() => editTextFile(file, withLine("b"), nobody)).toThrow(detail);
    expect(fs.readdirSync(folder)).toEqual(before);
  };
  it("a link is left alone, wherever it leads", () => {
    const target = path.join(folder, "target");
    fs.symlinkSync(target, file);
    refuses("it is a link");
    fs.writeFileSync(target, "theirs\n");
    refuses("it is a link");
    expect(fs.readFileSync(target, "utf8")).toBe("theirs\n");
  });
  it("a folder", () => {
    fs.mkdirSync(file);
    refuses("it is not a plain file");
  });
  it("other bytes than UTF-8", () => {
    fs.writeFileSync(file, Buffer.from([0x61, 0xff, 0xfe]));
    refuses("it is not UTF-8 text");
  });
  it("a very large file", () => {
    fs.writeFileSync(file, "x".repeat(1024 * 1024 + 1));
    refuses("it has 1048577 bytes");
  });
});

it("removes what a killed writer has left, and not the draft of one that works", () => {
  const left = path.join(folder, ".notes.md.999999999.tmp");
  const open = path.join(folder, `.notes.md.${process.ppid}.tmp`);
  const other = path.join(folder, ".others.md.999999999.tmp");
  for (const draft of [left, open, other]) fs.writeFileSync(draft, "x");
  editTextFile(file, withLine("a"), nobody);
  expect(fs.readdirSync(folder).sort()).toEqual([path.basename(open), path.basename(other), "notes.md"].sort());
});
