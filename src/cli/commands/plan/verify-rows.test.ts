import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Json } from "../../../core/event.ts";
import { planText, TITLE } from "../../../domain/plan/plan.samples.ts";
import type { Terminal } from "../../terminal/confirm.ts";
import { runPlan } from "./command.ts";
import { withPlanLock } from "./plan-access.ts";

const PLAN = "docs/login.md";
const NOBODY: Terminal = { input: new PassThrough(), output: new PassThrough() };
const PERSON: Terminal = {
  input: Object.assign(new PassThrough(), { isTTY: true }),
  output: Object.assign(new PassThrough(), { isTTY: true }),
};

let folder: string;
let project: string;
let stateFile: string;
let env: Record<string, string>;

beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "hookwright-verify-")));
  project = path.join(folder, "app");
  stateFile = path.join(project, ".claude/orchestrator-state.json");
  env = { HOME: folder, PATH: process.env.PATH ?? "", HOOKWRIGHT_HOME: path.join(folder, "hw") };
  write(PLAN, planText(["complete", "in-progress", "pending"]));
  hooks("prompt");
  git("init", "--quiet");
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): void {
  const file = path.join(project, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}

const hooks = (verification: string): void =>
  write(".claude/project.yml", `hooks:\n  task_verification: ${verification}\n`);

function git(...args: string[]): void {
  const who = ["-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false"];
  execFileSync("git", ["-C", project, ...who, ...args], { stdio: "ignore", env: { ...process.env, ...dates } });
}

let dates: Record<string, string> = {};
/** Makes a commit with this time; without one, with the current time. */
function commit(second?: string): void {
  dates = second === undefined ? {} : { GIT_COMMITTER_DATE: second, GIT_AUTHOR_DATE: second };
  git("commit", "--quiet", "--allow-empty", "-m", "work");
  dates = {};
}

async function plan(args: string, options: Record<string, boolean> = {}, terminal = NOBODY) {
  const lines: string[] = [];
  const out = (text: string): unknown => lines.push(text);
  const context = { args: args.split(" "), options, env, cwd: project, out, err: out };
  const code = await runPlan(context, terminal);
  return { code, out: lines.join("\n") };
}

const started = (): string => (JSON.parse(fs.readFileSync(stateFile, "utf8")) as { started: string }).started;
const document = (): string => fs.readFileSync(path.join(project, PLAN), "utf8");
const status = async () => JSON.parse((await plan("status", { json: true })).out) as Record<string, Json>;
const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1_000).toISOString();
/** Stores a completion as the hook does when it accepts one. */
const accept = (subject: string, report: Json): void =>
  withPlanLock({ env }, project, (_reached, store) => store.keepAccepted(started(), { subject, report }));

describe("task ID complete", () => {
  it("is refused without work, in the words of the hook, as often as it is tried", async () => {
    commit();
    await plan(`start ${PLAN}`);
    const before = document();
    for (const _attempt of [1, 2, 3]) {
      await expect(plan("task 2 complete")).rejects.toThrow(
        `Task #2: Build part 2 does not look complete. There is no commit since the plan was started (${started()}). Correct this first.`,
      );
    }
    expect(document()).toBe(before);
    expect((await status()).tasks).toMatchObject([{}, { status: "in-progress", completion: null }, {}]);
  });

  it("is accepted after work, and shown as verified", async () => {
    await plan(`start ${PLAN}`);
    commit();
    expect((await plan("task 2 complete")).out).toContain("Task 2 is now complete");
    expect(await status()).toMatchObject({ tasks: [{}, { completion: "verified" }, {}], unverified: [] });
    await plan("task 2 in-progress");
    expect((await status()).tasks).toMatchObject([{}, { completion: null }, {}]);
  });

  it("passes where the project has switched no verification on", async () => {
    hooks("off");
    await plan(`start ${PLAN}`);
    await plan("task 2 complete");
    expect(await status()).toMatchObject({ tasks: [{}, { status: "complete", completion: null }, {}], unverified: [] });
  });

  it("leaves every other status alone", async () => {
    await plan(`start ${PLAN}`);
    expect((await plan("task 2 blocked")).code).toBe(0);
  });

  it("counts what the agent reported to the hook", async () => {
    await plan(`start ${PLAN}`);
    accept("Task 2: Build part 2", { files_changed: [], tests_passed: true });
    expect((await plan("task 2 complete")).code).toBe(0);
    accept("Build part 3", { files_changed: [], tests_passed: false });
    await expect(plan("task 3 complete")).rejects.toThrow("the tests did not pass");
  });

  it("has the work compared with the plan first, where an agent is to verify it", async () => {
    hooks("agent");
    await plan(`start ${PLAN}`);
    commit();
    await expect(plan("task 2 complete")).rejects.toThrow(`compare the work with the plan`);
    expect((await plan("task 2 complete")).code).toBe(0);
    accept("Task 3", {});
    expect((await plan("task 3 complete")).code).toBe(0);
  });
});

describe("commits of the second in which the plan was started", () => {
  it("do not count when they were there before", async () => {
    // By its time alone, the commit is later than the start.
    commit(inSeconds(30));
    git("checkout", "--quiet", "-b", "other");
    commit(inSeconds(60));
    await plan(`start ${PLAN}`);
    await expect(plan("task 2 complete")).rejects.toThrow("There is no commit since the plan was started");
  });

  it("count when they were made after it", async () => {
    commit();
    await plan(`start ${PLAN}`);
    commit(started());
    expect((await plan("task 2 complete")).code).toBe(0);
  });

  it("do not count for a plan that another program started, as nobody knows what was there", async () => {
    write(".claude/orchestrator-state.json", JSON.stringify({ active_plan: PLAN, started: "2026-01-02T03:00:00Z" }));
    commit("2026-01-02T03:00:00Z");
    await expect(plan("task 2 complete")).rejects.toThrow("There is no commit since the plan was started");
    commit("2026-01-02T03:00:01Z");
    expect((await plan("task 2 complete")).code).toBe(0);
  });
});

describe("finish", () => {
  const allComplete = (): void => write(PLAN, planText(["complete", "complete", "complete"]));

  it("verifies what was written into the document by hand", async () => {
    await plan(`start ${PLAN}`);
    allComplete();
    await expect(plan("finish")).rejects.toThrow(
      /^Task #2: .* There is no commit [^\n]*\nTask #3: .* There is no commit/,
    );
    expect(fs.existsSync(stateFile)).toBe(true);
    commit();
    expect((await plan("finish")).out).toBe(
      `Finished '${TITLE}' (${PLAN}). 3/3 tasks complete, 0 in-progress, 0 pending.`,
    );
  });

  it("asks nothing of rows that were complete at the start", async () => {
    allComplete();
    await plan(`start ${PLAN}`);
    expect((await plan("finish")).code).toBe(0);
  });

  it("verifies a row again that was taken back since", async () => {
    allComplete();
    await plan(`start ${PLAN}`);
    await plan("task 1 pending");
    allComplete();
    await expect(plan("finish")).rejects.toThrow("Task #1: Build part 1 does not look complete");
  });

  it("can be said by a person without verification, and tells of which rows", async () => {
    await plan(`start ${PLAN}`);
    allComplete();
    const { out } = await plan("finish", { unverified: true }, PERSON);
    expect(out).toContain("Completed by a person without verification: 2, 3.");
    expect(fs.existsSync(stateFile)).toBe(false);
  });
});

describe("--unverified", () => {
  const unverified = { unverified: true };

  it("completes a task for a person in a terminal, which the status shows", async () => {
    await plan(`start ${PLAN}`);
    expect((await plan("task 2 complete", unverified, PERSON)).code).toBe(0);
    expect(await status()).toMatchObject({ unverified: ["2"], tasks: [{}, { completion: "unverified" }, {}] });
    expect((await plan("status")).out).toContain("Completed by a person without verification: 2.");
    await plan("task 3 blocked");
    expect((await plan("finish")).out).toContain("Completed by a person without verification: 2.");
  });

  it.each(["task 2 complete", "finish"])("is refused without a terminal: %s", async (args) => {
    await plan(`start ${PLAN}`);
    const before = document();
    const { code, out } = await plan(args, unverified);
    expect(code).toBe(1);
    expect(out).toContain("there is no terminal");
    expect(document()).toBe(before);
  });

  it("is refused for an agent, also in a terminal", async () => {
    await plan(`start ${PLAN}`);
    env.CLAUDECODE = "1";
    const { code, out } = await plan("task 2 complete", unverified, PERSON);
    expect(code).toBe(1);
    expect(out).toContain("an agent is running it (CLAUDECODE is set)");
    expect(document()).toContain("| 2 | Build part 2 | — | in-progress |");
  });

  it.each(["task 2 blocked", "status", "abort"])("belongs to no other command: %s", async (args) => {
    await plan(`start ${PLAN}`);
    await expect(plan(args, unverified, PERSON)).rejects.toThrow("belongs to `task ID complete` and to `finish`");
  });
});
