import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openConnection } from "../../state/driver.ts";
import { type Board, LEASE_MS } from "./board.ts";
import { makeBoard, openBoard } from "./open-board.ts";
import { areStatusFilesCurrent, writeStatusFiles } from "./status-files.ts";

let root: string;
let now: number;
let board: Board;
beforeEach(() => {
  root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "hookwright-status-")));
  now = Date.UTC(2026, 0, 2, 3, 4, 5);
  make();
  board = openBoard(root, () => now);
});
afterEach(async () => {
  await board.close();
  fs.rmSync(root, { recursive: true, force: true });
});

const environment = { now: () => now, uid: process.getuid?.() ?? 0 };
const make = () => makeBoard(root, { agents: 4 }, environment);
const write = () => writeStatusFiles(root, environment, 100);
const fileOf = (name: string): string => path.join(root, ".omc/state", name);
const [summary, marker] = ["swarm-summary.json", "swarm-active.marker"];
const read = (name: string) => JSON.parse(fs.readFileSync(fileOf(name), "utf8"));
const hasMarker = () => fs.existsSync(fileOf(marker));
const isCurrent = async () => areStatusFilesCurrent(root, await board.overview());
const add = (text: string) => board.add({ text, priority: 0, after: [] });

describe("the files for other programs", () => {
  it("have the fields that those programs read, and are private", async () => {
    for (const text of ["one", "two", "three", "four"]) await add(text);
    await board.claim("ada");
    await board.claim("bob");
    await board.finish({ task: "1", agent: "ada" }, undefined);
    now += 60_000;
    write();
    const { session } = await board.overview();
    expect(read(summary)).toEqual({
      session_id: session,
      started_at: "2026-01-02T03:04:05.000Z",
      updated_at: "2026-01-02T03:05:05.000Z",
      task_count: 4,
      tasks_pending: 2,
      tasks_claimed: 1,
      tasks_done: 1,
      active: true,
      project_path: root,
    });
    expect(read(marker)).toEqual({
      mode: "swarm",
      startedAt: "2026-01-02T03:04:05.000Z",
      agentCount: 4,
      taskCount: 4,
    });
    expect([summary, marker].map((name) => fs.statSync(fileOf(name)).mode & 0o777)).toEqual([0o600, 0o600]);
    expect(fs.readdirSync(fileOf("")).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    expect(await isCurrent()).toBe(true);
  });

  it.each<[string, boolean, Partial<Record<string, number | boolean>>, () => Promise<unknown>]>([
    ["an empty board", false, { task_count: 0, active: true }, async () => undefined],
    ["a pending task", true, { tasks_pending: 1, active: true }, () => add("one")],
    [
      "a claimed task",
      true,
      { tasks_pending: 0, tasks_claimed: 1 },
      async () => {
        await add("one");
        await board.claim("ada");
      },
    ],
    [
      "a failed task only",
      false,
      { task_count: 1, tasks_pending: 0, tasks_claimed: 0, tasks_done: 0, active: false },
      async () => {
        await add("one");
        await board.claim("ada");
        await board.fail({ task: "1", agent: "ada" }, undefined);
      },
    ],
    [
      "an expired lease",
      true,
      { tasks_pending: 1, tasks_claimed: 0, active: true },
      async () => {
        await add("one");
        await board.claim("ada");
        now += LEASE_MS;
      },
    ],
    [
      "an ended swarm with open tasks",
      false,
      { task_count: 1, tasks_pending: 1, active: false },
      async () => {
        await add("one");
        await board.end();
      },
    ],
  ])("%s: the marker exists: %s", async (_what, isMarked, expected, prepare) => {
    await add("earlier");
    write();
    expect(hasMarker()).toBe(true);
    makeBoard(root, { isFresh: true }, environment);
    await prepare();
    write();
    expect(hasMarker()).toBe(isMarked);
    expect(read(summary)).toMatchObject(expected);
    expect(await isCurrent()).toBe(true);
  });

  it("are known to be out of date after each kind of change, and only then", async () => {
    const changes: readonly (readonly [string, () => Promise<unknown>])[] = [
      ["add", () => add("one")],
      ["claim", () => board.claim("ada")],
      ["release", () => board.release({ task: "1", agent: "ada" })],
      ["another claim", () => board.claim("ada")],
      ["fail", () => board.fail({ task: "1", agent: "ada" }, undefined)],
      ["retry", () => board.retry("1")],
      ["a third claim", () => board.claim("ada")],
      ["finish", () => board.finish({ task: "1", agent: "ada" }, undefined)],
      ["a new round", async () => make()],
      ["end", () => board.end()],
    ];
    for (const [what, change] of changes) {
      write();
      expect([what, await isCurrent()]).toEqual([what, true]);
      await change();
      expect([what, await isCurrent()]).toEqual([what, false]);
    }
    write();
    now += 1_000;
    expect(await board.renew("nobody")).toEqual([]);
    expect(await isCurrent()).toBe(true);
  });

  it.each<[string | undefined, string]>([
    ["", "cut"],
    ["null", "no object"],
    [undefined, "removed"],
  ])("are written again when they are %j (%s)", async (content) => {
    await add("one");
    for (const name of [summary, marker]) {
      write();
      if (content === undefined) fs.rmSync(fileOf(name));
      else fs.writeFileSync(fileOf(name), content);
      expect(await isCurrent()).toBe(false);
    }
    write();
    expect(await isCurrent()).toBe(true);
  });

  it("replace a link instead of following it, and a draft that a killed process left", async () => {
    await add("one");
    const outside = path.join(root, "outside");
    fs.writeFileSync(outside, "mine");
    for (const name of [summary, marker]) {
      fs.symlinkSync(outside, fileOf(name));
      fs.symlinkSync(outside, fileOf(`${name}.tmp`));
    }
    write();
    expect(fs.readFileSync(outside, "utf8")).toBe("mine");
    expect([summary, marker].map((name) => fs.lstatSync(fileOf(name)).isFile())).toEqual([true, true]);
    expect(fs.readdirSync(fileOf("")).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it("are written although another program removes a draft", async () => {
    await add("one");
    const rename = fs.renameSync;
    const removed = vi.spyOn(fs, "renameSync").mockImplementationOnce((from, to) => {
      fs.rmSync(from);
      rename(from, to);
    });
    write();
    expect(removed).toHaveBeenCalledTimes(3);
    expect(await isCurrent()).toBe(true);
  });

  it("are named when they cannot be written, and leave a marker that is no file", async () => {
    fs.mkdirSync(fileOf(marker));
    write();
    expect(fs.statSync(fileOf(marker)).isDirectory()).toBe(true);
    await add("one");
    expect(write).toThrow(`Could not write ${fileOf(marker)}`);
    expect(await board.overview()).toMatchObject({ tasks: [{ status: "pending" }] });
  });

  it("are written only by the process that has the lock, so that an earlier state never comes last", async () => {
    await add("one");
    const other = openConnection(fileOf("swarm-tasks.db"));
    other.exec("BEGIN IMMEDIATE");
    expect(write).toThrow("stayed locked");
    expect(fs.existsSync(fileOf(summary))).toBe(false);
    other.exec("COMMIT");
    other.close();
    // Whoever wants to write while the files are written waits until they are.
    const rename = fs.renameSync;
    const seen: string[] = [];
    vi.spyOn(fs, "renameSync").mockImplementation((from, to) => {
      const late = openConnection(fileOf("swarm-tasks.db"));
      try {
        late.exec("BEGIN IMMEDIATE");
        seen.push("not locked");
      } catch (error) {
        seen.push(String(error));
      }
      late.close();
      rename(from, to);
    });
    write();
    expect(seen).toEqual([expect.stringContaining("locked"), expect.stringContaining("locked")]);
    expect(seen).not.toContain("not locked");
  });
});
