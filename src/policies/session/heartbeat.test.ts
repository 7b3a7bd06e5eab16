import { describe, expect, it } from "vitest";
import type { AnyEvent } from "../../core/event.ts";
import {
  bash,
  bySubagent,
  call,
  DENIES_ALL,
  DIR,
  edit,
  hasRun,
  noSession,
  playSessionEvents,
  read,
  worldInSession,
} from "../../domain/session/session.samples.ts";
import { claudeEvent, PROJECT, SESSION, toolBefore, USER_HOME } from "../../testing/events.ts";
import { ENGINE } from "../../testing/sandbox.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./heartbeat.ts";

const at = (calls: number, more: object = {}) =>
  worldInSession({ toolCallsByTranscript: { "main.jsonl": calls }, ...more });
const due = { says: "note", message: "due" } as const;
const overdue = { says: "deny", message: "overdue" } as const;
const work = (): AnyEvent => bash("make");
const logIt = (): AnyEvent => bash(`engine log ${DIR}/IMPLEMENT_LOG.md <<'E'\n## x\nE`);

testPolicy(policy, {
  hit: [
    { name: "the third call", after: [work(), work()], event: work(), ...worldInSession(), ...due, text: "3 calls" },
    {
      name: "the reminder names the log",
      event: work(),
      ...at(2),
      ...due,
      text: `${ENGINE} log ${DIR}/IMPLEMENT_LOG.md`,
    },
    {
      name: "the log's name comes from its template",
      event: work(),
      ...at(2, { logTemplate: "~/.claude/skills/x/TEMPLATE_FIX_LOG.md" }),
      ...due,
      text: `${DIR}/FIX_LOG.md`,
    },
    {
      name: "the reminder names the template",
      event: work(),
      ...at(2, { logTemplate: "/t/TEMPLATE_FIX_LOG.md" }),
      ...due,
      text: "/t/TEMPLATE_FIX_LOG.md",
    },
    { name: "every call after it", event: work(), ...at(6), ...due, text: "7 calls" },
    { name: "the ninth call is still allowed", event: work(), ...at(8), ...due },
    { name: "the tenth call", event: work(), ...at(9), ...overdue, text: "10 calls" },
    { name: "the call after the tenth", event: work(), ...at(10), ...overdue },
    {
      name: "an edit when it is overdue",
      event: edit(`${PROJECT}/a.ts`),
      ...at(9),
      ...overdue,
      text: "Edit was not run, because the last log entry was 10 calls ago.",
    },
    {
      name: "an edit of instructions when it is overdue",
      event: edit(`${USER_HOME}/.claude/x.md`),
      ...at(9),
      ...overdue,
    },
    { name: "a template and more", event: bash("cat /skills/TEMPLATE_FIX_LOG.md a.ts"), ...at(9), ...overdue },
    { name: "reading when it is overdue", event: read(`${PROJECT}/a.ts`), ...at(9), ...overdue },
    {
      name: "limits of its own: warn",
      event: work(),
      ...at(0, { toolUseWithoutLogsWarnAfter: 1 }),
      ...due,
      text: "1 call since the last log entry; at 10, calls are denied",
    },
    { name: "limits of its own: block", event: work(), ...at(4, { toolUseWithoutLogsBlockAfter: 5 }), ...overdue },
    {
      name: "where no program can write a log, it is not waited for",
      event: work(),
      ...at(20),
      ...due,
      hasNoEngine: true,
    },
    { name: "more than the log in one line", event: bash("engine log f; make"), ...at(9), ...overdue },
    { name: "an edit of another file", after: [edit("/a")], event: edit("/b"), ...at(1), ...due },
    {
      name: "the same file after something else",
      after: [edit("/a"), work()],
      event: edit("/a"),
      ...worldInSession(),
      ...due,
    },
    { name: "a session that resumes", event: work(), ...at(9, { lifecycle: "resuming" }), ...overdue },
    { name: "only the first time, if so configured", event: work(), ...at(2), options: { remind: "once" }, ...due },
    {
      name: "counts that another program wrote into the state file",
      event: work(),
      ...worldInSession({ toolCallsByTranscript: { "main.jsonl": 9, "other.jsonl": 0 } }),
      ...overdue,
    },
  ],
  pass: [
    { name: "the first call", event: work(), ...worldInSession() },
    { name: "the second call", after: [work()], event: work(), ...worldInSession() },
    { name: "without a session", event: work(), ...noSession },
    { name: "while it is loading", event: work(), ...at(20, { loading: true }) },
    { name: "while it hands over", event: work(), ...at(20, { lifecycle: "dehydrating" }) },
    { name: "when it has overflowed", event: work(), ...at(20, { overflowed: true }) },
    { name: "when it is about to be ended", event: work(), ...at(20, { killRequested: true }) },
    { name: "a completed session", event: work(), ...at(20, { lifecycle: "completed" }) },
    { name: "engine log when it is overdue", event: logIt(), ...at(20) },
    { name: "our own engine by its path", event: bash(`${ENGINE} log x.md`), ...at(20) },
    { name: "engine session when it is overdue", event: bash("engine session find"), ...at(20) },
    { name: "instructions when it is overdue", event: read(`${USER_HOME}/.claude/x.md`), ...at(20) },
    { name: "a log template when it is overdue", event: read("/skills/x/TEMPLATE_FIX_LOG.md"), ...at(20) },
    { name: "a log template by a command", event: bash("head -n 40 /skills/x/TEMPLATE_FIX_LOG.md"), ...at(20) },
    { name: "a subagent's start when it is overdue", event: call("Task", { prompt: "x" }), ...at(20) },
    { name: "the same under its new name", event: call("Agent", { prompt: "x" }), ...at(20) },
    { name: "asking the user when it is overdue", event: call("AskUserQuestion"), ...at(20) },
    { name: "a subagent has a count of its own", event: bySubagent("Bash", { command: "make" }), ...at(20) },
    { name: "after the log", after: [work(), logIt()], event: work(), ...at(8) },
    {
      name: "the same file again and again",
      after: [edit("/a"), edit("/a"), edit("/a")],
      event: edit("/a"),
      ...at(1 - 1),
    },
    { name: "the second reminder, if so configured", event: work(), ...at(3), options: { remind: "once" } },
  ],
});

const counts = (state: Record<string, unknown> | undefined) => state?.toolCallsByTranscript;

describe("what is counted", () => {
  it("every call once, in the state file too, with the time", async () => {
    const { state } = await playSessionEvents(
      [policy],
      [work(), read("/a"), call("Grep", { pattern: "x" })],
      worldInSession(),
    );
    expect(counts(state)).toEqual({ "main.jsonl": 3 });
    expect(state).toMatchObject({ toolCallsSinceLastLog: 3, lastHeartbeat: "2026-01-02T03:04:05.000Z" });
  });

  it("a call that was denied is not, by this policy or by another", async () => {
    const own = await playSessionEvents([policy], Array.from({ length: 15 }, work), worldInSession());
    expect(counts(own.state)).toEqual({ "main.jsonl": 9 });
    const { state } = await playSessionEvents([policy, DENIES_ALL], [work(), work(), edit("/a"), logIt()], at(4));
    expect(counts(state)).toEqual({ "main.jsonl": 4 });
  });

  it("and one log opens the way again, however often it was denied", async () => {
    const { sent, state } = await playSessionEvents(
      [policy],
      [...Array.from({ length: 15 }, work), logIt(), work()],
      worldInSession(),
    );
    expect(sent.map(({ ruling }) => ruling.outcome).slice(8, 11)).toEqual(["pass", "deny", "deny"]);
    expect(sent.at(-1)?.ruling.outcome).toBe("pass");
    expect(counts(state)).toEqual({ "main.jsonl": 1 });
  });

  it("what steers, delegates or loads instructions is not", async () => {
    const free = [
      bash("engine session find"),
      call("Task"),
      read(`${USER_HOME}/.claude/a.md`),
      bash("hookwright journal"),
    ];
    const { state } = await playSessionEvents([policy], [work(), ...free], worldInSession());
    expect(counts(state)).toEqual({ "main.jsonl": 1 });
  });

  it("edits of one file in a row are one step, and remembered by transcript", async () => {
    const { state } = await playSessionEvents([policy], [edit("/a"), edit("/a"), edit("/b")], worldInSession());
    expect(counts(state)).toEqual({ "main.jsonl": 2 });
    expect(state?.["lastEditFile_main.jsonl"]).toBe("/b");
  });

  it("several edits at once are one step with those before, a write of the whole file is not", async () => {
    const many = call("MultiEdit", { file_path: "/a" });
    const whole = call("Write", { file_path: "/a", content: "x" });
    expect(counts((await playSessionEvents([policy], [many, many], worldInSession())).state)).toEqual({
      "main.jsonl": 1,
    });
    expect(counts((await playSessionEvents([policy], [whole, whole], worldInSession())).state)).toEqual({
      "main.jsonl": 2,
    });
  });

  it("by the session where no transcript is named", async () => {
    const { state } = await playSessionEvents(
      [policy],
      [toolBefore("Bash", { command: "make" }, { transcript_path: "" })],
      worldInSession(),
    );
    expect(counts(state)).toEqual({ [SESSION]: 1 });
  });

  it("subagents by themselves", async () => {
    const { state } = await playSessionEvents(
      [policy],
      [work(), bySubagent("Read", { file_path: "/x" }), work()],
      worldInSession(),
    );
    expect(counts(state)).toEqual({ "main.jsonl": 2, "agent-a1.jsonl": 1 });
  });

  it("fields that are not ours stay in the file", async () => {
    const { state } = await playSessionEvents([policy], [work()], worldInSession({ theirs: { a: [1] } }));
    expect(state?.theirs).toEqual({ a: [1] });
  });

  it("a log resets this agent's count and nobody else's", async () => {
    const world = worldInSession({ toolCallsByTranscript: { "main.jsonl": 8, "agent-a1.jsonl": 5 } });
    const { state } = await playSessionEvents([policy], [logIt()], world);
    expect(counts(state)).toEqual({ "main.jsonl": 0, "agent-a1.jsonl": 5 });
  });

  it("a log that failed does not count as one", async () => {
    const log = logIt();
    const tool = log.tool;
    const failed = claudeEvent({
      hook_event_name: "PostToolUseFailure",
      tool_name: "Bash",
      tool_input: { ...tool?.input },
      tool_use_id: tool?.useId ?? "",
      transcript_path: "/x/main.jsonl",
      error: "exit 1",
    });
    const { state } = await playSessionEvents([policy], [log, failed], at(8));
    expect(counts(state)).toEqual({ "main.jsonl": 8 });
    const kept = await playSessionEvents([policy], [log, hasRun(log), failed], at(8));
    expect(counts(kept.state)).toEqual({ "main.jsonl": 0 });
  });

  it("a log by the path of our own engine counts as any other", async () => {
    const log = bash(`${ENGINE} log x.md <<'E'\n## x\nE`);
    expect(counts((await playSessionEvents([policy], [log, hasRun(log)], at(4))).state)).toEqual({ "main.jsonl": 0 });
  });

  it("a log that ran among other things counts once it has run", async () => {
    const both = bash("make && engine log x.md <<'E'\n## x\nE");
    const { state } = await playSessionEvents([policy], [both, hasRun(both)], at(4));
    expect(counts(state)).toEqual({ "main.jsonl": 0 });
    const other = bash("make && engine session find");
    expect(counts((await playSessionEvents([policy], [other, hasRun(other)], at(4))).state)).toEqual({
      "main.jsonl": 5,
    });
    const perhaps = bash("make || engine log x.md");
    expect(counts((await playSessionEvents([policy], [perhaps, hasRun(perhaps)], at(4))).state)).toEqual({
      "main.jsonl": 5,
    });
  });
});
