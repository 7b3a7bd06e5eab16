import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Folders, folderLooks, LOOK_YOURSELF } from "./folders.ts";
import { system } from "./system.ts";

/** As long as a change is held to be fresh here; a kernel's clock ticks at least every ten milliseconds. */
const FRESH = 40;
let root: string;
let moment: number;
let folders: Folders;
const at = (...parts: string[]): string => path.join(root, ...parts);

beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), "hookwright-folders-"));
  moment = 0;
  folders = folderLooks(
    () => Date.now() + 3_000 - FRESH,
    () => moment,
  );
});
afterEach(() => {
  vi.restoreAllMocks();
  fs.rmSync(root, { recursive: true, force: true });
});

const settle = (): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FRESH + 15);
};
/** Asked at a later moment, so that what was seen before is no longer fresh. */
function isMissing(file: string): boolean {
  moment += 10;
  return folders.missing(file) !== undefined;
}
/** What is asked for once is not worth more than a look at it. */
function known(file: string): boolean {
  isMissing(file);
  return isMissing(file);
}

describe("a file that is not there", () => {
  it("is known by its folder from the second time on, without a look at the file", () => {
    settle();
    expect([isMissing(at("a")), isMissing(at("a"))]).toEqual([false, true]);
    const look = vi.spyOn(fs, "lstatSync");
    expect([isMissing(at("a")), look.mock.calls.length]).toEqual([true, 0]);
  });

  it("costs one look at the folder for all of them, and none within a moment", () => {
    settle();
    for (const name of ["a", "b", "c"]) known(at(name));
    const looks = vi.spyOn(fs, "statSync");
    moment += 10;
    for (const name of ["a", "b", "c", "a"]) expect(folders.missing(at(name))).toBeDefined();
    expect(looks).toHaveBeenCalledTimes(1);
  });

  it.each<[string, () => void]>([
    ["is written", () => fs.writeFileSync(at("x"), "")],
    ["is renamed to", () => fs.renameSync(at("other"), at("x"))],
    ["becomes a link that leads nowhere", () => fs.symlinkSync(at("nowhere"), at("x"))],
    ["becomes a folder", () => fs.mkdirSync(at("x"))],
  ])("is looked for again when it %s", (_, happen) => {
    fs.writeFileSync(at("other"), "");
    settle();
    expect(known(at("x"))).toBe(true);
    happen();
    expect(isMissing(at("x"))).toBe(false);
    settle();
    expect([isMissing(at("x")), isMissing(at("x"))]).toEqual([false, false]);
    fs.rmSync(at("x"), { recursive: true });
    settle();
    expect(known(at("x"))).toBe(true);
  });

  it("is not relied on while its folder has changed lately", () => {
    expect([known(at("a")), isMissing(at("a"))]).toEqual([false, false]);
  });

  it("may lie in folders that are not there either", () => {
    settle();
    const deep = at("one", "two", "file");
    expect(known(deep)).toBe(true);
    fs.mkdirSync(at("one"));
    expect(isMissing(deep)).toBe(false);
    settle();
    expect(known(deep)).toBe(true);
    fs.mkdirSync(at("one", "two"));
    fs.writeFileSync(deep, "");
    settle();
    expect([isMissing(deep), isMissing(deep)]).toEqual([false, false]);
  });

  it("appears when a link on the way to it is led elsewhere", () => {
    for (const name of ["empty", "full"]) fs.mkdirSync(at(name));
    fs.writeFileSync(at("full", "file"), "");
    fs.symlinkSync(at("empty"), at("link"));
    settle();
    expect(known(at("link", "file"))).toBe(true);
    fs.rmSync(at("link"));
    fs.symlinkSync(at("full"), at("link"));
    expect(known(at("link", "file"))).toBe(false);
  });

  it.each<[string, () => string]>([
    [
      "behind a link to nowhere",
      () => {
        fs.symlinkSync(at("later"), at("link"));
        return at("link", "file");
      },
    ],
    [
      "below a file",
      () => {
        fs.writeFileSync(at("plain"), "");
        return at("plain", "file");
      },
    ],
    ["with a name that cannot be one", () => at("x".repeat(5_000))],
  ])("is never taken for granted %s", (_, make) => {
    const file = make();
    settle();
    expect([known(file), isMissing(file)]).toEqual([false, false]);
  });
});

describe("what lies in a folder", () => {
  it("is known by the folder from the second time on, without a look at it", () => {
    fs.mkdirSync(at("folder"));
    fs.writeFileSync(at("file"), "");
    fs.symlinkSync(at("folder"), at("link"));
    settle();
    const kinds = (): unknown[] => ["folder", "file", "link", "none"].map((name) => folders.kind(at(name)));
    expect(kinds()).toEqual([undefined, undefined, undefined, undefined]);
    expect(kinds()).toEqual(["directory", "file", "link", "missing"]);
    const look = vi.spyOn(fs, "lstatSync");
    moment += 10;
    expect([kinds(), look.mock.calls.length]).toEqual([["directory", "file", "link", "missing"], 0]);
  });

  it("is looked at again when something else takes its place", () => {
    fs.mkdirSync(at("x"));
    settle();
    folders.kind(at("x"));
    expect(folders.kind(at("x"))).toBe("directory");
    fs.rmdirSync(at("x"));
    fs.writeFileSync(at("x"), "");
    moment += 10;
    expect(folders.kind(at("x"))).toBeUndefined();
    settle();
    moment += 10;
    expect(folders.kind(at("x"))).toBe("file");
  });
});

it("never tells wrong what lies where, whatever happens around it", () => {
  const names = ["a", "b", "a/a", "a/b", "b/a", "a/a/a"];
  const step = fc.record({
    what: fc.constantFrom("write", "folder", "remove", "rename", "link", "wait"),
    name: fc.constantFrom(...names),
    other: fc.constantFrom(...names),
  });
  const happen: Readonly<Record<string, (name: string, other: string) => void>> = {
    write: (name) => fs.writeFileSync(at(name), ""),
    folder: (name) => fs.mkdirSync(at(name)),
    remove: (name) => fs.rmSync(at(name), { recursive: true }),
    rename: (name, other) => fs.renameSync(at(name), at(other)),
    link: (name, other) => fs.symlinkSync(at(other), at(name)),
    wait: settle,
  };
  const claims = { missing: 0, directory: 0, file: 0, link: 0, other: 0 };
  fc.assert(
    fc.property(fc.array(step, { minLength: 5, maxLength: 25 }), (steps) => {
      for (const name of fs.readdirSync(root)) fs.rmSync(at(name), { recursive: true });
      for (const { what, name, other } of steps) {
        try {
          happen[what]?.(name, other);
        } catch (error) {
          // What is not possible here does not happen.
          if (!(error instanceof Error && "code" in error)) throw error;
        }
        for (const one of names) {
          moment += 10;
          const claimed = folders.kind(at(one));
          if (claimed === undefined) continue;
          claims[claimed] += 1;
          expect(claimed, `${one} after ${what} ${name}`).toBe(system.kind(at(one)) ?? "missing");
        }
      }
    }),
    { numRuns: 40 },
  );
  expect(claims.missing).toBeGreaterThan(100);
  expect(Math.min(claims.directory, claims.file, claims.link)).toBeGreaterThan(10);
});

it("leaves every look to a process that decides one event", () => {
  settle();
  const { missing, kind, at: folder } = LOOK_YOURSELF;
  expect([missing(at("a")), kind(at("a")), folder(root).see()]).toEqual([undefined, undefined, undefined]);
});
