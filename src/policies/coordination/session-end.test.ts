import { describe, expect, it } from "vitest";
import type { AnyEvent, JsonObject } from "../../core/event.ts";
import { aRun, runsIn, withRuns } from "../../domain/mode/mode.samples.ts";
import {
  endsSession,
  exportedText,
  OTHER_SESSION,
  startsAgent,
  startsSession,
  stopsAgent,
} from "../../domain/subagents/subagents.samples.ts";
import { PROJECT, SESSION } from "../../testing/events.ts";
import { FAKE_NOW, type FakeFile } from "../../testing/fake-ports.ts";
import { createSandbox, type SandboxOptions } from "../../testing/sandbox.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import persistentMode from "../modes/persistent-mode.ts";
import policy from "./session-end.ts";
import subagentTracker from "./subagent-tracker.ts";

const end = endsSession("prompt_input_exit");
const NOW = new Date(FAKE_NOW).toISOString();

testPolicy(policy, {
  hit: [],
  pass: [
    { name: "a session starts", event: startsSession("startup") },
    { name: "a session ends", event: end },
    { name: "a session without a name", event: endsSession("other", { session_id: "" }) },
  ],
});

async function ended(events: readonly AnyEvent[], options: SandboxOptions = {}) {
  const sandbox = createSandbox([persistentMode, subagentTracker, policy], options);
  try {
    const replies: string[] = [];
    for (const event of events) replies.push((await sandbox.send(event)).reply.stdout);
    const { db } = sandbox;
    const text = exportedText(db, `.omc/sessions/${SESSION}.json`);
    const removed = db
      .all("SELECT path FROM mirrors WHERE content IS NULL ORDER BY path")
      .map(({ path }) => String(path));
    return {
      replies,
      removed,
      file: text === undefined ? undefined : (JSON.parse(text) as JsonObject),
      ignored: exportedText(db, ".omc/.gitignore"),
      paths: db.all("SELECT path FROM mirrors WHERE content IS NOT NULL").map(({ path }) => String(path)),
      runs: runsIn(db).all(),
    };
  } finally {
    sandbox.close();
  }
}

describe("the file of a session", () => {
  it("says when it started and ended, why, and with what", async () => {
    const mode = withRuns(aRun("ralph", { startedAt: FAKE_NOW + 5 }), aRun("ultrawork", { startedAt: FAKE_NOW + 5 }));
    const events = [startsSession("startup"), startsAgent("a1"), stopsAgent("a1"), startsAgent("a2"), end];
    const { file, ignored } = await ended(events, mode);
    expect(file).toEqual({
      session_id: SESSION,
      started_at: NOW,
      ended_at: NOW,
      reason: "prompt_input_exit",
      duration_ms: 0,
      agents_spawned: 2,
      agents_completed: 1,
      modes_used: ["ralph", "ultrawork"],
    });
    expect(ignored).toBe("*\n");
  });

  it("keeps the first start of a session that is resumed, and of no subagent", async () => {
    const options = { now: FAKE_NOW };
    const sandbox = createSandbox([policy], options);
    try {
      const steps: readonly (readonly [number, AnyEvent])[] = [
        [0, startsSession("startup", { agent_id: "a1", agent_type: "x" })],
        [10_000, startsSession("startup")],
        [70_000, startsSession("resume")],
        [90_000, end],
      ];
      for (const [after, event] of steps) {
        options.now = FAKE_NOW + after;
        await sandbox.send(event);
      }
      const text = exportedText(sandbox.db, `.omc/sessions/${SESSION}.json`) ?? "";
      expect(JSON.parse(text)).toMatchObject({ duration_ms: 80_000 });
    } finally {
      sandbox.close();
    }
  });

  it("counts modes that have ended, and none of another session", async () => {
    const seed: SandboxOptions["seed"] = (db) => {
      runsIn(db).addToHistory({ ...aRun("autopilot"), outcome: "done", endedAt: FAKE_NOW });
      runsIn(db).addToHistory({ ...aRun("ralph", { session: OTHER_SESSION }), outcome: "done", endedAt: FAKE_NOW });
    };
    expect((await ended([end], { seed })).file).toMatchObject({ modes_used: ["autopilot"] });
  });

  it("begins with what was seen first where the start was not reported", async () => {
    const { file } = await ended([end], withRuns(aRun("ralph", { startedAt: FAKE_NOW - 90_000 })));
    expect(file).toMatchObject({ started_at: new Date(FAKE_NOW - 90_000).toISOString(), duration_ms: 90_000 });
    expect((await ended([end])).file).toMatchObject({ started_at: null, duration_ms: null, modes_used: [] });
  });

  it.each([
    ["clear", "clear"],
    ["resume", "resume"],
    ["", "other"],
  ])("is written for the reason %j", async (reason, written) => {
    expect((await ended([endsSession("x", { reason })])).file).toMatchObject({ reason: written });
  });

  it.each(["../../etc/x", "a/b", "", ".", "-x", "x".repeat(300)])("is not written for the id %j", async (id) => {
    const { paths } = await ended([endsSession("other", { session_id: id })]);
    expect(paths).toEqual([]);
  });

  it.each([`${PROJECT}/.omc`, `${PROJECT}/.omc/sessions`])("is not written through a link at %s", async (place) => {
    const { paths } = await ended([end], { files: { [place]: { link: "/etc" } } });
    expect(paths).toEqual([]);
  });

  it("is the file of one session: another one at the same time has its own", async () => {
    const other = { session_id: OTHER_SESSION };
    const { paths } = await ended([
      startsSession("startup"),
      startsSession("startup", other),
      endsSession("other", other),
    ]);
    expect(paths).toEqual([`${PROJECT}/.omc/.gitignore`, `${PROJECT}/.omc/sessions/${OTHER_SESSION}.json`]);
  });
});

describe("temporary files", () => {
  const STATE = `${PROJECT}/.omc/state`;
  const left = (...names: readonly string[]) => ({
    files: Object.fromEntries(names.map((name): [string, FakeFile] => [name, "half"])),
    alive: [77],
  });
  it.each([
    [`${STATE}/ralph-state.json.4711.tmp`],
    [`${STATE}/subagent-tracking.json.4711.tmp`],
    [`${STATE}/sessions/${SESSION}/ralph-state.json.4711.tmp`],
    [`${PROJECT}/.omc/sessions/${SESSION}.json.4711.tmp`],
  ])("a draft of a killed process is removed: %s", async (name) => {
    expect((await ended([end], left(name))).removed).toEqual([name]);
  });
  it.each([
    ["of a process that still writes", `${STATE}/ralph-state.json.77.tmp`],
    ["of a person", `${STATE}/notes.tmp`],
    ["of another program", `${STATE}/swarm.db.4711.tmp`],
    ["of another program with a number", `${STATE}/settings.json.4711.tmp`],
    ["in another folder", `${PROJECT}/.omc/plans/plan.json.4711.tmp`],
    ["in another session's folder", `${STATE}/sessions/${OTHER_SESSION}/ralph-state.json.4711.tmp`],
    ["that is none", `${STATE}/ralph-state.json`],
  ])("one stays: %s", async (_name, file) => {
    expect((await ended([end], left(file))).removed).toEqual([]);
  });
  it("nothing is removed through a link in the place of a folder", async () => {
    const files = { [STATE]: { link: "/srv" }, "/srv/ralph-state.json.4711.tmp": "half" };
    expect((await ended([end], { files })).removed).toEqual([]);
  });
});

describe("modes", () => {
  it("are detached, and those of another session go on", async () => {
    const mine = aRun("ralph");
    const other = aRun("autopilot", { session: OTHER_SESSION });
    const { runs, removed } = await ended([end], withRuns(mine, other));
    expect(runs.map(({ mode, status }) => [mode, status])).toEqual([
      ["ralph", "detached"],
      ["autopilot", "active"],
    ]);
    expect(removed).toEqual([]);
  });
});
