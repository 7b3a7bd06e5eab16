import { describe, expect, it } from "vitest";
import type { AnyEvent, JsonObject } from "../../core/event.ts";
import { aRun, withRuns } from "../../domain/mode/mode.samples.ts";
import {
  compactionStarts,
  PLAN_PATH,
  planText,
  project,
  sessionStarts,
  TITLE,
} from "../../domain/plan/plan.samples.ts";
import { completesTask, createsTask, writesTodos } from "../../domain/tasks/tasks.samples.ts";
import { claudeEvent, PROJECT, prompt, SESSION } from "../../testing/events.ts";
import { FAKE_NOW, type FakeFile } from "../../testing/fake-ports.ts";
import { createSandbox, type Sandbox, type SandboxOptions } from "../../testing/sandbox.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import todoContinuation from "../coordination/todo-continuation.ts";
import persistentMode from "../modes/persistent-mode.ts";
import compactionSnapshot from "../plan/compaction-snapshot.ts";
import policy from "./pre-compact.ts";

const FOLDER = `${PROJECT}/.omc/state/checkpoints`;
const FIRST = `${FOLDER}/checkpoint-2026-01-02T03-04-05-000Z.json`;
const OTHER = { session_id: "99999999-2222-3333-4444-555555555555" };
const compacts = compactionStarts();
const asked = claudeEvent({ hook_event_name: "PreCompact", trigger: "manual", custom_instructions: "keep names" });
const starts = sessionStarts("compact");
const A = createsTask("1", "write the test");
const tasks = { beside: [todoContinuation] } as const;
const subagent = { agent_id: "a1", agent_type: "x" };

/** Notes on a plan, by the name of their file. */
const notes = (files: Readonly<Record<string, FakeFile>>): SandboxOptions => ({
  files: Object.fromEntries(Object.entries(files).map(([name, file]) => [`${PROJECT}/.omc/notepads/${name}`, file])),
});
const decided = notes({ "login/decisions.md": "# Decisions\n- Postgres, because of the reports\n" });
const keep = { event: compacts, says: "note", message: "keep" } as const;
const restored = { event: starts, says: "note", message: "restored" } as const;
const unusable = { event: starts, says: "notice", message: "unusable" } as const;

testPolicy(policy, {
  hit: [
    { name: "open tasks", after: [A], ...tasks, ...keep, text: "This session has 1 open task: write the test." },
    { name: "a compaction that was asked for", after: [A], ...tasks, ...keep, event: asked },
    { name: "todos", after: [writesTodos(["fix it pending"])], ...tasks, ...keep, text: "1 open task: fix it" },
    {
      name: "a mode",
      ...withRuns(aRun("ralph", { round: 3 })),
      ...keep,
      text: "The mode ralph is on, round 3 of 100.",
    },
    { name: "a plan", ...project(), ...keep, text: `Plan: ${TITLE} (${PLAN_PATH}). 1/3 tasks complete` },
    {
      name: "a plan of which the plan's own policy tells nothing",
      ...project({ hooks: "stop_guard: true" }),
      beside: [compactionSnapshot],
      ...keep,
      text: TITLE,
    },
    {
      name: "what was decided",
      ...decided,
      ...keep,
      text: ".omc/notepads/login/decisions.md:\n# Decisions\n- Postgres, because of the reports",
    },
    {
      name: "what was learned, what is open and what does not work",
      ...notes({ "a/learnings.md": "one", "a/issues.md": "two", "b/problems.md": "three" }),
      ...keep,
      text: "a/learnings.md:\none\n.omc/notepads/a/issues.md:\ntwo\n.omc/notepads/b/problems.md:\nthree",
    },
    {
      name: "after it, from the state as it is then",
      after: [A, compacts],
      ...tasks,
      ...restored,
      text: "write the test",
    },
    {
      name: "what was completed meanwhile is not open any more",
      after: [A, createsTask("2", "b"), compacts, completesTask("1", "")],
      ...tasks,
      ...restored,
      text: "1 open task: b",
    },
    { name: "without a checkpoint before it", after: [A], ...tasks, ...restored },
    {
      name: "the plan after it",
      ...project(),
      after: [compacts],
      ...restored,
      text: `Plan: ${TITLE} (${PLAN_PATH}). 1/3 tasks complete`,
    },
    { name: "the notes after it", ...decided, ...restored, text: "Postgres, because of the reports" },
    {
      name: "a secret in the notes is masked",
      ...notes({ "a/learnings.md": `password=${"hunter2hunter2"}` }),
      ...restored,
      text: "password=[masked]",
    },
    {
      name: "a linked file",
      ...notes({ "a/learnings.md": { link: "/etc/passwd" } }),
      ...unusable,
      text: "a/learnings.md",
    },
    { name: "a linked folder", files: { [`${PROJECT}/.omc`]: { link: "/srv" } }, ...unusable, text: ": .omc." },
    { name: "a folder in the place of a file", ...notes({ "a/learnings.md": { dir: 0o755 } }), ...unusable },
    { name: "a file that is no text", ...notes({ "a/learnings.md": "\uFFFD\uFFFD" }), ...unusable },
    {
      name: "one of two files",
      ...notes({ "a/learnings.md": "\uFFFD", "a/issues.md": "two" }),
      ...restored,
      text: "a/issues.md:\ntwo",
      also: [{ says: "notice", message: "unusable" }],
    },
  ],
  pass: [
    { name: "nothing is open", event: compacts },
    { name: "nothing is open after it", event: starts },
    { name: "all is completed", after: [A, completesTask("1", "")], ...tasks, event: compacts },
    { name: "open tasks of another session", after: [createsTask("1", "x", OTHER)], ...tasks, event: compacts },
    { name: "a mode of another session", ...withRuns(aRun("ralph", { session: "other" })), event: compacts },
    { name: "a mode that is paused", ...withRuns(aRun("ralph", { status: "paused" })), event: compacts },
    {
      name: "a mode of which the pack of the modes tells",
      ...withRuns(aRun("ralph")),
      beside: [persistentMode],
      event: compacts,
    },
    {
      name: "a plan of which the pack of the plan tells",
      ...project({ hooks: "precompact_state: true" }),
      beside: [compactionSnapshot],
      event: compacts,
    },
    { name: "a plan that cannot be read", ...project({ state: "{" }), event: compacts },
    {
      name: "a subagent's context",
      after: [A],
      ...tasks,
      event: claudeEvent({ hook_event_name: "PreCompact", trigger: "auto", ...subagent }),
    },
    { name: "the start of a subagent's", after: [A], ...tasks, event: sessionStarts("compact", subagent) },
    { name: "another start", after: [A, compacts], ...tasks, event: sessionStarts("resume") },
    { name: "after /clear", after: [A, compacts], ...tasks, event: sessionStarts("clear") },
    { name: "empty notes", ...notes({ "a/learnings.md": " \n" }), event: starts },
    {
      name: "other files",
      ...notes({ "a/todo.md": "x", "learnings.md": "x", "a/b/learnings.md": "x" }),
      event: starts,
    },
    { name: "a notepad that is a link", ...notes({ a: { link: "/srv" } }), event: starts },
    { name: "what was said of unusable files", ...notes({ "a/issues.md": "\uFFFD" }), after: [starts], event: starts },
    { name: "the next prompt", after: [A, compacts, starts], ...tasks, event: prompt("go on") },
    {
      name: "the prompt after a compaction that never happened",
      after: [A, compacts],
      ...tasks,
      event: prompt("go on"),
    },
  ],
});

/** The exported file with this name; `null` for one that is to be removed. */
function exported(sandbox: Sandbox, file: string): JsonObject | null | undefined {
  const row = sandbox.db.get("SELECT content FROM mirrors WHERE path = ?", file);
  if (row === undefined) return undefined;
  return row.content === null ? null : (JSON.parse(String(row.content)) as JsonObject);
}
const filesIn = (sandbox: Sandbox): string[] =>
  sandbox.db.all("SELECT path FROM mirrors WHERE content IS NOT NULL ORDER BY path").map((row) => String(row.path));

async function sent(events: readonly AnyEvent[], options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = createSandbox([policy, todoContinuation], options);
  for (const event of events) await sandbox.send(event);
  return sandbox;
}

describe("the checkpoint", () => {
  it("has modes, tasks, plan and notes, under the names of oh-my-claudecode", async () => {
    const files = { ...project().files, ...decided.files };
    const todos = writesTodos(["a completed", "b in_progress", "c pending"]);
    const sandbox = await sent([A, todos, compacts], { files, ...withRuns(aRun("ralph", { round: 3 })) });
    expect(exported(sandbox, FIRST)).toEqual({
      created_at: "2026-01-02T03:04:05.000Z",
      trigger: "auto",
      session_id: SESSION,
      project_path: PROJECT,
      active_modes: {
        ralph: expect.objectContaining({ active: true, iteration: 3, original_prompt: "fix the login" }),
      },
      todo_summary: { pending: 2, in_progress: 1, completed: 1 },
      open_tasks: ["write the test"],
      plan: { title: TITLE, file: PLAN_PATH, progress: expect.stringContaining("1/3 tasks complete") },
      wisdom: [{ file: ".omc/notepads/login/decisions.md", text: "# Decisions\n- Postgres, because of the reports" }],
      wisdom_exported: true,
      told_at: null,
    });
    sandbox.close();
  });

  it("is written for a mode alone, also where the pack of the modes tells of it", async () => {
    const sandbox = createSandbox([policy, persistentMode], withRuns(aRun("ralph", { status: "paused" })));
    await sandbox.send(compacts);
    expect(exported(sandbox, FIRST)).toMatchObject({ active_modes: { ralph: { active: false } }, plan: null });
    sandbox.close();
  });

  it("is not written when there is nothing to keep, and nothing is made in the project", async () => {
    const sandbox = await sent([compacts, starts, prompt("x")]);
    expect(filesIn(sandbox)).toEqual([]);
    sandbox.close();
  });

  it("has no secrets", async () => {
    const secret = { request: `use password=${"hunter2hunter2"}` };
    const sandbox = await sent([compacts], withRuns(aRun("ralph", secret)));
    expect(JSON.stringify(exported(sandbox, FIRST))).not.toContain("hunter2");
    sandbox.close();
  });

  it("never stands in the place of another one", async () => {
    const other = compactionStarts("auto");
    const sandbox = await sent([
      A,
      createsTask("1", "theirs", OTHER),
      compacts,
      { ...other, ...{ session: OTHER.session_id } },
    ]);
    expect(exported(sandbox, FIRST)).toMatchObject({ session_id: SESSION });
    expect(exported(sandbox, FIRST.replace(".json", "-2.json"))).toMatchObject({
      session_id: OTHER.session_id,
      open_tasks: ["theirs"],
    });
    sandbox.close();
  });

  it.each([
    [".omc", `${PROJECT}/.omc`],
    ["state", `${PROJECT}/.omc/state`],
    ["checkpoints", FOLDER],
  ])("is not written through a link in the place of %s", async (_name, place) => {
    const sandbox = await sent([A, compacts, starts], { files: { [place]: { link: "/srv/elsewhere" } } });
    expect(filesIn(sandbox)).toEqual([]);
    sandbox.close();
  });

  it("is not written in observe mode", async () => {
    const sandbox = await sent([A, compacts, starts], { mode: "observe" });
    const rows = sandbox.db.all("SELECT path FROM mirrors WHERE is_written = 0");
    expect(rows).toEqual([]);
    sandbox.close();
  });
});

describe("marked as told", () => {
  const toldAt = (sandbox: Sandbox) => exported(sandbox, FIRST)?.told_at;

  it("is the checkpoint that was told", async () => {
    const sandbox = await sent([A, compacts, starts]);
    expect(toldAt(sandbox)).toBe("2026-01-02T03:04:05.000Z");
    sandbox.close();
  });
  it("is none whose note found no room; the next prompt tells it, once", async () => {
    const options = { contextBudget: { start: 40, tool: 2_000 } };
    const sandbox = await sent([A, compacts, starts], options);
    expect(toldAt(sandbox)).toBeNull();
    Object.assign(options, { contextBudget: { start: 6_000, tool: 2_000 } });
    const { ruling } = await sandbox.send(prompt("go on"));
    expect(ruling.notes.map(({ text }) => text).join()).toContain("write the test");
    expect(toldAt(sandbox)).toBe("2026-01-02T03:04:05.000Z");
    expect((await sandbox.send(prompt("go on"))).ruling.notes).toEqual([]);
    sandbox.close();
  });
  it("is not written through a link that has come between", async () => {
    const options: { files: Record<string, FakeFile> } = { files: {} };
    const sandbox = await sent([A, compacts], options);
    Object.assign(options, { files: { [FOLDER]: { link: "/srv/elsewhere" } } });
    await sandbox.send(starts);
    expect(toldAt(sandbox)).toBeNull();
    sandbox.close();
  });
  it("is none that only a subagent was compacted for", async () => {
    const options = { contextBudget: { start: 40, tool: 2_000 } };
    const sandbox = await sent([A, compacts, starts, sessionStarts("compact", subagent)], options);
    Object.assign(options, { contextBudget: { start: 6_000, tool: 2_000 } });
    const { ruling } = await sandbox.send(prompt("go on"));
    expect(ruling.notes.map(({ text }) => text).join()).toContain("write the test");
    sandbox.close();
  });
  it("is none in observe mode, and none when nothing was left to be told", async () => {
    const observed = await sent([A, compacts, starts], { mode: "observe" });
    expect(toldAt(observed)).toBeNull();
    observed.close();
    const completed = await sent([A, compacts, completesTask("1", ""), starts]);
    expect(toldAt(completed)).toBeNull();
    completed.close();
  });
});

describe("a checkpoint older than a day", () => {
  const hour = 60 * 60_000;
  const nameAt = (at: number): string => `checkpoint-${new Date(at).toISOString().replace(/[:.]/g, "-")}.json`;
  const old = nameAt(FAKE_NOW - 24 * hour - 1);
  const young = nameAt(FAKE_NOW - 24 * hour);
  const others = ["checkpoint-x.json", "notes.md", old.replace(".json", ".json.bak"), "wisdom-2020.md"];
  const files = Object.fromEntries([old, young, ...others].map((name) => [`${FOLDER}/${name}`, "{}"]));

  it.each([
    ["a session starts", sessionStarts("startup")],
    ["another compaction begins", compacts],
  ])("is removed when %s, and no other file", async (_name, event) => {
    const sandbox = await sent([event], { files });
    const removed = sandbox.db.all("SELECT path FROM mirrors WHERE content IS NULL");
    expect(removed.map((row) => row.path)).toEqual([`${FOLDER}/${old}`]);
    sandbox.close();
  });
  it("is left where a link leads out of the project", async () => {
    const linked = { [FOLDER]: { link: "/srv" }, [`/srv/${old}`]: "{}" } as const;
    const sandbox = await sent([sessionStarts("startup")], { files: linked });
    expect(sandbox.db.all("SELECT path FROM mirrors")).toEqual([]);
    sandbox.close();
  });
});

it("a compaction is never blocked", async () => {
  const sandbox = await sent([A]);
  expect((await sandbox.send(compacts)).ruling).toMatchObject({ outcome: "pass" });
  sandbox.close();
});

it("the notes on many plans share the room, and the newest part of each is told", async () => {
  const long = (name: string): string => `${`${name} old\n`.repeat(300)}${name} newest\n`;
  const many = notes({
    ...Object.fromEntries(["a", "b", "c"].map((name) => [`${name}/learnings.md`, long(name)])),
    ...Object.fromEntries(Array.from({ length: 18 }, (_, at) => [`d${at}/issues.md`, long(`d${at}`)])),
  });
  const sandbox = await sent([], { ...many, ...{ contextBudget: { start: 6_000, tool: 2_000 } } });
  const text = (await sandbox.send(starts)).ruling.notes[0]?.text ?? "";
  sandbox.close();
  expect(text.length).toBeLessThan(4_500);
  expect(text).toContain("b/learnings.md (its end):\n[…]");
  expect(text).toContain("b newest");
  expect(text).toMatch(/Also to be read: .*d9\/issues\.md$/);
  // 20 notepads are read at most.
  expect(text).not.toContain("notepads/a/");
});

it("a plan table in a file of notes is no plan", async () => {
  const sandbox = await sent([compacts], notes({ "a/learnings.md": planText(["pending"]) }));
  expect(exported(sandbox, FIRST)).toMatchObject({ plan: null });
  sandbox.close();
});
