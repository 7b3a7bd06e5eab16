import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as patterns from "../../config/patterns.ts";
import { readYaml } from "../../config/read-yaml.ts";
import { homeAt } from "../../system/home.ts";
import { system } from "../../system/system.ts";
import { openForeignFormats } from "./foreign-formats.ts";

let folder: string;
let file: string;
let parsed = 0;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "hookwright-yaml-"));
  file = path.join(folder, "project.yml");
  parsed = 0;
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const open = (isReadOnly = false) =>
  openForeignFormats(
    homeAt(path.join(folder, "hw"), folder, system.realPath),
    {
      readYaml: (text) => {
        parsed++;
        return readYaml(text);
      },
      readToml: () => {
        throw new Error("nobody here reads TOML");
      },
      loadPatterns: () => patterns,
    },
    isReadOnly,
  );

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 120));

describe("YAML of other programs", () => {
  it("is read once until it changes, also by another process", async () => {
    fs.writeFileSync(file, "hooks: { a: true } # why\n");
    await pause();
    const formats = open();
    for (let i = 0; i < 3; i++) expect(formats.readYaml(file)).toEqual({ kind: "data", value: { hooks: { a: true } } });
    expect(parsed).toBe(1);
    expect(open().readYaml(file)).toEqual({ kind: "data", value: { hooks: { a: true } } });
    expect(parsed).toBe(1);
    fs.writeFileSync(file, "hooks: { a: false }\n");
    expect(formats.readYaml(file)).toEqual({ kind: "data", value: { hooks: { a: false } } });
  });

  it("that has just changed is never taken from what was kept", () => {
    const formats = open();
    fs.writeFileSync(file, "a: 1\n");
    expect(formats.readYaml(file)).toEqual({ kind: "data", value: { a: 1 } });
    fs.writeFileSync(file, "a: 2\n");
    expect(formats.readYaml(file)).toEqual({ kind: "data", value: { a: 2 } });
  });

  it("leaves no trace of a look that may leave none", async () => {
    fs.writeFileSync(file, "a: 1\n");
    await pause();
    open(true).readYaml(file);
    expect(fs.existsSync(path.join(folder, "hw"))).toBe(false);
  });

  it("is still read when nothing can be kept, or when what was kept is broken", async () => {
    fs.writeFileSync(file, "a: 1\n");
    await pause();
    open().readYaml(file);
    const cache = path.join(folder, "hw/cache");
    const [kept = ""] = fs.readdirSync(cache);
    fs.writeFileSync(path.join(cache, kept), "{");
    expect(open().readYaml(file)).toEqual({ kind: "data", value: { a: 1 } });
    fs.rmSync(cache, { recursive: true });
    fs.writeFileSync(cache, "a file where the folder should be");
    expect(open().readYaml(file)).toEqual({ kind: "data", value: { a: 1 } });
  });

  it.each([
    ["nothing", "", { kind: "data", value: null }],
    ["a comment", "# only\n", { kind: "data", value: null }],
    ["a mistake", "a: {\n", { kind: "unreadable", detail: expect.stringMatching(/project\.yml:2:1: .*\.$/) }],
    ["the same key twice", "a: 1\na: 2\n", { kind: "unreadable", detail: expect.stringContaining(":2:1: ") }],
    [
      "bytes that are no text",
      Buffer.from([0x61, 0xff]),
      { kind: "unreadable", detail: expect.stringContaining("UTF-8") },
    ],
  ])("says what it is: %s", (_name, text, expected) => {
    fs.writeFileSync(file, text);
    expect(open().readYaml(file)).toEqual(expected);
  });

  it("says when there is none, or no file", () => {
    expect(open().readYaml(file)).toEqual({ kind: "absent" });
    fs.mkdirSync(file);
    expect(open().readYaml(file)).toMatchObject({ kind: "unreadable" });
  });
});

describe("globs", () => {
  it.each([
    ["src/**/*.ts", "src/a/b.ts", true],
    ["src/*.ts", "src/a/b.ts", false],
    ["!src", "src", undefined],
  ])("%s for %s: %s", (pattern, name, expected) => {
    expect(open().matchesGlob(pattern, name)).toBe(expected);
  });
});
