/** What the pages hold, from real rows of the journal. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aRun } from "../../domain/mode/mode.samples.ts";
import { ModeRuns } from "../../domain/mode/mode-runs.ts";
import { openRegistry } from "../../domain/team/registry.ts";
import type { JournalEntry } from "../../state/journal.ts";
import { openTable } from "../../state/stores.ts";
import type { DecisionDetail, DecisionsPage, NowPage, PerformancePage, PolicyRow, Timeline, WorkPage } from "./api.ts";
import { DashboardWorld } from "./dashboard.samples.ts";

const NOW = Date.now();
let world: DashboardWorld;
beforeEach(() => {
  world = new DashboardWorld();
});
afterEach(() => world.dispose());

function call(command: string, more: Partial<JournalEntry> = {}): Partial<JournalEntry> {
  return { at: NOW, toolUseId: "t1", body: JSON.stringify({ tool_input: { command } }), ...more };
}

async function open(...about: Parameters<DashboardWorld["start"]>): Promise<void> {
  await world.start(...about);
  await world.enter();
}

describe("the machines of a fleet", () => {
  const seen = { sessions: 2, isResting: false, isStale: false };
  const machines = [
    { name: "ant", lastSeen: 1, ...seen },
    { name: "bee", lastSeen: 2, ...seen },
  ];
  const writeStatus = (more: object): void => {
    fs.mkdirSync(`${world.root}/fleet`, { recursive: true });
    fs.writeFileSync(`${world.root}/fleet/status.json`, JSON.stringify({ machine: "ant", machines, ...more }));
  };
  const stale = async () =>
    (await world.json<NowPage>("/api/now")).machines.map(({ name, isStale }) => `${name} ${isStale}`);

  it("are shown, and all but this one are stale while the server is out of reach or nobody asks it", async () => {
    await open();
    const now = Date.now();
    writeStatus({ at: now, lastContact: now, problem: "" });
    expect(await stale()).toEqual(["ant false", "bee false"]);
    writeStatus({ at: now, lastContact: now, problem: "no answer" });
    expect(await stale()).toEqual(["ant false", "bee true"]);
    writeStatus({ at: now - 60_000, lastContact: now, problem: "" });
    expect(await stale()).toEqual(["ant false", "bee true"]);
    fs.writeFileSync(`${world.root}/fleet/status.json`, "{ half a fi");
    expect(await stale()).toEqual([]);
  });
});

describe("without anything recorded", () => {
  it("every page is empty, and its database is not made", async () => {
    await open();
    expect(await world.json<NowPage>("/api/now")).toMatchObject({ sessions: [], approvals: [], machines: [] });
    expect(await world.json("/api/decisions")).toEqual({ rows: [], next: null, count: 0 });
    expect(await world.json("/api/timeline?session=x")).toEqual({ session: "x", spans: [], next: null });
    expect(await world.json("/api/policies")).toEqual([]);
    expect(await world.json("/api/work")).toEqual({ plans: [], modes: [], teams: [], boards: [] });
    expect(await world.json("/api/performance")).toMatchObject({ events: 0, points: [] });
    expect((await world.ask("/api/decisions/1")).status).toBe(404);
    expect(fs.existsSync(world.database)).toBe(false);
  });
});

describe("now", () => {
  it("shows who waits first, for what and since when; then who works, is held, idle and dead", async () => {
    world.add(call("ls", { session: "works" }));
    world.add({ at: NOW, session: "idle", event: "turn.stop", tool: "" });
    world.add({ at: NOW, session: "held", event: "turn.stop", tool: "", ruling: "hold", policy: "plan/stop-guard" });
    world.add({ at: NOW, session: "dead", event: "session.end", tool: "" });
    world.add(call("git push", { session: "waits", at: NOW - 5_000, event: "permission.request", toolUseId: "" }));
    world.add({ session: "hookwright-doctor" });
    await open();
    const { sessions } = await world.json<NowPage>("/api/now");
    expect(sessions.map(({ session, state }) => [session, state])).toEqual([
      ["waits", "waiting"],
      ["works", "working"],
      ["held", "held"],
      ["idle", "idle"],
      ["dead", "dead"],
    ]);
    expect(sessions[0]).toMatchObject({ since: NOW - 5_000, waitsFor: { tool: "Bash", subject: "git push" } });
    expect(sessions[2]?.last).toMatchObject({ ruling: "hold", policy: "plan/stop-guard" });
  });

  it("a session whose agent was killed is dead; a shell that ran one hook and ended says nothing", async () => {
    const gone = spawnSync("true").pid;
    const by = (session: string, ...pids: number[]): void => {
      for (const pid of pids) world.add(call("ls", { session, grounds: JSON.stringify({ pid }) }));
    };
    by("killed", gone, gone);
    by("by-shells", gone - 1, gone);
    by("alive", process.pid, process.pid);
    by("resumed", gone, gone, process.pid);
    await open();
    const { sessions } = await world.json<NowPage>("/api/now");
    expect(sessions.filter(({ state }) => state === "dead").map(({ session }) => session)).toEqual(["killed"]);
  });

  it("adds modes, plan, team, subagents, context, tokens and cost", async () => {
    const transcript = path.join(world.root, "s1.jsonl");
    const usage = { input_tokens: 1_000, output_tokens: 100 };
    const line = { type: "assistant", message: { id: "m", model: "claude-haiku-4-5-1", usage } };
    fs.writeFileSync(transcript, `${JSON.stringify(line)}\n${JSON.stringify({ ...line, agentId: "a1" })}\n`);
    const body = JSON.stringify({ transcript_path: transcript, agent_type: "Explore" });
    world.add({ at: NOW, session: "s1", event: "subagent.start", agentId: "a1", tool: "", body });
    world.add({ at: NOW, session: "s1", body });
    world.db.run(`UPDATE sessions SET flags = '{"contextUsage":0.42}'`);
    const runs = new ModeRuns(openTable(world.db, `project:${world.root}`, "modes", () => undefined));
    runs.save(aRun("ultrawork", { session: "s1", round: 3, seenAt: NOW }));
    const registry = openRegistry(openTable(world.db, "person", "teams", () => undefined));
    const entry = { session: "s1", pid: 0, registry: "Active", at: 1, state: "busy", source: "agent_hook" } as const;
    registry.put({ team: "shop", agent: "lead", ...entry });
    const tasks = ["complete", "pending"].map((state) => ({ id: state, text: "", state, owner: "" }));
    await open({ plan: (project) => ({ project, file: "p.md", name: "Shop", tasks }) });
    const [card] = (await world.json<NowPage>("/api/now")).sessions;
    expect(card).toMatchObject({
      modes: [{ mode: "ultrawork", state: "active", round: 3 }],
      plan: { name: "Shop", done: 1, all: 2 },
      team: { team: "shop", name: "lead" },
      subagents: [{ agentId: "a1", type: "Explore", state: "running", usage: { outputTokens: 100 } }],
      context: 0.42,
      usage: { inputTokens: 2_000, outputTokens: 200 },
    });
    expect(card?.usage?.dollars).toBeCloseTo(0.003);
  });

  it("goes on when the database is replaced or the newest entries are forgotten", async () => {
    world.add(call("ls", { session: "a" }));
    world.add(call("ls", { session: "b" }));
    await open();
    expect((await world.json<NowPage>("/api/now")).sessions).toHaveLength(2);
    world.db.run("DELETE FROM journal WHERE session = 'b'");
    expect((await world.json<NowPage>("/api/now")).sessions.map(({ session }) => session)).toEqual(["a"]);
  });
});

describe("decisions", () => {
  beforeEach(async () => {
    for (let at = 1; at <= 30; at++) {
      const ruling = at % 10 === 0 ? "deny" : "pass";
      world.add(
        call(`echo ${at}`, { session: at % 2 === 0 ? "even" : "odd", ruling, reason: at === 20 ? "too Loud" : "" }),
      );
    }
  });

  it("come in pages, by id and with filters", async () => {
    await open();
    const first = await world.json<DecisionsPage>("/api/decisions?limit=20");
    expect([first.rows.length, first.next, first.count]).toEqual([20, 11, 30]);
    const rest = await world.json<DecisionsPage>(`/api/decisions?limit=20&before=${first.next}`);
    expect([rest.rows.map(({ id }) => id), rest.next]).toEqual([[10, 9, 8, 7, 6, 5, 4, 3, 2, 1], null]);
    const some = await world.json<DecisionsPage>("/api/decisions?session=even&ruling=deny&since=1h&search=LOUD%20to*");
    expect(some).toMatchObject({ rows: [{ id: 20, subject: "echo 20", ruling: "deny" }], next: null, count: 1 });
  });

  it.each(["ruling=maybe", "before=-1", "limit=x", "since=yesterday", `search=${"x".repeat(300)}`])(
    "say what is wrong with %s",
    async (query) => {
      await open();
      const { status, text } = await world.ask(`/api/decisions?${query}`);
      expect(status).toBe(400);
      expect(JSON.parse(text).error).toContain(`\`${query.split("=")[0]}\``.replace("`ruling`", "ruling"));
    },
  );

  it("one of them has what happened afterwards, and a mark that can be taken back", async () => {
    const id = world.add(call("rm -rf build", { session: "s", ruling: "ask", policy: "safety/destructive-command" }));
    world.add(call("rm -rf build", { session: "s", event: "tool.after" }));
    await open({ effects: async (command) => [{ kind: "delete-tree", text: command, verdict: "ask" }] });
    const detail = await world.json<DecisionDetail>(`/api/decisions/${id}`);
    expect(detail).toMatchObject({
      effects: [{ text: "rm -rf build" }],
      afterwards: { outcome: "kept", rows: [{ event: "tool.after" }] },
      isFalseAlarm: false,
      cannotAllow: "",
    });
    for (const isFalseAlarm of [true, false]) {
      await world.post(`/api/decisions/${id}/false-alarm`, { isFalseAlarm });
      expect((await world.json<DecisionDetail>(`/api/decisions/${id}`)).isFalseAlarm).toBe(isFalseAlarm);
    }
  });

  it("what protects the guard, what passed, and what holds a secret cannot be allowed", async () => {
    const cases = [
      call("hookwright off", { ruling: "deny", policy: "safety/own-commands" }),
      call("ls", { ruling: "pass" }),
      call("curl -u me:[masked] x", { ruling: "deny", policy: "safety/secret-leak" }),
      {
        ruling: "deny",
        policy: "safety/destructive-command",
        tool: "Write",
        body: '{"tool_input":{"file_path":"/x"}}',
      },
    ];
    const given: string[] = [];
    const ids = cases.map((entry) => world.add(entry));
    await open({ allowOnce: (shown) => ({ shown: `${given.push(shown)}`, until: 1 }) });
    for (const id of ids) expect((await world.post(`/api/decisions/${id}/allow`, {})).status).toBe(409);
    expect(given).toEqual([]);
    const id = world.add(call("git push --force", { ruling: "deny", policy: "safety/destructive-command" }));
    expect((await world.post(`/api/decisions/${id}/allow`, {})).status).toBe(200);
    expect(given).toEqual(["git push --force"]);
  });

  it("an edit whose texts were kept has a diff", async () => {
    const tool_input = { file_path: "/p/a.ts", old_string: "a\n", new_string: "b\n" };
    const id = world.add({ tool: "Edit", body: JSON.stringify({ tool_input }) });
    await open();
    expect((await world.json<DecisionDetail>(`/api/decisions/${id}`)).diff).toContain("-a\n+b");
  });
});

it("a timeline tells waiting, hook, tool and model apart", async () => {
  const at = (seconds: number, event: string, more: Partial<JournalEntry> = {}): Partial<JournalEntry> => ({
    ...call("make", { session: "s", at: NOW + seconds * 1_000, event, microseconds: 2_000 }),
    ...more,
  });
  const ended = JSON.stringify({ tool_input: { command: "make" }, duration_ms: 3_000 });
  world.add(at(0, "prompt.submit", { tool: "", toolUseId: "" }));
  world.add(at(10, "tool.before"));
  world.add(at(11, "permission.request", { toolUseId: "" }));
  world.add(at(20, "tool.after", { body: ended }));
  world.add(at(25, "turn.stop", { tool: "", toolUseId: "" }));
  await open();
  const { spans, next } = await world.json<Timeline>("/api/timeline?session=s");
  const shown = spans.map(({ kind, from, to }) => [
    kind,
    Math.round((from - NOW) / 1_000),
    Math.round((to - NOW) / 1_000),
  ]);
  expect(next).toBeNull();
  expect(shown.filter(([kind]) => kind === "hook")).toHaveLength(5);
  expect(shown.filter(([kind]) => kind !== "hook")).toEqual([
    ["model", 0, 10],
    ["waiting", 11, 17],
    ["tool", 17, 20],
    ["model", 20, 25],
  ]);
});

it("policies count hits, denials, what observe would have denied and false alarms", async () => {
  const verdicts = (mode: string, kind: string): string =>
    JSON.stringify([
      { policy: "safety/x", stage: "destructive", mode, fate: "sent", microseconds: 400, verdicts: [{ kind }] },
    ]);
  const id = world.add({ at: NOW, verdicts: verdicts("enforce", "deny"), ruling: "deny", policy: "safety/x" });
  world.add({ at: NOW, verdicts: verdicts("observe", "deny") });
  world.add({ at: NOW, verdicts: verdicts("enforce", "note") });
  world.add({ at: NOW - 3 * 86_400_000, verdicts: verdicts("enforce", "note") });
  world.add({ at: NOW, verdicts: "damaged" });
  const listed = {
    id: "safety/x",
    pack: "safety",
    stage: "destructive",
    mode: "enforce",
    isOn: true,
    summary: "",
  } as const;
  await open({ policies: async () => [listed] });
  await world.post(`/api/decisions/${id}/false-alarm`, { isFalseAlarm: true });
  const [row] = await world.json<PolicyRow[]>("/api/policies?days=4");
  expect(row).toMatchObject({ hits: 4, denials: 1, wouldHaveDenied: 1, falseAlarms: 1, days: [1, 0, 0, 3] });
  expect(row?.p50).toBeGreaterThan(330);
  expect(row?.p50).toBeLessThan(480);
  // What comes later is counted on top, and nothing twice.
  world.add({ at: NOW, verdicts: verdicts("enforce", "deny") });
  expect((await world.json<PolicyRow[]>("/api/policies?days=4"))[0]?.denials).toBe(2);
});

it("performance has points, shares and the slowest events", async () => {
  for (let at = 0; at < 100; at++) world.add({ at: NOW, microseconds: at === 50 ? 90_000 : 1_000 });
  world.add({ at: NOW - 2 * 86_400_000, microseconds: 5_000_000 });
  await open();
  const page = await world.json<PerformancePage>("/api/performance?hours=24");
  expect(page.events).toBe(100);
  expect(page.slowest[0]).toMatchObject({ id: 51, microseconds: 90_000 });
  expect(page.slowest).toHaveLength(10);
  expect(page.p50).toBeLessThan(1_300);
  expect(page.points.reduce((sum, { events }) => sum + events, 0)).toBe(100);
  expect(page.points.length).toBeLessThanOrEqual(73);
});

it("work has the modes of all projects and the teams", async () => {
  world.add(call("ls", { session: "s1" }));
  const runs = new ModeRuns(openTable(world.db, `project:${world.root}`, "modes", () => undefined));
  runs.save(aRun("ultrawork", { session: "s1", request: "build it", seenAt: NOW }));
  await open();
  const work = await world.json<WorkPage>("/api/work");
  expect(work.modes).toMatchObject([{ session: "s1", state: "active", request: "build it" }]);
});

it("a mode is only shown as a diff unless it is to be written", async () => {
  const asked: unknown[] = [];
  const change = { isPreview: true, file: "f", diff: "d", wouldHave: null };
  await open({
    async setMode(...about) {
      asked.push(about);
      return change;
    },
  });
  await world.post("/api/policies/mode", { id: "a/b", mode: "off" });
  await world.post("/api/policies/mode", { id: "a/b", mode: "off", isPreview: false });
  expect((await world.post("/api/policies/mode", { id: "a/b", mode: "loud" })).status).toBe(400);
  expect(asked).toEqual([
    ["a/b", "off", { isPreview: true, isReplayed: false }],
    ["a/b", "off", { isPreview: false, isReplayed: false }],
  ]);
});

it("a replay is told about line by line, and its failure too", async () => {
  await open({
    async replay(_request, onProgress) {
      onProgress({ kind: "progress", done: 1, all: 2 });
      throw new Error("no such profile");
    },
  });
  const { text } = await world.post("/api/replay", { since: "7d" });
  expect(
    text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual([
    { kind: "progress", done: 1, all: 2 },
    { kind: "failed", error: "no such profile" },
  ]);
});
