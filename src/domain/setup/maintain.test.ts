import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Database } from "../../state/database.ts";
import { openTable } from "../../state/stores.ts";
import { BoardFile } from "../board/board-file.ts";
import { makeBoard } from "../board/open-board.ts";
import { ModeRuns } from "../mode/mode-runs.ts";
import type { ModeName } from "../mode/modes.ts";
import { maintainProject, maintenanceText, runMaintainJob } from "./maintain.ts";
import { setupReports } from "./store.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.now();

let root: string;
let project: string;
let db: Database;
beforeEach(() => {
  root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "hookwright-maintain-")));
  project = path.join(root, "app");
  fs.mkdirSync(project);
  db = new Database(":memory:", 50);
});
afterEach(() => {
  db.close();
  fs.rmSync(root, { recursive: true, force: true });
});

const at = (name: string): string => path.join(project, ".omc", name);

function put(name: string, age: number, text = "{}"): void {
  fs.mkdirSync(path.dirname(at(name)), { recursive: true });
  fs.writeFileSync(at(name), text);
  touch(at(name), age);
}

const touch = (file: string, age: number): void => fs.utimesSync(file, (NOW - age) / 1_000, (NOW - age) / 1_000);
const there = (): string[] =>
  fs
    .readdirSync(at(""), { recursive: true, encoding: "utf8" })
    .filter((name) => fs.lstatSync(at(name)).isFile())
    .sort();

function maintain(dryRun = false) {
  const done = maintainProject(project, db, { now: NOW, dryRun });
  return { ...done, removed: done.removed.map((file) => path.relative(at(""), file)) };
}

function run(mode: ModeName, session: string): void {
  const rest = {
    round: 0,
    limit: 5,
    phase: "",
    request: "x",
    startedAt: 1,
    seenAt: 1,
    parent: "",
    promptId: "",
  } as const;
  const place = { pid: 0, pane: "", why: "", details: {} } as const;
  const runs = new ModeRuns(openTable(db, `project:${project}`, "modes", () => undefined));
  runs.save({ mode, session, status: "paused", ...rest, ...place });
}

describe("old files", () => {
  it.each([
    ["state of a week", "state/skill-sessions.json", 7 * DAY],
    ["an ended mode's state", "state/ralph-state.json", 7 * DAY],
    ["an ended mode's state in a session", "state/sessions/s1/ralph-state.json", 7 * DAY],
    ["a file of one session", "state/usage-session-abc.json", DAY],
    ["a checkpoint", "state/checkpoints/checkpoint-2026-01-02T03-04-05-000Z.json", DAY],
    ["wisdom beside it", "state/checkpoints/wisdom-2026-01-02T03-04-05-000Z.md", DAY],
    ["a draft that was left", "state/ralph-state.json.123.tmp", 7 * DAY],
  ])("%s goes when it is too old, and not before", (_name, file, age) => {
    put(file, age - HOUR);
    expect(maintain().removed).toEqual([]);
    expect(there()).toEqual([file]);
    touch(at(file), age + HOUR);
    expect(maintain(true).removed).toEqual([file]);
    expect(there()).toEqual([file]);
    expect(maintain()).toMatchObject({ removed: [file], problems: [] });
    expect(there()).toEqual([]);
  });

  it.each([
    "notepad.md",
    "prd.json",
    "plans/old.md",
    "logs/delegation-audit.jsonl",
    "sessions/s1.json",
    "skills/x.md",
    "state/.gitignore",
    "state/checkpoints/.gitignore",
    "state/checkpoints/mine.json",
    "state/swarm-tasks.db",
    "state/swarm.db",
    "state/swarm.db-wal",
    "state/sessions/s1/notes.md",
    "state/folder/deep.json",
  ])("%s stays however old it is", (file) => {
    put(file, 900 * DAY, file.endsWith(".db") ? "" : "x");
    expect(maintain().removed).toEqual([]);
    expect(there()).toEqual([file]);
  });

  it("the state of a mode that has not ended stays, in both of its files", () => {
    run("ultrawork", "s1");
    put("state/ultrawork-state.json", 30 * DAY, '{"active": false}');
    put("state/sessions/s1/ultrawork-state.json", 30 * DAY, '{"active": false}');
    put("state/sessions/s2/ultrawork-state.json", 30 * DAY, '{"active": false}');
    expect(maintain().removed).toEqual(["state/sessions/s2/ultrawork-state.json"]);
  });

  it("so does that of another program's mode, which says that it goes on", () => {
    put("state/autopilot-state.json", 30 * DAY, '{"active": true}');
    put("state/ralph-state.json", 30 * DAY, "{ cut");
    expect(maintain().removed).toEqual(["state/ralph-state.json"]);
  });

  it("a folder of a session goes when nothing has been in it for a day", () => {
    fs.mkdirSync(at("state/sessions/new"), { recursive: true });
    fs.mkdirSync(at("state/sessions/old"));
    touch(at("state/sessions/old"), 2 * DAY);
    maintain();
    expect(fs.readdirSync(at("state/sessions"))).toEqual(["new"]);
  });
});

describe("links lead nowhere", () => {
  it.each(["", "state", "state/checkpoints", "state/sessions", "state/sessions/s1"])(
    "in the place of .omc/%s",
    (name) => {
      const outside = path.join(root, "outside");
      const files = ["ralph-state.json", "checkpoint-1.json", "state/ralph-state.json", "s1/ralph-state.json"];
      for (const file of files) {
        fs.mkdirSync(path.dirname(path.join(outside, file)), { recursive: true });
        fs.writeFileSync(path.join(outside, file), "{}");
        touch(path.join(outside, file), 30 * DAY);
      }
      fs.mkdirSync(path.dirname(at(name)), { recursive: true });
      fs.symlinkSync(outside, at(name));
      expect(maintain().removed).toEqual([]);
      for (const file of files) expect(fs.existsSync(path.join(outside, file)), file).toBe(true);
    },
  );

  it("a link that is old itself stays", () => {
    fs.mkdirSync(at("state"), { recursive: true });
    fs.symlinkSync("/etc/hostname", at("state/x.json"));
    expect(maintainProject(project, db, { now: NOW + 400 * DAY, dryRun: false }).removed).toEqual([]);
  });
});

describe("the task board", () => {
  it("gets smaller, with its tasks", () => {
    const { file } = makeBoard(project, {}, { now: () => NOW, uid: process.getuid?.() ?? 0 });
    const board = new BoardFile(file, 1_000);
    const add = "INSERT INTO tasks (id, description, status, number) VALUES (?, ?, 'pending', ?)";
    board.transaction(() => {
      for (let n = 1; n <= 300; n++) board.run(add, `task-${n}`, "x".repeat(2_000), n);
    });
    board.transaction(() => board.run("DELETE FROM tasks WHERE number > 1"));
    board.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    board.close();
    const before = fs.statSync(file).size;
    expect(maintain(true).board).toBe("would be compacted");
    expect(fs.statSync(file).size).toBe(before);
    expect(maintain()).toMatchObject({ board: "compacted", problems: [] });
    const after = new BoardFile(file, 1_000);
    after.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    expect(after.get("SELECT COUNT(*) AS n FROM tasks")?.n).toBe(1);
    after.close();
    expect(fs.statSync(file).size).toBeLessThan(before / 4);
  });

  it("that is damaged is named and left", () => {
    put("state/swarm-tasks.db", 30 * DAY, "this is no database ".repeat(200));
    const { board, problems } = maintain();
    expect(board).toBe("not compacted");
    expect(problems).toEqual([expect.stringContaining("The task board was not compacted:")]);
    expect(there()).toContain("state/swarm-tasks.db");
  });
});

// Root may remove anything.
it.skipIf(process.getuid?.() === 0)("a file that cannot be removed is named", () => {
  put("state/b.json", 9 * DAY);
  fs.chmodSync(at("state"), 0o500);
  const { removed, problems } = maintain();
  fs.chmodSync(at("state"), 0o700);
  expect(removed).toEqual([]);
  expect(problems).toEqual([expect.stringContaining("b.json was not removed: ")]);
});

it("nothing is made where there is no .omc", () => {
  expect(maintain()).toMatchObject({ removed: [], board: "none", problems: [] });
  expect(fs.readdirSync(project)).toEqual([]);
});

describe("as a job", () => {
  const untold = () => setupReports.open(openTable(db, `project:${project}`, setupReports.name)).untold();

  it("leaves a report for the next session of the project", () => {
    put("state/a.json", 9 * DAY);
    put("state/checkpoints/checkpoint-1.json", 9 * DAY);
    runMaintainJob({ project }, db, NOW);
    expect(untold()).toEqual([{ done: "Maintenance of .omc: removed 2 old files.", problems: [] }]);
    runMaintainJob({ project }, db, NOW);
    expect(untold().map(({ done }) => done)).toEqual([
      "Maintenance of .omc: removed 2 old files.",
      "Maintenance of .omc: nothing was old enough to remove.",
    ]);
  });

  it("says what stands in the way", () => {
    fs.writeFileSync(at(""), "x");
    runMaintainJob({ project }, db, NOW);
    expect(untold()[0]?.problems).toEqual([`${project}/.omc is no plain folder, so nothing was done in it.`]);
  });
});

it("one file is one file", () => {
  const done = { project, board: "compacted", problems: [] } as const;
  expect(maintenanceText({ ...done, removed: ["x"] })).toBe(
    "Maintenance of .omc: removed 1 old file; the task board was compacted.",
  );
});
