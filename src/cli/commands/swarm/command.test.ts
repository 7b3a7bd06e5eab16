import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { fileReader } from "../../../domain/mode/files/file-reader.ts";
import { machineOf } from "../../../domain/mode/machines.ts";
import { aRun } from "../../../domain/mode/mode.samples.ts";
import type { ModeRun } from "../../../domain/mode/mode-run.ts";
import { ModeRuns } from "../../../domain/mode/mode-runs.ts";
import type { ModeName } from "../../../domain/mode/modes.ts";
import { Database } from "../../../state/database.ts";
import { openTable, projectScope } from "../../../state/stores.ts";
import { runSwarm } from "./run.ts";
import {
  ask,
  claim,
  run,
  type SwarmOptions,
  scratch,
  stateFolder,
  statuses,
  useScratchProject,
} from "./swarm.samples.ts";

const LEASE_MS = 300_000;

useScratchProject();

describe("a board", () => {
  it("is made once, privately, for the whole repository, and with no trace in git", async () => {
    execFileSync("git", ["init", "-q", scratch.root]);
    const gitStatus = () =>
      execFileSync("git", ["-C", scratch.root, "status", "--porcelain", "--untracked-files=all"]).toString();
    fs.writeFileSync(path.join(scratch.root, "file"), "");
    const before = gitStatus();
    fs.mkdirSync(path.join(scratch.root, "sub/folder"), { recursive: true });
    const file = path.join(stateFolder(), "swarm-tasks.db");
    const made = await ask("init", { agents: "3" }, path.join(scratch.root, "sub/folder"));
    expect(made).toMatchObject({ root: scratch.root, file, created: true, imported: 0, expectedAgents: 3 });
    await run("add something");
    expect(await ask("init")).toMatchObject({ created: false, expectedAgents: 3, counts: { pending: 1 } });
    expect(gitStatus()).toBe(before);
    const modeOf = (name: string) => fs.statSync(path.join(scratch.root, name)).mode & 0o777;
    expect([".omc", ".omc/state", ".omc/state/swarm-tasks.db"].map(modeOf)).toEqual([0o700, 0o700, 0o600]);
    expect(fs.readFileSync(path.join(scratch.root, ".omc/.gitignore"), "utf8")).toBe("*\n");
  });

  it("leaves a .omc that was there as it is, but makes the folder of the state private", async () => {
    fs.mkdirSync(path.join(scratch.root, ".omc/state"), { recursive: true, mode: 0o755 });
    await run("init");
    expect(fs.readdirSync(path.join(scratch.root, ".omc"))).toEqual(["state"]);
    expect(fs.statSync(stateFolder()).mode & 0o777).toBe(0o700);
  });

  it.each([
    ["a .omc", [".omc/notepad.md"]],
    ["a folder of states", [".omc/notepad.md", ".omc/state/theirs.json"]],
    ["a .gitignore", [".omc/.gitignore", ".omc/state/theirs.json"]],
  ])("beside %s of others leaves git's status as it was", async (_name, names) => {
    execFileSync("git", ["init", "-q", scratch.root]);
    const gitStatus = () => execFileSync("git", ["-C", scratch.root, "status", "--porcelain", "-uall"]).toString();
    for (const name of names) {
      fs.mkdirSync(path.dirname(path.join(scratch.root, name)), { recursive: true });
      fs.writeFileSync(path.join(scratch.root, name), name.endsWith("ignore") ? "state\n" : "");
    }
    const before = gitStatus();
    await run("init");
    await run("add something");
    expect(gitStatus()).toBe(before);
  });

  it("is shared by the worktrees of a repository", async () => {
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: scratch.root });
    execFileSync("git", ["init", "-q", scratch.root]);
    git("commit", "-q", "--allow-empty", "-m", "one");
    git("worktree", "add", "-q", path.join(scratch.root, "wt"));
    await run("init");
    await run("add something");
    expect((await ask("claim", { agent: "a" }, path.join(scratch.root, "wt"))).task).toMatchObject({ id: "task-1" });
  });

  it.each([".omc", ".omc/state"])("is not made where %s leads out of the project", async (name) => {
    const outside = fs.mkdtempSync(path.join(os.tmpdir(), "hookwright-swarm-outside-"));
    fs.mkdirSync(path.dirname(path.join(scratch.root, name)), { recursive: true });
    fs.symlinkSync(outside, path.join(scratch.root, name));
    for (const words of ["init", "status"]) await expect(run(words)).rejects.toThrow("leads out of the project");
    expect(fs.readdirSync(outside)).toEqual([]);
    fs.rmSync(outside, { recursive: true });
    await expect(run("init")).rejects.toThrow("a symbolic link to nothing");
  });

  it("may lie behind a link inside the project, but its file may not be one", async () => {
    fs.mkdirSync(path.join(scratch.root, "data"));
    fs.symlinkSync("data", path.join(scratch.root, ".omc"));
    await run("init");
    expect(fs.existsSync(path.join(scratch.root, "data/state/swarm-tasks.db"))).toBe(true);
    fs.renameSync(path.join(stateFolder(), "swarm-tasks.db"), path.join(scratch.root, "moved"));
    fs.symlinkSync(path.join(scratch.root, "moved"), path.join(stateFolder(), "swarm-tasks.db"));
    await expect(run("status")).rejects.toThrow("it is a symbolic link");
  });

  it("has to be made first; nothing else makes one", async () => {
    for (const words of ["add x", "status", "watch"]) {
      await expect(run(words)).rejects.toMatchObject({
        code: "HW_SWARM_NONE",
        message: expect.stringContaining(scratch.root),
      });
    }
    expect(fs.existsSync(path.join(scratch.root, ".omc"))).toBe(false);
  });

  it("that is damaged is named, and kept beside the new one that `init` makes", async () => {
    await run("init");
    const file = path.join(stateFolder(), "swarm-tasks.db");
    // Content that is still in the WAL would hide the damage.
    for (const suffix of ["-wal", "-shm"]) fs.rmSync(file + suffix, { force: true });
    fs.writeFileSync(file, "this is no database, but longer than the header of one would be. ".repeat(20));
    await expect(run("status")).rejects.toMatchObject({ code: "HW_SWARM_DAMAGED" });
    expect(await ask("init")).toMatchObject({ created: true });
    expect(scratch.notices.join()).toContain("HW_STATE_CORRUPT");
    expect(fs.readdirSync(stateFolder()).filter((name) => name.includes("corrupt"))).toHaveLength(1);
    expect(await statuses()).toEqual([]);
  });
});

describe("a board beside a mode", () => {
  function have(mode: ModeName, session: string, changed: Partial<ModeRun> = {}): void {
    fs.mkdirSync(path.join(scratch.root, ".git/hw"), { recursive: true, mode: 0o700 });
    const db = new Database(path.join(scratch.root, ".git/hw/state.db"), 1_000);
    const scope = projectScope({ agent: "", session, agentId: "", project: scratch.root });
    const details = machineOf(mode).begin(
      { mode, request: "explore -> architect: x" },
      fileReader(scratch.root, scratch.now),
    );
    const run = aRun(mode, { session, startedAt: scratch.now, seenAt: scratch.now, details, ...changed });
    db.transaction(() => new ModeRuns(openTable(db, scope, "modes", () => undefined)).save(run));
    db.close();
  }
  const init = (caller: string) => run("init", {}, scratch.root, 100, caller);

  it.each(["autopilot", "ultrapilot", "pipeline"] as const)("is not made by a session with %s", async (mode) => {
    have(mode, "one");
    await expect(init("one")).rejects.toMatchObject({
      code: "HW_MODE_BLOCKED",
      message: `swarm was not started, because ${mode} is on: fix the login.`,
      fix: expect.stringContaining(`\`hookwright mode cancel ${mode}\``),
    });
    expect(fs.existsSync(stateFolder())).toBe(false);
    expect(await init("two")).toContain("Made the task board");
    expect(await init("")).toContain("exists already");
  });

  it.each<[string, ModeName, Partial<ModeRun>]>([
    ["swarm", "swarm", {}],
    ["ralph", "ralph", {}],
    ["a mode whose rounds are used up", "pipeline", { status: "paused", why: "its 15 rounds are used up" }],
    ["a mode that was left for hours", "pipeline", { seenAt: 0 }],
  ])("is made by a session with %s", async (_name, mode, changed) => {
    have(mode, "one", changed);
    expect(await init("one")).toContain("Made the task board");
  });
});

describe("tasks", () => {
  beforeEach(() => run("init"));

  it("are claimed by priority, then in the order of their numbers", async () => {
    for (let i = 1; i <= 11; i++) await run(`add number ${i}`);
    expect((await ask("add urgent", { priority: "5" })).task).toMatchObject({
      id: "task-12",
      text: "urgent",
      priority: 5,
    });
    await run("add later", { priority: "-1" });
    const ids = [];
    for (let task = await claim("a"); task !== null; task = await claim("a")) ids.push(task.id);
    expect(ids).toEqual(["task-12", ...Array.from({ length: 11 }, (_, i) => `task-${i + 1}`), "task-13"]);
  });

  it("wait for what they come after, also when that fails, until it is done", async () => {
    await run("add first");
    expect(await run("add second", { after: ["1"], priority: "9" })).toBe("Added task-2. It comes after task-1.");
    expect(await claim("a")).toMatchObject({ id: "task-1" });
    expect(await ask("claim", { agent: "b" })).toEqual({
      task: null,
      ended: false,
      counts: { pending: 1, claimed: 1, done: 0, failed: 0, waiting: 1 },
    });
    await run("fail task-1", { agent: "a", why: "no network" });
    expect(await claim("b")).toBeNull();
    expect(await run("retry 1")).toBe("task-1 is pending again.");
    expect(await claim("b")).toMatchObject({ id: "task-1", epoch: 2, error: null });
    await run("complete 1", { agent: "b", result: "all well" });
    expect(await claim("b")).toMatchObject({ id: "task-2", after: ["task-1"] });
    await run("complete task-2", { agent: "b" });
    expect(await run("claim", { agent: "b" })).toBe(
      "No task is open. 2 tasks: 0 pending, 0 claimed, 2 done, 0 failed.",
    );
    expect(await ask("status")).toMatchObject({
      completedAt: new Date(scratch.now).toISOString(),
      tasks: [{ agent: "b", result: "all well", endedAt: new Date(scratch.now).toISOString() }, { result: null }],
    });
  });

  it("can only come after tasks that exist, and then nothing is added", async () => {
    await run("add first");
    await expect(run("add second", { after: ["task-1", "task-2"] })).rejects.toMatchObject({
      code: "HW_SWARM_TASK",
      message: "There is no task `task-2` on the board.",
    });
    expect(await statuses()).toEqual(["pending"]);
  });

  it("are ended by nobody but the agent that holds them, and once", async () => {
    await run("add first");
    await expect(run("complete 1", { agent: "a" })).rejects.toThrow("task-1 is not held by a: it is pending.");
    await claim("a");
    for (const action of ["complete", "fail", "release"]) {
      await expect(run(`${action} 1`, { agent: "b" })).rejects.toMatchObject({
        code: "HW_SWARM_NOT_HELD",
        message: "task-1 is not held by b: it is claimed by a (claim 1).",
      });
    }
    await expect(run("retry 1")).rejects.toThrow("task-1 has not failed");
    await expect(run("complete 9", { agent: "a" })).rejects.toThrow("There is no task `9`");
    await run("release 1", { agent: "a" });
    await expect(run("complete 1", { agent: "a" })).rejects.toThrow(
      "a no longer holds task-1, which was released: it is pending.",
    );
    await claim("b");
    await run("complete 1", { agent: "b" });
    await expect(run("complete 1", { agent: "b" })).rejects.toThrow("b has already completed task-1");
  });

  it("come back when their lease ends without a heartbeat, and a late result is refused", async () => {
    await run("add first");
    await claim("a");
    scratch.now += LEASE_MS - 1;
    expect(await run("heartbeat", { agent: "a" })).toMatch(/^task-1: lease until 20/);
    scratch.now += LEASE_MS - 1;
    expect(await statuses()).toEqual(["claimed"]);
    scratch.now += 1;
    expect(await statuses()).toEqual(["pending"]);
    scratch.now += 59_000;
    const late = { code: "HW_SWARM_LATE", message: expect.stringContaining("its lease ended 59 seconds ago") };
    for (const words of ["complete 1", "fail 1", "release 1", "heartbeat"]) {
      await expect(run(words, { agent: "a" })).rejects.toMatchObject(late);
    }
    expect(await claim("b")).toMatchObject({ id: "task-1", epoch: 2 });
    await expect(run("complete 1", { agent: "a" })).rejects.toThrow(
      "a no longer holds task-1: its lease ended 59 seconds ago without a heartbeat; it is claimed by b (claim 2).",
    );
    await run("complete 1", { agent: "b" });
    expect(await statuses()).toEqual(["done"]);
  });

  it("tell two agents of one name apart by the number of the claim", async () => {
    await run("add first");
    const { epoch } = await claim("a");
    scratch.now += LEASE_MS;
    const later = await claim("a");
    await expect(run("complete 1", { agent: "a", epoch: `${epoch}` })).rejects.toMatchObject({ code: "HW_SWARM_LATE" });
    await expect(run("complete 1", { agent: "a", epoch: "7" })).rejects.toThrow("not held by a by claim 7");
    expect(await run("complete 1", { agent: "a", epoch: `${later.epoch}` })).toBe("task-1 is done.");
  });

  it("a heartbeat without a task is no failure, and all leases of an agent are renewed", async () => {
    expect(await run("heartbeat", { agent: "a" })).toBe("a holds no task.");
    for (const text of ["x", "y"]) await run(`add ${text}`);
    await claim("a");
    scratch.now += 1_000;
    await claim("a");
    scratch.now += 1_000;
    const { tasks } = await ask("heartbeat", { agent: "a" });
    const until = new Date(scratch.now + LEASE_MS).toISOString();
    expect(tasks).toMatchObject([
      { id: "task-1", leaseUntil: until },
      { id: "task-2", leaseUntil: until },
    ]);
    expect((await ask("status")).agents).toEqual([
      { name: "a", lastHeartbeat: new Date(scratch.now).toISOString(), task: "task-2" },
    ]);
  });
});

describe("for people", () => {
  beforeEach(() => run("init", { agents: "2" }));

  it("the status is a table with one line for each task, however long and strange its text is", async () => {
    await run(`add ${"long ".repeat(60)}`);
    await run("add \u001b[31mred\n\u0007", { priority: "3" });
    await run("add third", { after: ["1", "2"] });
    await claim("worker");
    scratch.now += 10_000;
    const shown = (await run("status")).split("\n");
    expect(shown.slice(0, 4)).toEqual([
      `Task board of ${scratch.root}`,
      "3 tasks: 2 pending (1 waiting for other tasks), 1 claimed, 0 done, 0 failed.",
      "Agents: 1 of 2: worker (task-2, heartbeat 10 s ago).",
      "",
    ]);
    expect(shown[4]).toMatch(/^task {4}status {3}agent {3}priority {2}note {2,}text$/);
    expect(shown[5]).toMatch(/^task-1 {2}pending {2}- {7}- {9}- .*long….?$|^task-1.*…$/);
    expect(shown[6]).toContain("lease ends in 290 s");
    expect(shown[6]).toContain("\\u{1b}[31mred");
    expect(shown[7]).toContain("after task-1 (pending), task-2 (claimed)");
    expect(shown).toHaveLength(8);
    for (const line of shown) expect(line.length, line).toBeLessThanOrEqual(100);
  });

  it("watch prints every change, in order, until it is interrupted", async () => {
    const seen: string[] = [];
    const out = (text: string): void => {
      seen.push(text);
      if (text.includes("completed")) scratch.stop.abort();
    };
    const context = { args: ["watch"], options: {}, cwd: scratch.root, env: {}, out, err: out };
    const watching = runSwarm(context, { now: () => scratch.now, pollMs: 1, signal: scratch.stop.signal });
    while (seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    await run("add something");
    await claim("a");
    scratch.now += LEASE_MS;
    await claim("b");
    await run("release 1", { agent: "b" });
    await claim("b");
    await run("fail 1", { agent: "b" });
    await run("retry 1");
    await claim("b");
    await run("complete 1", { agent: "b" });
    expect(await watching).toBe(0);
    expect(seen[0]).toBe("0 tasks: 0 pending, 0 claimed, 0 done, 0 failed. Changes follow; Ctrl-C ends this.");
    expect(seen.slice(1).map((line) => line.split("  ").slice(1))).toEqual(
      [
        "added",
        "claimed by a",
        "pending again: the lease of a ended",
        "claimed by b",
        "released by b",
        "claimed by b",
        "failed by b",
        "pending again after a failure",
        "claimed by b",
        "completed by b",
      ].map((what) => ["task-1", what, "something"]),
    );
  });
});

describe("usage", () => {
  beforeEach(() => run("init"));

  it.each<[string, string, SwarmOptions]>([
    ["Give an action: init, add", "", {}],
    ["Did you mean `claim`?", "clam", {}],
    ["There is no action `constructor`", "constructor", {}],
    ["`claim` needs `--agent NAME`", "claim", {}],
    ["1 to 100 visible characters", "claim", { agent: " " }],
    ["1 to 100 visible characters", "claim", { agent: "a\u001b[2J" }],
    ["`claim` does not take --result.", "claim", { agent: "a", result: "x" }],
    ["`claim` takes no argument, and got `now`.", "claim now", { agent: "a" }],
    ["needs a text", "add", {}],
    ["`high` is none", "add x", { priority: "high" }],
    ["`1.5` is none", "add x", { priority: "1.5" }],
    ["has 10001 characters", `add ${"x".repeat(10_001)}`, {}],
    ["needs the ID of one task", "complete", { agent: "a" }],
    ["needs the ID of one task", "complete 1 2", { agent: "a" }],
    ["needs a whole number from 1", "complete 1", { agent: "a", epoch: "0" }],
    ["needs a whole number from 1 to 1000", "init", { agents: "0" }],
    ["`add` does not take --fresh.", "add x", { fresh: true }],
    ["`end` takes no argument, and got `1`.", "end 1", {}],
  ])("%s", async (text, words, options) => {
    await expect(run(words, options)).rejects.toMatchObject({
      code: "HW_USAGE",
      message: expect.stringContaining(text),
    });
  });
});
