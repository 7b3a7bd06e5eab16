import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Database } from "../../state/database.ts";
import { bumpRevision } from "../../state/sessions.ts";
import { type StateFile, stateFile } from "./state-file.ts";

let folder: string;
let file: string;
let state: StateFile;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "hookwright-state-"));
  file = path.join(folder, "home", "state.db");
  state = stateFile(file, () => 50);
});
afterEach(() => {
  state.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

const opened = (): Database => state.open(0).db;
const count = (db: Database): number => Number(db.get("SELECT count(*) AS n FROM revisions")?.n);
const aside = (): string[] => fs.readdirSync(path.dirname(file)).filter((name) => name.includes(".corrupt-"));

/** As SQLite reports it; `code` 11 is a damaged database, 10 a disk that cannot be read. */
function sqliteError(code: number): Error {
  return Object.assign(new Error(`error ${code}`), { errcode: code, rawCode: code });
}

describe("opening", () => {
  it("happens once while the file stays what it is", () => {
    const db = opened();
    bumpRevision(db, "a");
    expect(state.open(0)).toEqual({ db, unrecorded: "", replaced: "" });
    expect(opened()).toBe(db);
  });

  it.each<[string, () => void]>([
    ["is gone", () => fs.rmSync(file)],
    ["is gone with its folder", () => fs.rmSync(path.dirname(file), { recursive: true })],
    ["was emptied", () => fs.truncateSync(file)],
    ["lost its log", () => fs.rmSync(`${file}-wal`)],
    ["was replaced", () => [fs.writeFileSync(`${file}.new`, ""), fs.renameSync(`${file}.new`, file)]],
  ])("happens again when the file %s, and what is written then can be read by others", (_, harm) => {
    const before = opened();
    bumpRevision(before, "before");
    harm();
    const after = opened();
    expect(after).not.toBe(before);
    bumpRevision(after, "after");
    expect(opened()).toBe(after);
    const other = stateFile(file, () => 50);
    expect(other.open(0).db.get("SELECT revision FROM revisions WHERE scope = 'after'")).toBeDefined();
    other.close();
  });

  it("does not happen again, and removes nothing, because of a cached answer from before it was opened", () => {
    fs.mkdirSync(path.dirname(file));
    fs.writeFileSync(file, "");
    let first: unknown;
    const stale = stateFile(
      file,
      () => 50,
      true,
      (_, look) => {
        first ??= look();
        return first as ReturnType<typeof look>;
      },
    );
    stale.open(0);
    fs.truncateSync(file);
    // Now it is known as empty; what takes its place is not.
    const { db } = stale.open(0);
    bumpRevision(db, "kept");
    expect(stale.open(0).db).toBe(db);
    expect(count(db)).toBe(1);
    stale.close();
  });

  it("that fails leaves a decision without memory, and says so, until it works again", () => {
    fs.writeFileSync(path.dirname(file), "in the way");
    const { db, unrecorded } = state.open(0);
    expect(unrecorded).toContain("could not record it");
    expect(count(db)).toBe(0);
    fs.rmSync(path.dirname(file));
    expect(state.open(0).unrecorded).toBe("");
    expect(fs.existsSync(file)).toBe(true);
  });

  it("costs nothing where the state is in memory anyway", () => {
    const inMemory = stateFile(":memory:", () => 50);
    expect(inMemory.open(0).db).toBe(inMemory.open(0).db);
    inMemory.close();
  });
});

describe("damage that shows only in use", () => {
  it("sets the file aside, says so once, and the work is done with a fresh one", async () => {
    bumpRevision(opened(), "old");
    const seen: (readonly [rows: number, replaced: string])[] = [];
    const done = await state.use(0, async ({ db, replaced }) => {
      seen.push([count(db), replaced]);
      if (seen.length === 1) throw sqliteError(11);
      bumpRevision(db, "new");
      return "done";
    });
    expect(done).toBe("done");
    expect(seen).toEqual([
      [1, ""],
      [0, expect.stringContaining("was damaged and has been moved to")],
    ]);
    expect(aside().filter((name) => !/-(wal|shm)$/.test(name))).toHaveLength(1);
    expect(state.open(0).replaced).toBe("");
    expect(count(opened())).toBe(1);
  });

  it("is not taken for damage of the file that somebody has put in its place", async () => {
    opened();
    let tries = 0;
    await state.use(0, async () => {
      if (++tries > 1) return;
      for (const end of ["", "-wal", "-shm"]) fs.rmSync(file + end, { force: true });
      const other = stateFile(file, () => 50);
      bumpRevision(other.open(0).db, "other's");
      other.close();
      throw sqliteError(11);
    });
    expect(aside()).toEqual([]);
    expect(count(opened())).toBe(1);
  });

  it("met by two at once is mended once", async () => {
    opened();
    let tries = 0;
    const both = [1, 2].map(() =>
      state.use(0, async ({ db }) => {
        const mine = ++tries;
        await new Promise((resolve) => setTimeout(resolve, 5));
        if (mine <= 2) throw sqliteError(11);
        return count(db);
      }),
    );
    expect(await Promise.all(both)).toEqual([0, 0]);
    expect(aside().filter((name) => !/-(wal|shm)$/.test(name))).toHaveLength(1);
  });
});

describe("a failure that is no damage", () => {
  it("gets a second try with a new connection, and the file stays", async () => {
    const first = opened();
    bumpRevision(first, "a");
    const used: Database[] = [];
    const rows = await state.use(0, async ({ db }) => {
      used.push(db);
      if (used.length === 1) throw sqliteError(10);
      return count(db);
    });
    expect([rows, used.length, used[1] === first]).toEqual([1, 2, false]);
    expect(aside()).toEqual([]);
  });

  it("that stays leads to a decision without memory, which is said", async () => {
    bumpRevision(opened(), "a");
    const result = await state.use(0, async ({ db, unrecorded }) => {
      if (count(db) > 0) throw sqliteError(10);
      return unrecorded;
    });
    expect(result).toBe("Hookwright decided, but could not record it: error 10.");
    expect(aside()).toEqual([]);
  });

  it("of the work itself comes out in the end", async () => {
    let tries = 0;
    const work = async (): Promise<void> => {
      tries++;
      throw new TypeError("not the database's fault");
    };
    await expect(state.use(0, work)).rejects.toThrow("not the database's fault");
    expect(tries).toBe(3);
  });
});

describe("a file that could not be written", () => {
  it("is opened anew, and makes the process stale as soon as others could write it", () => {
    const first = opened();
    expect(state.isStale()).toBe(false);
    state.failed(new Error("database or disk is full"));
    expect([opened() === first, state.isStale()]).toEqual([false, false]);
    state.failed(new Error("attempt to write a readonly database"));
    expect(state.isStale()).toBe(true);
    fs.rmSync(path.dirname(file), { recursive: true });
    expect(state.isStale()).toBe(false);
  });
});
