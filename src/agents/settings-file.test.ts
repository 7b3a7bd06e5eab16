import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ErrorCode, HookwrightError } from "../core/errors.ts";
import {
  checkWritable,
  missingDirectory,
  readSettingsFile,
  removeSettingsFile,
  writeSettingsFile,
} from "./settings-file.ts";

let scratch: string;
let file: string;
beforeEach(() => {
  scratch = mkdtempSync(path.join(os.tmpdir(), "hw settings 'q' \"d\" "));
  file = path.join(scratch, "settings.json");
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

function failing(code: ErrorCode, run: () => unknown): HookwrightError {
  try {
    run();
  } catch (error) {
    if (!(error instanceof HookwrightError)) throw error;
    expect(error.code).toBe(code);
    return error;
  }
  throw new Error(`${code} was expected`);
}

describe("reading", () => {
  const contents: readonly (readonly [name: string, bytes: string | undefined])[] = [
    ["no file", undefined],
    ["an empty file", ""],
    ["white space only", " \r\n\t\n"],
    ["a byte order mark", "\uFEFF{}\r\n"],
    ["text", '{"ä": "😀"}'],
  ];
  test.each(contents)("%s", (_name, text) => {
    if (text !== undefined) writeFileSync(file, text);
    const read = readSettingsFile(file);
    expect(read.text).toBe(text);
    expect(read.bytes?.toString()).toBe(text);
  });

  const others: readonly (readonly [what: string, make: () => unknown])[] = [
    ["a directory", () => mkdirSync(file)],
    ["a named pipe", () => execFileSync("mkfifo", [file])],
    ["a symbolic link to nothing (nowhere.json)", () => symlinkSync("nowhere.json", file)],
    ["a symbolic link in a circle", () => symlinkSync("settings.json", file)],
    ["a directory", () => symlinkSync(scratch, file)],
    ["a device", () => symlinkSync("/dev/null", file)],
    [
      "a socket",
      () =>
        new Promise((done) =>
          createServer()
            .listen(file, () => done(undefined))
            .unref(),
        ),
    ],
  ];
  test.each(others)("%s in its place is refused", async (what, make) => {
    await make();
    const error = failing("HW_SETTINGS_NOT_A_FILE", () => readSettingsFile(file));
    expect(error.message).toBe(`${file} is ${what}, not a regular file.`);
  });

  test("a file where the directory should be", () => {
    writeFileSync(file, "");
    const error = failing("HW_READ_FAILED", () => readSettingsFile(path.join(file, "settings.json")));
    expect(error.message).toContain("not a directory (ENOTDIR)");
  });

  test("bytes that are not UTF-8 are refused with their place", () => {
    writeFileSync(file, Buffer.concat([Buffer.from('{\n  "ä": "'), Buffer.from([0xe4]), Buffer.from('"\n}')]));
    expect(failing("HW_SETTINGS_MALFORMED", () => readSettingsFile(file)).message).toContain(":2:9: ");
  });
});

describe("writing", () => {
  test("keeps the mode and leaves nothing beside the file", () => {
    writeFileSync(file, "old");
    chmodSync(file, 0o640);
    expect(missingDirectory(readSettingsFile(file))).toBeUndefined();
    writeSettingsFile(readSettingsFile(file), "new");
    expect(readFileSync(file, "utf8")).toBe("new");
    expect(statSync(file).mode & 0o7777).toBe(0o640);
    expect(readdirSync(scratch)).toEqual(["settings.json"]);
  });

  test("makes a missing directory, says which, and takes it away again with the file", () => {
    const deep = path.join(scratch, "a", "b", "settings.json");
    expect(missingDirectory(readSettingsFile(deep))).toBe(path.join(scratch, "a"));
    writeSettingsFile(readSettingsFile(deep), "{}");
    expect(readFileSync(deep, "utf8")).toBe("{}");
    removeSettingsFile(readSettingsFile(deep), path.join(scratch, "a"));
    expect(readdirSync(scratch)).toEqual([]);
  });

  test("a directory that is in use by then stays", () => {
    const deep = path.join(scratch, "a", "b", "settings.json");
    const created = missingDirectory(readSettingsFile(deep));
    writeSettingsFile(readSettingsFile(deep), "{}");
    writeFileSync(path.join(scratch, "a", "other"), "");
    removeSettingsFile(readSettingsFile(deep), created);
    expect(readdirSync(path.join(scratch, "a"))).toEqual(["other"]);
  });

  test("follows a symbolic link and keeps it", () => {
    mkdirSync(path.join(scratch, "dotfiles"));
    const real = path.join(scratch, "dotfiles", "claude.json");
    writeFileSync(real, "old");
    symlinkSync(path.join("dotfiles", "claude.json"), file);
    writeSettingsFile(readSettingsFile(file), "new");
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(readlinkSync(file)).toBe(path.join("dotfiles", "claude.json"));
    expect(readFileSync(real, "utf8")).toBe("new");
    expect(readdirSync(path.join(scratch, "dotfiles"))).toEqual(["claude.json"]);
  });

  const changes: readonly (readonly [name: string, before: string | undefined, change: () => void])[] = [
    ["edited", "old", () => writeFileSync(file, "edited")],
    ["deleted", "old", () => rmSync(file)],
    ["made", undefined, () => writeFileSync(file, "")],
    [
      "turned into a link to the same bytes",
      "old",
      () => {
        rmSync(file);
        writeFileSync(path.join(scratch, "other"), "old");
        symlinkSync("other", file);
      },
    ],
  ];
  test.each(changes)("refuses when the file was %s meanwhile", (_name, before, change) => {
    if (before !== undefined) writeFileSync(file, before);
    const read = readSettingsFile(file);
    change();
    const after = readdirSync(scratch).map((name) => [name, readFileSync(path.join(scratch, name), "utf8")]);
    failing("HW_SETTINGS_CHANGED", () => writeSettingsFile(read, "ours"));
    failing("HW_SETTINGS_CHANGED", () => removeSettingsFile(read));
    expect(readdirSync(scratch).map((name) => [name, readFileSync(path.join(scratch, name), "utf8")])).toEqual(after);
  });

  test("a directory that takes no files is refused before and while writing, and nothing is left", () => {
    // Not even root can make a file there, so this holds for every user the tests run as.
    const read = readSettingsFile("/proc/self/hookwright/settings.json");
    failing("HW_WRITE_FAILED", () => writeSettingsFile(read, "{}"));
    expect(existsSync("/proc/self/hookwright")).toBe(false);
  });

  const asRoot = process.getuid?.() === 0;
  if (asRoot) console.log("skipped: read-only file and directory (root is not bound by file modes)");
  test.skipIf(asRoot)("a read-only file or directory is refused and stays", () => {
    writeFileSync(file, "old");
    const read = readSettingsFile(file);
    chmodSync(file, 0o444);
    failing("HW_WRITE_FAILED", () => checkWritable(read));
    chmodSync(file, 0o644);
    chmodSync(scratch, 0o555);
    failing("HW_WRITE_FAILED", () => writeSettingsFile(read, "new"));
    chmodSync(scratch, 0o755);
    expect(readFileSync(file, "utf8")).toBe("old");
    chmodSync(file, 0o200);
    failing("HW_READ_FAILED", () => readSettingsFile(file));
  });
});
