import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { policy } from "../../core/policy.ts";
import { addJob, claimJob, summarizeJobs } from "../../state/jobs.ts";
import { DEFAULT_RETENTION, prune } from "../../state/retention.ts";
import { processSpace } from "../../system/processes.ts";
import { claudeEvent, prompt, SESSION, shell } from "../../testing/events.ts";
import { FAKE_NOW, fakePorts } from "../../testing/fake-ports.ts";
import { createSandbox, type Sandbox } from "../../testing/sandbox.ts";
import { type JobHandlers, runQueue } from "./run-queue.ts";

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = createSandbox([]);
});
afterEach(() => sandbox.close());

/** Leaves no room for another note. */
const talkative = policy({
  id: "test/talks",
  summary: "Says much.",
  why: "Nothing else has room then.",
  stage: "advice",
  messages: { much: "This is all." },
  examples: { hit: ["a prompt"], pass: ["none"] },
  on: {
    "prompt.submit": ({ prompt: text }, ctx) => (text === "say much" ? ctx.note("much") : undefined),
  },
});

const note = {
  agent: "claude-code",
  session: SESSION,
  event: "prompt.submit",
  policy: "test/linter",
  text: "a.ts: 1 error",
} as const;
const runAll = (handlers: JobHandlers, now = FAKE_NOW): Promise<number> =>
  runQueue(sandbox.db, fakePorts({ now }), handlers, {});
const notesOf = async (event: Parameters<Sandbox["send"]>[0]): Promise<readonly string[]> =>
  (await sandbox.send(event)).ruling.notes.map(({ policy, text }) => `${policy}: ${text}`);

describe("the note of a job", () => {
  it("is delivered once, with the next event of that name in its session", async () => {
    addJob(sandbox.db, "test/lint", { file: "a.ts" }, {}, FAKE_NOW);
    await runAll({ "test/lint": (args, world) => world.leaveNote({ ...note, text: JSON.stringify(args) }) });
    expect(await notesOf(prompt("hello", { session_id: "another" }))).toEqual([]);
    expect(await notesOf(shell("ls"))).toEqual([]);
    expect(await notesOf(prompt("hello"))).toEqual(['test/linter: {"file":"a.ts"}']);
    expect(await notesOf(prompt("hello again"))).toEqual([]);
  });

  it("is seen by a decision that is being made in another process", async () => {
    const revision = () =>
      sandbox.db.get("SELECT revision FROM revisions WHERE scope = ?", `session:claude-code:${SESSION}`);
    const before = revision();
    addJob(sandbox.db, "test/lint", null, {}, FAKE_NOW);
    await runAll({ "test/lint": (_args, world) => world.leaveNote(note) });
    expect(revision()).not.toEqual(before);
  });

  it("is not left by a try that fails, and once by the try that succeeds", async () => {
    let tries = 0;
    const handlers: JobHandlers = {
      "test/lint"(_args, world) {
        world.leaveNote(note);
        if (++tries < 3) throw new Error("not yet");
      },
    };
    addJob(sandbox.db, "test/lint", null, {}, FAKE_NOW);
    await runAll(handlers);
    await runAll(handlers, FAKE_NOW + 100_000);
    expect(await notesOf(prompt("hello"))).toEqual([]);
    await runAll(handlers, FAKE_NOW + 200_000);
    expect(tries).toBe(3);
    expect(await notesOf(prompt("hello"))).toEqual(["test/linter: a.ts: 1 error"]);
    expect(summarizeJobs(sandbox.db)).toEqual({ open: 0, failed: [] });
  });

  it("is left by the runner that has the job, and not by one whose lease has ended", async () => {
    addJob(sandbox.db, "test/lint", null, {}, FAKE_NOW);
    await runAll({
      async "test/lint"(_args, world) {
        world.leaveNote({ ...note, text: "too late" });
        sandbox.db.run("UPDATE jobs SET holder = 'another', due_at = ?", FAKE_NOW + 60_000);
      },
    });
    expect(await notesOf(prompt("hello"))).toEqual([]);
    expect(summarizeJobs(sandbox.db).open).toBe(1);
  });

  it("waits for a session that has ended, reaches no other one, and is forgotten with it", async () => {
    await sandbox.send(prompt("hello"));
    await sandbox.send(claudeEvent({ hook_event_name: "SessionEnd", reason: "other" }));
    addJob(sandbox.db, "test/lint", null, {}, FAKE_NOW);
    await runAll({ "test/lint": (_args, world) => world.leaveNote(note) });
    expect(summarizeJobs(sandbox.db)).toEqual({ open: 0, failed: [] });
    expect(await notesOf(prompt("hello", { session_id: "another" }))).toEqual([]);
    const left = () => sandbox.db.all("SELECT delivered_by FROM outbox");
    expect(left()).toEqual([{ delivered_by: null }]);
    // The clock is believed, because something was recorded meanwhile.
    sandbox.db.run("UPDATE journal SET at = ? WHERE id = (SELECT MAX(id) FROM journal)", FAKE_NOW + 31 * 86_400_000);
    await prune(sandbox.db, DEFAULT_RETENTION, FAKE_NOW + 32 * 86_400_000);
    expect(left()).toEqual([]);
  });

  it("reaches a session that ended and is resumed", async () => {
    await sandbox.send(claudeEvent({ hook_event_name: "SessionEnd", reason: "other" }));
    addJob(sandbox.db, "test/lint", null, {}, FAKE_NOW);
    await runAll({ "test/lint": (_args, world) => world.leaveNote(note) });
    await sandbox.send(claudeEvent({ hook_event_name: "SessionStart", source: "resume" }));
    expect(await notesOf(prompt("hello"))).toEqual(["test/linter: a.ts: 1 error"]);
  });

  it("is left once by the runner that follows one that was killed", async () => {
    addJob(sandbox.db, "test/lint", null, {}, FAKE_NOW);
    // No process has this start time, so the runner is gone.
    const killed = `${process.pid} 0 ${processSpace()}`;
    expect(claimJob(sandbox.db, FAKE_NOW, { name: killed, isGone: () => false })).toMatchObject({ tries: 1 });
    expect(await runAll({ "test/lint": (_args, world) => world.leaveNote(note) })).toBe(1);
    expect(await notesOf(prompt("hello"))).toEqual(["test/linter: a.ts: 1 error"]);
    expect(await notesOf(prompt("hello again"))).toEqual([]);
  });

  it("counts as delivered only when an answer carried it", async () => {
    sandbox.close();
    sandbox = createSandbox([talkative], { contextBudget: { start: 20, tool: 20 } });
    addJob(sandbox.db, "test/lint", null, {}, FAKE_NOW);
    await runAll({ "test/lint": (_args, world) => world.leaveNote(note) });
    expect(await notesOf(prompt("say much"))).toEqual(["test/talks: This is all."]);
    expect(await notesOf(prompt("hello"))).toEqual(["test/linter: a.ts: 1 error"]);
    expect(await notesOf(prompt("hello"))).toEqual([]);
  });
});
