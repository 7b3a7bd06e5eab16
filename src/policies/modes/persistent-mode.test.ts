import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../core/event.ts";
import { aRun, runsIn, withRuns } from "../../domain/mode/mode.samples.ts";
import { STALE_MS } from "../../domain/mode/modes.ts";
import { claudeEvent, SESSION, stop } from "../../testing/events.ts";
import { FAKE_NOW, FAKE_PID } from "../../testing/fake-ports.ts";
import { createSandbox, type SandboxOptions } from "../../testing/sandbox.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./persistent-mode.ts";
import ultrawork from "./ultrawork.ts";

const start = (source: string, more: JsonObject = {}) =>
  claudeEvent({ hook_event_name: "SessionStart", source, ...more });
const end = (reason: string) => claudeEvent({ hook_event_name: "SessionEnd", reason });
const compact = claudeEvent({ hook_event_name: "PreCompact", trigger: "auto", custom_instructions: "" });

const run = aRun("ultrawork", { round: 3 });
const on = { ...withRuns(run), alive: [FAKE_PID] };
const theirs = { ...run, session: "another", pane: "/tmp/tmux:%1" };
const offered = { says: "notice", message: "offer" } as const;
const there = { TMUX: "/tmp/tmux,1,0", TMUX_PANE: "%1" };
const restart = { env: there, contextPolicy: "restart" } as const;

testPolicy(policy, {
  hit: [
    {
      name: "the session is resumed",
      event: start("resume"),
      ...on,
      says: "note",
      message: "goes_on",
      text: "ultrawork, round 3 of 50, goes on. ultrawork is on for this request: fix the login",
    },
    { name: "the context was compacted", event: start("compact"), ...on, says: "note", message: "goes_on" },
    { name: "the context will be compacted", event: compact, ...on, says: "note", message: "goes_on" },
    {
      name: "a paused run is told as paused",
      event: start("resume"),
      ...withRuns({ ...run, status: "paused", why: "its 50 rounds are used up" }),
      says: "note",
      message: "goes_on",
      text: "is paused: its 50 rounds are used up",
    },
    {
      name: "another session was ended",
      event: start("startup"),
      ...withRuns({ ...theirs, status: "detached" }),
      ...offered,
      text: 'Type "ultrawork resume"',
    },
    {
      name: "another session was killed",
      event: start("startup"),
      ...withRuns(theirs),
      alive: [],
      ...offered,
      text: "round 3 of 50: fix the login",
    },
    {
      name: "another session is stale",
      event: start("startup"),
      ...withRuns({ ...theirs, seenAt: FAKE_NOW - STALE_MS - 1 }),
      alive: [FAKE_PID],
      ...offered,
    },
    { name: "after /clear", event: start("clear"), ...withRuns({ ...theirs, status: "detached" }), ...offered },
    {
      name: "a hand-over takes it along",
      event: start("startup"),
      ...withRuns({ ...theirs, status: "detached", why: "its session ended (clear)" }),
      ...restart,
      says: "notice",
      message: "taken",
      also: [{ says: "note", message: "goes_on" }],
    },
    {
      name: "a restart in another pane takes nothing along",
      event: start("startup"),
      ...withRuns({ ...theirs, status: "detached" }),
      ...restart,
      env: { ...there, TMUX_PANE: "%2" },
      ...offered,
    },
    {
      name: "a session that the person ended is not taken along",
      event: start("startup"),
      ...withRuns({ ...theirs, status: "detached", why: "its session ended (prompt_input_exit)" }),
      ...restart,
      ...offered,
    },
    {
      name: "the turn ended at a limit",
      event: stop({ stop_reason: "max_tokens" }),
      ...on,
      says: "release",
      message: "ends",
    },
    {
      name: "the person interrupted it",
      event: stop({ user_requested: true }),
      ...on,
      says: "release",
      message: "ends",
    },
  ],
  pass: [
    {
      name: "a new session while the other one works",
      event: start("startup"),
      ...withRuns(theirs),
      alive: [FAKE_PID],
    },
    {
      name: "a new session beside a paused run",
      event: start("startup"),
      ...withRuns({ ...theirs, status: "paused" }),
    },
    {
      name: "a run of last month",
      event: start("startup"),
      ...withRuns({ ...theirs, seenAt: FAKE_NOW - 30 * 86_400_000 }),
    },
    {
      name: "a run that another one started",
      event: start("startup"),
      ...withRuns({ ...theirs, status: "detached", parent: "ralph" }),
    },
    { name: "no mode", event: start("resume") },
    { name: "a compaction without a mode", event: compact },
    { name: "a fork", event: start("fork"), ...withRuns({ ...theirs, status: "detached" }) },
    { name: "a stop with another reason", event: stop({ stop_reason: "end_turn" }), ...on },
  ],
});

it.each([
  ["stop_reason", "context_limit"],
  ["stopReason", "CONTEXT_WINDOW_EXCEEDED"],
  ["end_turn_reason", "conversation_too_long"],
  ["endTurnReason", "input_too_long"],
  ["stop_reason", "token_limit_reached"],
  ["stop_reason", "aborted"],
  ["stop_reason", "abort"],
  ["stop_reason", "cancel"],
  ["stop_reason", "interrupt"],
  ["stop_reason", "user_cancelled"],
  ["stop_reason", "ctrl_c pressed"],
  ["stop_reason", "manual_stop"],
])("a stop with %s %s passes although a mode is on", async (field, value) => {
  const sandbox = createSandbox([policy, ultrawork], on);
  const { ruling } = await sandbox.send(stop({ [field]: value }));
  expect(ruling.outcome).toBe("pass");
  expect(runsIn(sandbox.db).get(SESSION, "ultrawork")).toMatchObject({ status: "active", round: 3 });
  sandbox.close();
});

it.each(["aborting_a_plan_is_fine", "cancelled_order", "interrupts", "end_turn", ""])(
  "a stop with the reason %s is held",
  async (value) => {
    const sandbox = createSandbox([policy, ultrawork], on);
    expect((await sandbox.send(stop({ stop_reason: value }))).ruling.outcome).toBe("hold");
    sandbox.close();
  },
);

describe("runs over the end of a session", () => {
  async function stored(options: SandboxOptions, ...events: ReturnType<typeof start>[]) {
    const sandbox = createSandbox([policy, ultrawork], options);
    for (const event of events) await sandbox.send(event);
    const runs = runsIn(sandbox.db).all();
    sandbox.close();
    return runs;
  }

  it.each(["clear", "logout", "prompt_input_exit", "other", "resume"])(
    "are detached by its end (%s)",
    async (reason) => {
      expect(await stored(on, end(reason))).toMatchObject([
        { status: "detached", why: `its session ended (${reason})` },
      ]);
    },
  );

  it("go on where the session is resumed", async () => {
    expect(await stored(on, end("other"), start("resume"))).toMatchObject([
      { status: "active", why: "", session: SESSION },
    ]);
  });

  it("stay paused", async () => {
    const paused = withRuns({ ...run, status: "paused", why: "x" });
    expect(await stored(paused, end("other"), start("resume"))).toMatchObject([{ status: "paused", why: "x" }]);
  });

  it("of a killed agent are detached when a new session starts", async () => {
    expect(await stored({ ...withRuns(theirs), alive: [] }, start("startup"))).toMatchObject([
      { session: "another", status: "detached", why: "its agent has ended" },
    ]);
  });

  it("move to the session that takes them along", async () => {
    const left = withRuns({ ...theirs, status: "detached", why: "its session ended (clear)" });
    expect(await stored({ ...left, ...restart }, start("clear"))).toMatchObject([
      { session: SESSION, status: "active", round: 3 },
    ]);
  });

  it("of a living agent are left alone", async () => {
    expect(await stored({ ...withRuns(theirs), alive: [FAKE_PID] }, start("startup"))).toEqual([theirs]);
  });
});
