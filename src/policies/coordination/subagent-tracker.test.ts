import { describe, expect, it } from "vitest";
import type { AnyEvent, JsonObject } from "../../core/event.ts";
import { aRun, withRuns } from "../../domain/mode/mode.samples.ts";
import {
  addedLines,
  agentsIn,
  endsSession,
  exportedText,
  inBackground,
  launchesAgent,
  OTHER_SESSION,
  reportsAgent,
  spawns,
  startsAgent,
  startsSession,
  stopsAgent,
  taskNotification,
} from "../../domain/subagents/subagents.samples.ts";
import { claudeEvent, PROJECT, prompt, SESSION, stop, toolAfter } from "../../testing/events.ts";
import { FAKE_NOW, FAKE_PID } from "../../testing/fake-ports.ts";
import { createSandbox, type SandboxOptions } from "../../testing/sandbox.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import subagentEvidence from "../ntm/subagent-evidence.ts";
import policy from "./subagent-tracker.ts";

const FILE = ".omc/state/subagent-tracking.json";
const REPLAY = `.omc/state/agent-replay-${SESSION}.jsonl`;
const A = startsAgent("a1");
const OTHER = { session_id: OTHER_SESSION };
const edits = (agentId: string, file: string, more: JsonObject = {}): AnyEvent =>
  toolAfter("Edit", { file_path: file }, `toolu_${file}`, { agent_id: agentId, agent_type: "executor", ...more });

testPolicy(policy, {
  hit: [],
  pass: [
    { name: "a subagent starts", event: A },
    { name: "a subagent ends", after: [A], event: stopsAgent("a1") },
    { name: "a compaction ends", event: stopsAgent("c1", { agent_type: "" }) },
    { name: "no session", event: startsAgent("a1", { session_id: "" }) },
    { name: "a session starts", after: [A], event: startsSession("startup") },
    { name: "a session ends", after: [A], event: endsSession("other") },
    { name: "a report of a task", after: [A], event: prompt(taskNotification("a1", "completed")) },
    { name: "odd background tasks", after: [A], event: stop({ background_tasks: [5, null, { id: 7 }, "a1"] }) },
  ],
});

/** What is recorded after these events, by the id of the subagent. */
async function recorded(events: readonly AnyEvent[], options: SandboxOptions & { readonly gate?: boolean } = {}) {
  const sandbox = createSandbox(options.gate ? [subagentEvidence, policy] : [policy], options);
  try {
    const replies: string[] = [];
    for (const event of events) replies.push((await sandbox.send(event)).reply.stdout);
    const { db } = sandbox;
    const store = agentsIn(db);
    const text = exportedText(db, FILE);
    return {
      replies,
      states: Object.fromEntries(store.all().map(({ agent }) => [agent.id, agent.status])),
      agents: Object.fromEntries(store.all().map(({ session, agent }) => [agent.id, { session, ...agent }])),
      totals: store.totals(),
      file: text === undefined ? undefined : (JSON.parse(text) as { agents: JsonObject[] } & JsonObject),
      replay: addedLines(db, REPLAY),
      paths: db.all("SELECT path FROM mirrors ORDER BY path").map(({ path }) => String(path)),
      logs: db.all("SELECT DISTINCT path FROM lines ORDER BY path").map(({ path }) => String(path)),
      exportsOf: (path: string) => db.get("SELECT content FROM mirrors WHERE path = ?", path)?.content,
    };
  } finally {
    sandbox.close();
  }
}

const DETAILS: Readonly<Record<string, JsonObject>> = { swarm: { agent_count: 3 } };
const CLAIM = { last_assistant_message: "Task complete." };

describe("the life of a subagent", () => {
  const lives: readonly (readonly [string, readonly AnyEvent[], Readonly<Record<string, string>>])[] = [
    ["runs from its start", [A], { a1: "running" }],
    ["is completed at its end", [A, stopsAgent("a1")], { a1: "completed" }],
    ["has failed where the client says so", [A, stopsAgent("a1", { success: false })], { a1: "failed" }],
    ["counts once when its start is reported twice", [A, A], { a1: "running" }],
    ["counts once when its end is reported twice", [A, stopsAgent("a1"), stopsAgent("a1")], { a1: "completed" }],
    ["runs again when it is resumed", [A, stopsAgent("a1"), A], { a1: "running" }],
    ["is known from its end alone", [stopsAgent("a1")], { a1: "completed" }],
    ["is not the end of a compaction", [stopsAgent("c1", { agent_type: "" })], {}],
    ["is not a helper of the client without a type", [startsAgent("c1", { agent_type: "" })], {}],
    ["ends although the report has no type", [A, stopsAgent("a1", { agent_type: "" })], { a1: "completed" }],
    ["has no name", [startsAgent(""), stopsAgent("")], {}],
    ["is one of several", [A, startsAgent("a2"), stopsAgent("a1")], { a1: "completed", a2: "running" }],
    ["is completed by the report of its call", [A, reportsAgent("a1")], { a1: "completed" }],
    ["has failed by the report of its call", [A, reportsAgent("a1", { status: "failed" })], { a1: "failed" }],
    ["goes on after it was launched", [A, launchesAgent("a1")], { a1: "running" }],
    [
      "does not begin again when its launch is reported late",
      [A, stopsAgent("a1"), launchesAgent("a1")],
      { a1: "completed" },
    ],
    ["is stopped by a tool", [A, toolAfter("TaskStop", { task_id: "a1" }, "t")], { a1: "stopped" }],
    [
      "stays stopped when its end is reported after that",
      [A, toolAfter("TaskStop", { task_id: "a1" }, "t"), stopsAgent("a1")],
      { a1: "stopped" },
    ],
    ["has failed by the client's notice", [A, prompt(taskNotification("a1", "failed"))], { a1: "failed" }],
    ["is stopped by the client's notice", [A, prompt(taskNotification("a1", "killed"))], { a1: "stopped" }],
    [
      "is not ended by a person who writes such a notice",
      [A, prompt(taskNotification("a1", "failed"), { source: "user" })],
      { a1: "running" },
    ],
    [
      "is idle as a teammate",
      [A, claudeEvent({ hook_event_name: "TeammateIdle", agent_id: "a1" })],
      { a1: "completed" },
    ],
  ];
  it.each(lives)("%s", async (_name, events, states) => {
    expect((await recorded(events)).states).toEqual(states);
  });

  it("is not over while a policy holds it, and is when that lets it end", async () => {
    const held = await recorded([A, stopsAgent("a1", CLAIM)], { gate: true });
    expect(held.states).toEqual({ a1: "running" });
    expect(held.totals).toEqual({ spawned: 1, completed: 0, failed: 0 });
    expect(held.replay.map(({ event }) => event)).toEqual(["agent_start", "agent_held"]);
    const again = stopsAgent("a1", { ...CLAIM, stop_hook_active: true });
    const over = await recorded([A, stopsAgent("a1", CLAIM), again], { gate: true });
    expect(over.states).toEqual({ a1: "completed" });
  });

  it("is not harmed by a malformed report", async () => {
    const malformed = { agent_id: 5, agent_type: [], last_assistant_message: {}, background_tasks: "none" };
    const { states, replies } = await recorded([
      A,
      startsAgent("x", malformed),
      stopsAgent("x", malformed),
      stop(malformed),
    ]);
    expect([states, replies]).toEqual([{ a1: "running" }, ["", "", "", ""]]);
  });

  it("says nothing, so that nobody goes on because of it", async () => {
    const { replies } = await recorded([A, stopsAgent("a1"), stopsAgent("a1", { success: false }), stop()]);
    expect(replies).toEqual(["", "", "", ""]);
  });
});

describe("a ghost", () => {
  const listed = (...tasks: JsonObject[]) => stop({ background_tasks: tasks });
  const cases: readonly (readonly [string, readonly AnyEvent[], string, SandboxOptions?])[] = [
    ["of an interrupted turn is lost at the next stop", [A, listed()], "lost"],
    ["is none while the client lists it", [A, listed(inBackground("a1"))], "running"],
    ["is lost when the client lists another one", [A, listed(inBackground("a2"))], "lost"],
    ["is lost when the client lists it as ended", [A, listed({ ...inBackground("a1"), status: "completed" })], "lost"],
    ["cannot be told where the client lists nothing", [A, stop()], "running"],
    ["is not told by the stop of a subagent", [A, stopsAgent("a2", { background_tasks: [] })], "running"],
    ["is completed when its end comes late", [A, listed(), stopsAgent("a1")], "completed"],
    ["of this session is lost when it is resumed", [A, startsSession("resume")], "lost"],
    ["is none after a compaction", [A, startsSession("compact")], "running"],
    ["is lost when its session ends", [A, endsSession("prompt_input_exit")], "lost"],
    [
      "may go on after a clear",
      [A, endsSession("clear"), startsSession("clear", OTHER)],
      "running",
      { alive: [FAKE_PID] },
    ],
    ["of a killed session is lost at the start of another", [A, startsSession("startup", OTHER)], "lost"],
    ["is none while its process is alive", [A, startsSession("startup", OTHER)], "running", { alive: [FAKE_PID] }],
    ["of another session is no business of a stop", [startsAgent("a1", OTHER), stop()], "running"],
    ["of another session is no business of an end", [startsAgent("a1", OTHER), endsSession("other")], "running"],
  ];
  for (const [name, events, status, options] of cases) {
    it(name, async () => expect((await recorded(events, options)).states.a1).toBe(status));
  }

  it("after a clear is lost when the same process does not list it any more", async () => {
    const events = [A, endsSession("clear"), startsSession("clear", OTHER), stop({ ...OTHER, background_tasks: [] })];
    expect((await recorded(events, { alive: [FAKE_PID] })).states).toEqual({ a1: "lost" });
  });

  it("after a clear is completed under its first session", async () => {
    const events = [A, endsSession("clear"), startsSession("clear", OTHER), stopsAgent("a1", OTHER)];
    const { agents } = await recorded(events, { alive: [FAKE_PID] });
    expect(agents.a1).toMatchObject({ session: SESSION, status: "completed" });
  });
});

describe("what is known of a subagent", () => {
  it("its task comes from the call that started it, by its type", async () => {
    const other = spawns("read the docs", { subagent_type: "writer" });
    const { agents } = await recorded([
      other,
      spawns("find the bug"),
      startsAgent("a1", { agent_type: "omc:executor" }),
    ]);
    expect(agents.a1).toMatchObject({ type: "omc:executor", task: "find the bug" });
  });
  it("a call that was denied or has failed starts nothing", async () => {
    const spawn = spawns("find the bug");
    const { useId = "" } = spawn.tool ?? {};
    const failed = claudeEvent({
      ...{ hook_event_name: "PostToolUseFailure", tool_name: "Agent", tool_input: {}, tool_use_id: useId, error: "x" },
    });
    expect((await recorded([spawn, failed, A])).agents.a1).toMatchObject({ task: "" });
  });
  it("the call of an earlier turn is not its call", async () => {
    expect((await recorded([spawns("find the bug"), stop(), A])).agents.a1).toMatchObject({ task: "" });
  });
  it("tokens, tools and model come from the report of its call", async () => {
    const report = reportsAgent("a1", { resolvedModel: "sonnet", totalTokens: 15, totalToolUseCount: 2 });
    const { agents } = await recorded([A, stopsAgent("a1"), report]);
    expect(agents.a1).toMatchObject({ task: "look", model: "sonnet", tokens: 15, toolUses: 2, status: "completed" });
  });
  it("what it hands back is its summary, not the words after it", async () => {
    const message = "The cause is a missing lock.";
    const handsBack = toolAfter("SubagentHandback", { message }, "h", { agent_id: "a1", agent_type: "executor" });
    const { agents } = await recorded([A, handsBack, stopsAgent("a1", { last_assistant_message: "Bye." })]);
    expect(agents.a1?.summary).toBe(message);
  });
  it("a secret in its report is masked, and a long one is cut", async () => {
    const key = `sk-ant-api03-${"A1b2C3d4".repeat(12)}`;
    const { agents, file } = await recorded([
      A,
      stopsAgent("a1", { last_assistant_message: `${key} ${"x".repeat(900)}` }),
    ]);
    expect(agents.a1?.summary.length).toBeLessThanOrEqual(500);
    expect(JSON.stringify(file)).not.toContain(key);
  });
  it("the files that it has changed, each once and at most a hundred", async () => {
    const some = Array.from({ length: 105 }, (_, n) => edits("a1", `${PROJECT}/src/${n}.ts`));
    const { agents } = await recorded([A, edits("a1", `${PROJECT}/src/0.ts`), edits("a1", "/etc/hosts"), ...some]);
    expect(agents.a1?.files.slice(0, 3)).toEqual(["src/0.ts", "/etc/hosts", "src/1.ts"]);
    expect(agents.a1?.files).toHaveLength(100);
  });
  it("files of the main agent belong to nobody", async () => {
    const { agents } = await recorded([A, toolAfter("Edit", { file_path: `${PROJECT}/x.ts` }, "t")]);
    expect(agents.a1?.files).toEqual([]);
  });
  it.each([
    [["ralph", "ultrawork"], "ultrawork"],
    [["ralph", "swarm"], "swarm"],
    [["ecomode"], ""],
    [[], ""],
  ] as const)("its parent mode when %j is on", async (modes, parentMode) => {
    const { agents } = await recorded(
      [A],
      withRuns(...modes.map((mode) => aRun(mode, { details: DETAILS[mode] ?? {} }))),
    );
    expect(agents.a1).toMatchObject({ parentMode });
  });
});

describe("what is written", () => {
  it("the tracking file has the fields of oh-my-claudecode", async () => {
    const { file, totals } = await recorded([spawns("find the bug"), A, startsAgent("a2"), stopsAgent("a1")]);
    const at = new Date(FAKE_NOW).toISOString();
    const common = { agent_type: "executor", session_id: SESSION, started_at: at, parent_mode: "none" };
    const ended = { completed_at: at, duration_ms: 0, output_summary: "Found three." };
    expect(file).toEqual({
      agents: [
        { agent_id: "a1", ...common, status: "completed", task_description: "find the bug", ...ended },
        { agent_id: "a2", ...common, status: "running" },
      ],
      total_spawned: 2,
      total_completed: 1,
      total_failed: 0,
      last_updated: at,
    });
    expect(totals).toEqual({ spawned: 2, completed: 1, failed: 0 });
  });
  it("the replay log has a line for each start and end", async () => {
    const { replay } = await recorded([A, stopsAgent("a1"), stopsAgent("a1")]);
    const about = { time: new Date(FAKE_NOW).toISOString(), agent: "a1", agent_type: "executor" };
    expect(replay).toEqual([
      { ...about, event: "agent_start", status: "running" },
      { ...about, event: "agent_stop", status: "completed", success: true, duration_ms: 0 },
    ]);
  });
  it("the tracking file is written at each start, end and report, and not at each changed file", async () => {
    const report = reportsAgent("a1", { resolvedModel: "sonnet" });
    expect((await recorded([spawns("find the bug")])).file).toBeUndefined();
    expect((await recorded([A, edits("a1", `${PROJECT}/x.ts`)])).file?.agents[0]).not.toHaveProperty("file_ownership");
    const { file } = await recorded([A, edits("a1", `${PROJECT}/x.ts`), stopsAgent("a1"), report]);
    expect(file?.agents[0]).toMatchObject({ file_ownership: ["x.ts"], model: "sonnet" });
  });
  it("no process is looked for unless a subagent runs", async () => {
    const sandbox = createSandbox([policy], {});
    const lookedFor = async (): Promise<readonly string[]> =>
      (await sandbox.send(startsSession("startup", OTHER))).looked.filter((name) => name.startsWith("alive:"));
    try {
      await sandbox.send(A);
      await sandbox.send(stopsAgent("a1"));
      expect(await lookedFor()).toEqual([]);
      await sandbox.send(startsAgent("a2"));
      expect(await lookedFor()).toEqual([`alive:${FAKE_PID}`]);
    } finally {
      sandbox.close();
    }
  });
  it("git does not show the folder that is made for it", async () => {
    expect((await recorded([A])).paths).toEqual([`${PROJECT}/.omc/.gitignore`, `${PROJECT}/${FILE}`]);
  });
  it.each([
    ["a call that starts nothing", [toolAfter("Grep", {}, "t"), toolAfter("Read", {}, "t")]],
    ["a stop without subagents", [stop({ background_tasks: [] })]],
    ["a session without subagents", [startsSession("startup"), endsSession("other")]],
  ] as readonly (readonly [string, readonly AnyEvent[]])[])("nothing at %s", async (_name, events) => {
    expect(await recorded(events)).toMatchObject({ paths: [], logs: [], totals: { spawned: 0 } });
  });
  it("nothing outside of the project, whatever the session is called", async () => {
    for (const name of ["../../etc", "a/b", ".", "x".repeat(300)]) {
      const { logs, paths, states } = await recorded([startsAgent("a1", { session_id: name })]);
      expect(states).toEqual({ a1: "running" });
      expect(logs.filter((log) => !log.startsWith(`${PROJECT}/.omc/state/agent-replay-x`))).toEqual([]);
      expect(paths).toEqual([`${PROJECT}/.omc/.gitignore`, `${PROJECT}/${FILE}`]);
    }
  });
  it("nothing through a link in the place of the folder", async () => {
    const files = { [`${PROJECT}/.omc`]: { link: "/etc" } };
    const { paths, logs, states } = await recorded([A], { files });
    expect([paths, logs, states]).toEqual([[], [], { a1: "running" }]);
  });
  it("no file in observe mode", async () => {
    const { logs, replay } = await recorded([A, stopsAgent("a1")], { mode: "observe" });
    expect([logs, replay]).toEqual([[], []]);
  });
  it("the replay logs of the last ten sessions alone", async () => {
    const sessions = Array.from({ length: 12 }, (_, n) => `session-${n}`);
    const { paths } = await recorded(sessions.map((id) => startsAgent("a", { session_id: id })));
    const removed = paths.filter((path) => path.includes("agent-replay-") && path.endsWith(".jsonl"));
    expect(removed.map((path) => path.slice(path.indexOf("session-")))).toEqual(["session-0.jsonl", "session-1.jsonl"]);
  });
});

describe("two sessions at once", () => {
  it("each end belongs to its own session", async () => {
    const events = [
      A,
      startsAgent("b1", OTHER),
      stopsAgent("b1", OTHER),
      stop({ background_tasks: [inBackground("a1")] }),
    ];
    const { agents, totals } = await recorded(events, { alive: [FAKE_PID] });
    expect(agents.a1).toMatchObject({ session: SESSION, status: "running" });
    expect(agents.b1).toMatchObject({ session: OTHER_SESSION, status: "completed" });
    expect(totals).toEqual({ spawned: 2, completed: 1, failed: 0 });
  });
});
