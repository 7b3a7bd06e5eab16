import { afterEach, describe, expect, it } from "vitest";
import { type Policy, policy } from "../../core/policy.ts";
import { defineStore } from "../../core/store.ts";
import { addJob, claimJob, endJob, summarizeJobs } from "../../state/jobs.ts";
import { processSpace } from "../../system/processes.ts";
import { claudeEvent, prompt, shell, stop } from "../../testing/events.ts";
import { FAKE_NOW, fakePorts } from "../../testing/fake-ports.ts";
import { createSandbox, type Sandbox, type SandboxOptions } from "../../testing/sandbox.ts";
import { isGone, thisProcess } from "../jobs/job-holder.ts";
import { runDueJobs } from "../jobs/run-jobs.ts";

const about = { summary: "s", why: "w", examples: { hit: ["x"], pass: ["y"] } } as const;

const holder: Policy = policy({
  ...about,
  id: "test/holder",
  stage: "ntm",
  messages: { open: "Work is open." },
  on: {
    "turn.stop": (_event, ctx) => ctx.hold("open", {}, { exit: "Finish it." }),
    "subagent.stop": (_event, ctx) => ctx.hold("open", {}, { exit: "Finish it." }),
  },
});

/** What one settled handler does with a prompt, chosen by the prompt's own text. */
const actor: Policy = policy({
  ...about,
  id: "test/actor",
  stage: "session",
  messages: { hello: "A note of {size} letters: {text}", loud: "{text}" },
  on: {
    "prompt.submit": (event, ctx) =>
      event.prompt.startsWith("say ") ? ctx.note("loud", { text: event.prompt.slice(4) }) : undefined,
  },
  settled: {
    "prompt.submit"(event, _fate, ctx) {
      if (event.prompt.startsWith("later ")) {
        const text = event.prompt.slice(6);
        ctx.later("tool.before", "hello", { size: text.length, text });
      }
      if (event.prompt === "cancel") ctx.session.cancelHolds();
      if (event.prompt === "hand over") ctx.session.handOver(true);
      if (event.prompt === "job") ctx.job("no/such-work", { a: 1 });
      if (event.prompt === "job then fail") {
        ctx.job("no/such-work", {});
        throw new Error("boom");
      }
    },
  },
});

let sandbox: Sandbox;
afterEach(() => sandbox.close());
const open = (options: SandboxOptions = {}): Sandbox => {
  sandbox = createSandbox([holder, actor], options);
  return sandbox;
};
const outcome = async (event = stop()): Promise<string> => (await sandbox.send(event)).ruling.outcome;
const context = async (event = shell("ls")): Promise<readonly string[]> =>
  (await sandbox.send(event)).ruling.notes.map(({ text }) => text);

describe("outbox", () => {
  it("delivers a note once, with the next event of its name, in the order of writing", async () => {
    open();
    await sandbox.send(prompt("later one"));
    await sandbox.send(prompt("later two"));
    expect(await context(prompt("x"))).toEqual([]);
    expect(await context()).toEqual(["A note of 3 letters: one", "A note of 3 letters: two"]);
    expect(await context()).toEqual([]);
  });

  it("delivers nothing to another session", async () => {
    open();
    await sandbox.send(prompt("later one"));
    const other = claudeEvent({
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: {},
      session_id: "other",
    });
    expect(await context(other)).toEqual([]);
    expect(await context()).toHaveLength(1);
  });

  it("lets what is over budget wait for the next event", async () => {
    open({ contextBudget: { start: 6000, tool: 500 } });
    for (let i = 0; i < 3; i++) await sandbox.send(prompt(`later ${"word ".repeat(60)}${i}`));
    const seen: string[] = [];
    for (let i = 0; i < 6; i++) seen.push(...(await context()));
    expect(seen).toHaveLength(3);
    expect(new Set(seen).size).toBe(3);
  });

  it("is not emptied by an event that was denied", async () => {
    const denier: Policy = policy({
      ...about,
      id: "test/denier",
      stage: "security",
      messages: { no: "No." },
      on: { "tool.before": (event, ctx) => (event.tool.input.command === "bad" ? ctx.deny("no") : undefined) },
    });
    sandbox = createSandbox([actor, denier]);
    await sandbox.send(prompt("later one"));
    expect(await context(shell("bad"))).toEqual([]);
    expect(await context()).toHaveLength(1);
  });
});

const CALL = { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "ls" }, tool_use_id: "t1" };

describe("bypasses of a held stop", () => {
  it("holds when nothing speaks against it", async () => {
    open();
    expect(await outcome()).toBe("hold");
  });

  it.each([
    ["the work was cancelled", prompt("cancel"), "the work was cancelled"],
    ["a hand-over is under way", prompt("hand over"), "handed over"],
    ["the last turn failed", claudeEvent({ hook_event_name: "StopFailure", error: "rate_limit" }), "failed"],
  ])("passes when %s, and tells the person what is left", async (_name, before, text) => {
    open();
    await sandbox.send(before);
    const { ruling } = await sandbox.send(stop());
    expect(ruling.outcome).toBe("pass");
    expect(ruling.notices.map((notice) => notice.text).join()).toContain(text);
    expect(ruling.notices.map((notice) => notice.text).join()).toContain("Work is open.");
  });

  it("holds again once the model called a tool after the turn that failed; a subagent's call says nothing", async () => {
    open();
    await sandbox.send(claudeEvent({ hook_event_name: "StopFailure", error: "rate_limit" }));
    await sandbox.send(claudeEvent({ ...CALL, agent_id: "a1", agent_type: "Explore" }));
    expect(await outcome()).toBe("pass");
    await sandbox.send(claudeEvent(CALL));
    expect(await outcome()).toBe("hold");
  });

  it("ends with the next prompt of a person, not with a machine-made one", async () => {
    open();
    await sandbox.send(prompt("cancel"));
    await sandbox.send(prompt("<task-notification>x</task-notification>"));
    expect(await outcome()).toBe("pass");
    await sandbox.send(prompt("go on"));
    expect(await outcome()).toBe("hold");
  });

  it.each([
    ["background tasks are running", { background_tasks: [{ id: "b", status: "running" }] }],
    ["a wake-up is pending", { session_crons: [{ id: "c" }] }],
  ])("passes when %s, but not for a subagent, whose event lists its parent's", async (_name, payload) => {
    open();
    expect(await outcome(stop(payload))).toBe("pass");
    const child = claudeEvent({ hook_event_name: "SubagentStop", agent_id: "a1", stop_hook_active: false, ...payload });
    expect(await outcome(child)).toBe("hold");
  });

  const usage = (tokens: number, more = {}): string =>
    `${JSON.stringify({ type: "assistant", message: { usage: { input_tokens: tokens, output_tokens: 0 } }, ...more })}\n`;
  it.each([
    ["0.95 of the window", usage(190_000), "pass"],
    ["half of the window", usage(100_000), "hold"],
    ["more than the usual window, which means the large one", usage(300_000), "hold"],
    ["full in a side conversation only", usage(10) + usage(199_000, { isSidechain: true }), "hold"],
    ["full before, nearly empty now", usage(199_000) + usage(5), "hold"],
    ["full, with half a line after it", `${usage(199_000)}{"type":"assis`, "pass"],
  ])("with a context of %s: %s", async (_name, transcript, expected) => {
    open({ files: { "/t.jsonl": transcript } });
    expect(await outcome(stop({ transcript_path: "/t.jsonl" }))).toBe(expected);
  });

  it("passes inside a worker of a fleet", async () => {
    open({ env: { HOOKWRIGHT_FLEET_WORKER: "1" } });
    expect(await outcome()).toBe("pass");
  });

  it("counts only a person's prompt as a new start for the budgets", async () => {
    open();
    for (let i = 0; i < 3; i++) expect(await outcome()).toBe("hold");
    expect(await outcome()).toBe("pass");
    await sandbox.send(prompt("wake", { source: "schedule_wakeup" }));
    expect(await outcome()).toBe("pass");
    await sandbox.send(prompt("please go on"));
    expect(await outcome()).toBe("hold");
  });
});

describe("jobs", () => {
  const runner = { name: "a runner", isGone: () => false };

  it("are left behind by an event, in its transaction, and lost with a handler that throws", async () => {
    open({ mayFailToSettle: true });
    expect((await sandbox.send(prompt("job"))).jobs).toHaveLength(1);
    expect((await sandbox.send(prompt("job then fail"))).jobs).toHaveLength(0);
    expect(summarizeJobs(sandbox.db).open).toBe(1);
  });

  it("go to one runner each, are tried again later and later, and stay on record when given up", async () => {
    open();
    await sandbox.send(prompt("job"));
    const first = claimJob(sandbox.db, FAKE_NOW, runner);
    expect(first).toMatchObject({ name: "no/such-work", args: { a: 1 }, tries: 1, env: { HOME: "/home/dev" } });
    expect(claimJob(sandbox.db, FAKE_NOW, runner)).toBeUndefined();
    // Whoever claimed it may have died: after the lease it is free again.
    expect(claimJob(sandbox.db, FAKE_NOW + 60_000, runner)).toMatchObject({ tries: 2 });
    let now = FAKE_NOW + 200_000;
    for (let tries = 3; tries <= 5; tries++) {
      expect(await runDueJobs(sandbox.db, fakePorts({ now }))).toBe(1);
      expect(await runDueJobs(sandbox.db, fakePorts({ now }))).toBe(0);
      now += 1_000_000;
    }
    const { open: left, failed } = summarizeJobs(sandbox.db);
    expect(left).toBe(0);
    expect(failed).toMatchObject([{ name: "no/such-work", error: "no such work: no/such-work" }]);
  });

  it("go to the next runner at once when the one that has them is gone, and not before", async () => {
    open();
    await sandbox.send(prompt("job"));
    const lost = claimJob(sandbox.db, FAKE_NOW, { name: "gone", isGone: () => false });
    expect(claimJob(sandbox.db, FAKE_NOW, runner)).toBeUndefined();
    expect(claimJob(sandbox.db, FAKE_NOW, { ...runner, isGone: (name) => name === "gone" })).toMatchObject({
      tries: 2,
      holder: "a runner",
    });
    // It was not: it is too late now.
    if (lost) endJob(sandbox.db, lost, FAKE_NOW, "");
    expect(summarizeJobs(sandbox.db).open).toBe(1);
  });

  it("that nobody does are started by the next event", async () => {
    open({ now: FAKE_NOW + 3_000 });
    const id = addJob(sandbox.db, "no/such-work", null, {}, FAKE_NOW);
    expect((await sandbox.send(prompt("hello"))).jobs).toEqual([id]);
    const taken = claimJob(sandbox.db, FAKE_NOW, { name: `${process.pid} other-start ${processSpace()}`, isGone });
    expect(taken?.id).toBe(id);
    expect((await sandbox.send(prompt("hello again"))).jobs).toEqual([id]);
    claimJob(sandbox.db, FAKE_NOW, thisProcess());
    expect((await sandbox.send(prompt("and again"))).jobs).toEqual([]);
  });

  it("that were just asked for are left to whoever asked", async () => {
    open();
    addJob(sandbox.db, "no/such-work", null, {}, FAKE_NOW);
    expect((await sandbox.send(prompt("hello"))).jobs).toEqual([]);
  });

  it("end when they succeed", async () => {
    open();
    const { jobs } = await sandbox.send(claudeEvent({ hook_event_name: "SessionStart", source: "startup" }));
    expect(jobs).toHaveLength(1);
    expect((await sandbox.send(claudeEvent({ hook_event_name: "SessionStart", source: "resume" }))).jobs).toEqual([]);
    expect(await runDueJobs(sandbox.db, fakePorts())).toBe(1);
    expect(summarizeJobs(sandbox.db)).toEqual({ open: 0, failed: [] });
  });

  it("that are unknown to the runner are not taken by number when they are not due", () => {
    open();
    expect(claimJob(sandbox.db, FAKE_NOW, runner, 999)).toBeUndefined();
    const unknown = { id: 1, name: "x", args: null, env: {}, tries: 1, holder: runner.name };
    expect(() => endJob(sandbox.db, unknown, FAKE_NOW, "")).not.toThrow();
  });
});

describe("a condition", () => {
  const marks = defineStore({ name: "marks", scope: "session", open: (table) => table });
  const isMarked = (_event: unknown, _ctx: unknown, table: { get(key: string): unknown }): boolean =>
    table.get("marked") === true;
  const settled: string[] = [];
  const marker = (id: string, isSleeping: boolean): Policy =>
    policy({
      ...about,
      id,
      stage: "session",
      messages: {},
      uses: marks,
      ...(isSleeping ? { when: isMarked } : {}),
      on: {},
      settled: {
        "prompt.submit"(event, _fate, _ctx, table) {
          settled.push(id);
          if (!isSleeping && event.prompt === "mark") table.set("marked", true);
        },
      },
    });

  it("keeps a policy from writing until it holds, which something written before it in the same event may bring about", async () => {
    sandbox = createSandbox([
      marker("test/a-sleeps", true),
      marker("test/b-marks", false),
      marker("test/c-sleeps", true),
    ]);
    const settledAt = async (text: string): Promise<string[]> => {
      settled.length = 0;
      await sandbox.send(prompt(text));
      return [...settled];
    };
    expect(await settledAt("go on")).toEqual(["test/b-marks"]);
    expect(await settledAt("mark")).toEqual(["test/b-marks", "test/c-sleeps"]);
    expect(await settledAt("go on")).toEqual(["test/a-sleeps", "test/b-marks", "test/c-sleeps"]);
  });
});
