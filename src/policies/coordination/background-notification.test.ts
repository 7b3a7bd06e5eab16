import { describe, expect, it } from "vitest";
import type { AnyEvent, JsonObject } from "../../core/event.ts";
import { policy as definePolicy } from "../../core/policy.ts";
import {
  endsSession,
  inBackground,
  launchesAgent,
  OTHER_SESSION,
  startsAgent,
  startsSession,
  stopsAgent,
  taskNotification,
} from "../../domain/subagents/subagents.samples.ts";
import { PROJECT, prompt, SESSION, stop, toolAfter, toolBefore } from "../../testing/events.ts";
import { FAKE_NOW, FAKE_PID } from "../../testing/fake-ports.ts";
import { createSandbox, type SandboxOptions } from "../../testing/sandbox.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./background-notification.ts";
import omcOrchestrator from "./omc-orchestrator.ts";

const OTHER = { session_id: OTHER_SESSION };
const TRANSCRIPT = "/home/dev/.claude/projects/app/one.jsonl";
const WITH_TRANSCRIPT = { transcript_path: TRANSCRIPT };
const build = (more: JsonObject = {}): AnyEvent =>
  toolAfter("Bash", { command: "npm test", description: "run the tests", run_in_background: true }, "toolu_b1", {
    tool_response: { stdout: "", backgroundTaskId: "b1" },
    ...more,
  });
const agent = launchesAgent("a1", { description: "find the bug" });
const begins = startsSession("startup", OTHER);
const told = { says: "note", message: "left" } as const;
const DAY = 24 * 3_600_000;

/** Refuses the reports of tasks, as a gate for prompts does. */
const gate = definePolicy({
  ...{ id: "test/gate", summary: "Refuses reports.", why: "For tests.", stage: "session" },
  messages: { refused: "Not now." },
  examples: { hit: ["x"], pass: ["y"] },
  on: { "prompt.submit": (event, ctx) => (event.fromPerson ? undefined : ctx.deny("refused")) },
});
const person = prompt("go on", { source: "user" });
const report = prompt(taskNotification("a1", "completed", "The lock is missing."));
const line = (type: string, content: string): string => JSON.stringify({ type, content, message: { content } });

testPolicy(policy, {
  hit: [
    {
      name: "the session of a build was killed",
      after: [build()],
      event: begins,
      ...told,
      text: `Background tasks of session ${SESSION.slice(0, 8)} ended, and no agent was told:\n- command "run the tests": did not end before its session was over`,
    },
    {
      name: "the session of a build has ended",
      after: [build(), endsSession("other")],
      event: begins,
      alive: [FAKE_PID],
      ...told,
    },
    {
      name: "the same session goes on",
      after: [build(), endsSession("prompt_input_exit")],
      event: startsSession("resume"),
      ...told,
      text: "of this session, before it was resumed, ended",
    },
    {
      name: "the same session goes on after it was killed",
      after: [build()],
      event: startsSession("resume"),
      alive: [FAKE_PID],
      ...told,
    },
    {
      name: "an agent that ended last",
      after: [agent, startsAgent("a1"), stopsAgent("a1"), endsSession("other")],
      event: begins,
      ...told,
      text: '- agent "find the bug": completed. It reported: Found three.',
    },
    {
      name: "the last stop did not list it any more",
      after: [build(), stop({ background_tasks: [] }), endsSession("other")],
      event: begins,
      ...told,
      text: "ended, it is not known how",
    },
    {
      name: "a task that the client has moved there",
      after: [stop({ background_tasks: [inBackground("b7", "shell")] }), endsSession("other")],
      event: begins,
      ...told,
      text: '- command "task b7"',
    },
    {
      name: "its report only waited in the queue",
      after: [build(WITH_TRANSCRIPT), endsSession("other")],
      event: begins,
      files: { [TRANSCRIPT]: `${line("queue-operation", taskNotification("b1", "completed"))}\n` },
      ...told,
    },
    {
      name: "a transcript with half a line",
      after: [build(WITH_TRANSCRIPT), endsSession("other")],
      event: begins,
      files: { [TRANSCRIPT]: '<task-notification>\\n<task-id>b1</task-id>\\n</task-notification>"}}\n' },
      ...told,
    },
    {
      name: "another task was reported in the transcript",
      after: [build(WITH_TRANSCRIPT), endsSession("other")],
      event: begins,
      files: { [TRANSCRIPT]: `${line("user", taskNotification("b2", "completed"))}\n` },
      ...told,
    },
    { name: "after a clear, when the process is gone", after: [build(), endsSession("clear")], event: begins, ...told },
    {
      name: "its report was refused",
      after: [agent, report],
      beside: [gate],
      event: person,
      says: "note",
      message: "missed",
      text: '- agent "find the bug": completed. It reported: The lock is missing.',
    },
    {
      name: "its report was refused, and the session has ended",
      after: [agent, report, endsSession("other")],
      beside: [gate],
      event: begins,
      ...told,
      text: "The lock is missing.",
    },
  ],
  pass: [
    { name: "no task", after: [endsSession("other")], event: begins },
    { name: "the second start", after: [build(), begins], event: startsSession("startup", { session_id: "third" }) },
    { name: "the start of a living session's neighbour", after: [build()], event: begins, alive: [FAKE_PID] },
    { name: "a compaction", after: [build()], event: startsSession("compact") },
    {
      name: "a task that was reported",
      after: [build(), prompt(taskNotification("b1", "completed")), endsSession("other")],
      event: begins,
    },
    {
      name: "a task whose report the agent was given in the middle of a turn",
      after: [build(WITH_TRANSCRIPT), endsSession("other")],
      event: begins,
      files: { [TRANSCRIPT]: `${line("user", taskNotification("b1", "completed"))}\n` },
    },
    {
      name: "a task that the agent has stopped",
      after: [build(), toolAfter("KillShell", { shell_id: "b1" }, "t"), endsSession("other")],
      event: begins,
    },
    {
      name: "a task whose end the agent has read",
      after: [
        build(),
        toolAfter("TaskOutput", { task_id: "b1" }, "t", { tool_response: { task: { status: "completed" } } }),
        endsSession("other"),
      ],
      event: begins,
    },
    {
      name: "a call in the foreground",
      after: [toolAfter("Bash", { command: "npm test" }, "t"), endsSession("other")],
      event: begins,
    },
    {
      name: "a call that was announced and never began",
      after: [toolBefore("Bash", { command: "x", run_in_background: true }), endsSession("other")],
      event: begins,
    },
    { name: "the next prompt of the same session", after: [agent, stopsAgent("a1")], event: person },
    { name: "the second prompt after a refused report", after: [agent, report, person], beside: [gate], event: person },
    {
      name: "the start of a subagent's session",
      after: [build(), endsSession("other")],
      event: startsSession("startup", { ...OTHER, agent_id: "x", agent_type: "y" }),
    },
    { name: "a session without a name", after: [build({ session_id: "" })], event: begins },
  ],
});

async function notes(events: readonly AnyEvent[], options: SandboxOptions & { readonly both?: boolean } = {}) {
  const sandbox = createSandbox(options.both ? [omcOrchestrator, policy] : [policy], options);
  try {
    const texts: string[] = [];
    for (const event of events) {
      const { results } = await sandbox.send(event);
      const own = results.find(({ id }) => id === policy.id);
      texts.push(own?.verdicts.map(({ text }) => text).join("\n") ?? "");
    }
    return texts;
  } finally {
    sandbox.close();
  }
}

describe("what is told", () => {
  it("at most two hundred characters of a report, on one line, its secrets masked", async () => {
    const key = `sk-ant-api03-${"A1b2C3d4".repeat(12)}`;
    const long = stopsAgent("a1", { last_assistant_message: `${key}\n${"word ".repeat(100)}` });
    const [, , , text = ""] = await notes([agent, long, endsSession("other"), begins]);
    const reported = text.split("It reported: ")[1] ?? "";
    expect(reported.length).toBeGreaterThan(100);
    expect(reported.length).toBeLessThanOrEqual(200);
    expect(reported).not.toMatch(/\n|A1b2C3d4/);
  });

  it("five tasks by name, and how many more there are", async () => {
    const tasks = Array.from({ length: 8 }, (_, n) => inBackground(`b${n}`, "shell"));
    const [, , text = ""] = await notes([stop({ background_tasks: tasks }), endsSession("other"), begins]);
    expect(text.match(/^- command/gm)).toHaveLength(5);
    expect(text).toContain("- and 3 more");
  });

  it("nothing that is older than a day", async () => {
    const sandbox = createSandbox([policy], {});
    const old = createSandbox([policy], { now: FAKE_NOW - DAY - 1, seed: () => undefined });
    try {
      for (const event of [build(), endsSession("other")]) await old.send(event);
      const row = old.db.get("SELECT scope, store, key, value FROM entries WHERE store = 'background'");
      const insert = "INSERT INTO entries (scope, store, key, value) VALUES (?, ?, ?, ?)";
      sandbox.db.run(insert, String(row?.scope), String(row?.store), String(row?.key), String(row?.value));
      expect((await sandbox.send(begins)).ruling.notes).toEqual([]);
    } finally {
      sandbox.close();
      old.close();
    }
  });

  it("once, also when the two policies that follow tasks are on", async () => {
    const third = startsSession("startup", { session_id: "third" });
    const texts = await notes([build(), agent, stopsAgent("a1"), endsSession("other"), begins, third], { both: true });
    expect(texts.map((text) => text !== "")).toEqual([false, false, false, false, true, false]);
    expect(texts[4]?.match(/^- /gm)).toHaveLength(2);
  });

  it("once also where it is only observed", async () => {
    const third = startsSession("startup", { session_id: "third" });
    const texts = await notes([build(), endsSession("other"), begins, third], { mode: "observe" });
    expect(texts.map((text) => text !== "")).toEqual([false, false, true, false]);
    const sandbox = createSandbox([gate, policy], {});
    try {
      for (const event of [agent, report]) await sandbox.send(event);
      const row = sandbox.db.get("SELECT value FROM entries WHERE store = 'background'");
      expect(JSON.parse(String(row?.value)).tasks).toMatchObject([{ id: "a1", status: "completed", isMissed: true }]);
    } finally {
      sandbox.close();
    }
  });

  it("again, when there was no room for it", async () => {
    const none = { contextBudget: { start: 0, tool: 0 } };
    const third = startsSession("startup", { session_id: "third" });
    const texts = await notes([build(), endsSession("other"), begins, third], none);
    expect(texts.map((text) => text !== "")).toEqual([false, false, true, true]);
  });

  it("of two sessions at once only those of the one that is over", async () => {
    const mine = build({ ...OTHER, tool_response: { backgroundTaskId: "c1" } });
    const third = startsSession("startup", { session_id: "third" });
    const texts = await notes([build(), mine, endsSession("other"), third], { alive: [FAKE_PID] });
    expect(texts[3]).toContain(SESSION.slice(0, 8));
    expect(texts[3]).not.toContain(OTHER_SESSION.slice(0, 8));
  });

  it("a task goes on in the session after a clear, and is told of when that is over", async () => {
    const cleared = startsSession("clear", OTHER);
    const third = startsSession("startup", { session_id: "third" });
    const events = [build(), endsSession("clear"), cleared, endsSession("other", OTHER), third];
    const texts = await notes(events, { alive: [FAKE_PID] });
    expect(texts.slice(0, 4).join("")).toBe("");
    expect(texts[4]).toContain(OTHER_SESSION.slice(0, 8));
  });

  it("nothing is read of a transcript while there is nothing to tell", async () => {
    const sandbox = createSandbox([policy], { files: { [TRANSCRIPT]: "x", [`${PROJECT}/a`]: "x" } });
    try {
      const { looked } = await sandbox.send(startsSession("startup", WITH_TRANSCRIPT));
      expect(looked.filter((name) => name.startsWith("tail:"))).toEqual([]);
    } finally {
      sandbox.close();
    }
  });
});
