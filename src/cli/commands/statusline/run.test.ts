import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { PassThrough, Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { compileConfig } from "../../../config/compile.ts";
import { fileReader } from "../../../domain/mode/files/file-reader.ts";
import { machineOf } from "../../../domain/mode/machines.ts";
import { aRun } from "../../../domain/mode/mode.samples.ts";
import type { ModeRun } from "../../../domain/mode/mode-run.ts";
import { ModeRuns } from "../../../domain/mode/mode-runs.ts";
import { type ModeName, STALE_MS } from "../../../domain/mode/modes.ts";
import { SESSION_STORE, Sessions } from "../../../domain/session/sessions.ts";
import { AGENT_STORE, agentsKey } from "../../../domain/subagents/running-count.ts";
import { Database } from "../../../state/database.ts";
import { sampleEntry } from "../../../state/entry.samples.ts";
import { append } from "../../../state/journal.ts";
import { noteSession, saveFlags, takeSnapshot } from "../../../state/sessions.ts";
import { openTable, projectScope, type SessionRef } from "../../../state/stores.ts";
import { contextOf, makeWorld, type SetupWorld } from "../../installation/setup.samples.ts";
import { runStatusline } from "./run.ts";

let loadedModes = 0;
const loadModes = () => {
  loadedModes++;
  return import("./modes-text.ts");
};
const PARTS = { build: "test", compileConfig, loadModes };
let world: SetupWorld;
let ref: SessionRef;
beforeEach(() => {
  world = makeWorld();
  ref = { agent: "claude-code", session: "s1", agentId: "", project: world.project };
});
afterEach(() => fs.rmSync(world.root, { recursive: true, force: true }));

async function show(input: unknown, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const context = contextOf({ ...world, env: { ...world.env, ...env } });
  const text = typeof input === "string" ? input : JSON.stringify(input);
  expect(await runStatusline(context, Readable.from([Buffer.from(text)]), PARTS)).toBe(0);
  return context.said();
}

function inDatabase<T>(work: (db: Database) => T): T {
  const db = new Database(path.join(world.home, "state.db"), 1_000);
  try {
    return work(db);
  } finally {
    db.close();
  }
}

const status = (percent: unknown, more: object = {}): object => ({
  session_id: "s1",
  model: { display_name: "Opus" },
  workspace: { current_dir: path.join(world.project, "deep") },
  context_window: { used_percentage: percent },
  ...more,
});
const kept = (): number | undefined => inDatabase((db) => takeSnapshot(db, ref, false).flags.contextUsage);

const NEW = { via: "", lastAt: undefined };

function writeCall(db: Database, key: string, session: string, ruling: string): void {
  append(db, key, sampleEntry({ session, ruling }));
}

describe("the line", () => {
  test("calls, denials and context of this session", async () => {
    inDatabase((db) => {
      writeCall(db, "a", "s1", "deny");
      writeCall(db, "b", "s1", "pass");
      writeCall(db, "c", "s1", "pass");
      writeCall(db, "d", "other", "deny");
    });
    expect(await show(status(43))).toBe("hookwright · safety · 3 calls, 1 denied · context 43 %\n");
  });

  test("the profiles of the person and of the project", async () => {
    fs.mkdirSync(world.home);
    fs.writeFileSync(path.join(world.home, "config.yml"), "profiles: [safety, ntm]\n");
    expect(await show(status(1))).toBe("hookwright · safety, ntm · 0 calls, 0 denied · context 1 %\n");
    fs.writeFileSync(path.join(world.project, "hookwright.yml"), "profiles: [plan]\n");
    expect(await show(status(1))).toContain("hookwright · safety, ntm, plan · ");
    fs.writeFileSync(path.join(world.home, "config.yml"), "profiles: []\n");
    fs.rmSync(path.join(world.project, "hookwright.yml"));
    expect(await show({})).toBe("hookwright · no profile\n");
  });

  test("of a session nobody has heard of", async () => {
    expect(await show(status(0))).toBe("hookwright · safety · 0 calls, 0 denied · context 0 %\n");
  });

  test("what was said last is shown while nothing newer is known", async () => {
    await show(status(12.34));
    expect(await show(status(null))).toBe("hookwright · safety · 0 calls, 0 denied · context 12 %\n");
  });

  const odd: readonly (readonly [string, unknown])[] = [
    ["nothing", ""],
    ["half an object", '{"session_id": "s1"'],
    ["no object", "[1]"],
    ["null", "null"],
    ["an object with nothing in it", {}],
    ["wrong types", { session_id: 5, workspace: "x", context_window: [] }],
  ];
  test.each(odd)("%s on standard input", async (_name, input) => {
    expect(await show(input)).toBe("hookwright · safety\n");
    expect(fs.existsSync(world.home)).toBe(false);
  });

  test.each([
    ["a folder that is none", { workspace: { current_dir: "not absolute\0" } }],
    ["no folder", { workspace: undefined }],
    ["half a character", { session_id: "\ud800" }],
  ])("%s", async (_name, more) => {
    expect(await show(status(50, more))).toBe("hookwright · safety · 0 calls, 0 denied · context 50 %\n");
  });

  test("a pipe that never closes", async () => {
    const context = contextOf(world);
    const input = new PassThrough();
    input.write(JSON.stringify(status(1)));
    expect(await runStatusline(context, input, PARTS)).toBe(0);
    expect(context.said()).toBe("hookwright · safety · 0 calls, 0 denied · context 1 %\n");
  });

  test("a terminal is not waited for", async () => {
    const context = contextOf(world);
    expect(await runStatusline(context, Object.assign(new PassThrough(), { isTTY: true }), PARTS)).toBe(0);
    expect(context.said()).toBe("hookwright · safety\n");
  });

  test("a home that cannot be used", async () => {
    fs.writeFileSync(world.home, "");
    const text = await show(status(1));
    expect(text).toContain("run hookwright doctor");
    expect(text.trimEnd()).not.toContain("\n");
  });

  test("switched off", async () => {
    expect(await show(status(1), { HOOKWRIGHT_DISABLE: "1" })).toBe("hookwright · switched off\n");
    fs.mkdirSync(world.home);
    fs.writeFileSync(path.join(world.home, "off.json"), "");
    expect(await show(status(1))).toBe("hookwright · switched off\n");
  });
});

describe("what is kept", () => {
  test("how full the context is, from 0 to 1", async () => {
    for (const [percent, usage] of [
      [43, 0.43],
      [99.987, 0.9999],
      [250, 1],
      [-5, 0],
    ] as const) {
      await show(status(percent));
      expect(kept()).toBe(usage);
    }
    for (const nothing of ["43", null, undefined, true]) await show(status(nothing));
    expect(kept()).toBe(0);
  });

  test("beside everything else that is known of the session", async () => {
    inDatabase((db) => {
      noteSession(db, ref, NEW, { at: 5, via: "user" });
      writeCall(db, "a", "s1", "pass");
      saveFlags(db, ref, { failed: true, contextUsage: 0.2 });
    });
    await show(status(80));
    inDatabase((db) => {
      const { flags, via, toolCalls } = takeSnapshot(db, ref, true);
      expect({ flags, via, toolCalls }).toEqual({
        flags: { failed: true, contextUsage: 0.8 },
        via: "user",
        toolCalls: 1,
      });
    });
  });

  test("a new session belongs to its project and is still open to every registration", async () => {
    await show(status(10));
    inDatabase((db) => {
      const [row] = db.all("SELECT project, via FROM sessions");
      expect({ ...row }).toEqual({ project: world.project, via: "" });
      noteSession(db, ref, takeSnapshot(db, ref, false), { at: 5, via: "project" });
      expect(takeSnapshot(db, ref, false).via).toBe("project");
    });
  });

  test("the revision stays, so that no decision has to be made again for it", async () => {
    const revision = (): string => inDatabase((db) => takeSnapshot(db, ref, false).revision);
    await show(status(10));
    const first = revision();
    await show(status(11));
    expect(revision()).toBe(first);
    expect(kept()).toBe(0.11);
  });

  test("a lock that somebody holds delays nobody: the line comes, the value next time", async () => {
    await show(status(10));
    const other = new Database(path.join(world.home, "state.db"), 1_000);
    other.begin();
    // The lock is held until the line is printed, so a status line that waits for the lock would hang.
    expect(await show(status(20))).toBe("hookwright · safety · 0 calls, 0 denied · context 20 %\n");
    other.rollBack();
    other.close();
    expect(kept()).toBe(0.1);
  });
});

const launcher = path.resolve(import.meta.dirname, "../../../../bin/hookwright.mjs");
const run = (args: readonly string[], input: string) =>
  spawnSync(process.execPath, [launcher, ...args], { input, env: world.env, encoding: "utf8" });
const showBuilt = (): string => run(["statusline"], JSON.stringify(status(10))).stdout;

describe("as the agent starts it", () => {
  test("the line comes from a bundle of its own, which is small", () => {
    const { status: code, stdout, stderr } = run(["statusline"], JSON.stringify(status(30)));
    expect([code, stdout, stderr]).toEqual([0, "hookwright · safety · 0 calls, 0 denied · context 30 %\n", ""]);
    expect(kept()).toBe(0.3);
    fs.writeFileSync(path.join(world.home, "config.yml"), "profiles: [ntm]\n");
    expect(run(["statusline"], JSON.stringify(status(30))).stdout).toContain("hookwright · ntm · ");
    const bundle = fs.readFileSync(path.resolve(import.meta.dirname, "../../../../dist/statusline.cjs"), "utf8");
    expect(bundle.length).toBeLessThan(48_000);
    expect(bundle).not.toMatch(/Zod|yaml|re2js/i);
  });

  test("help and wrong usage come from the command line", () => {
    expect(run(["statusline", "--help"], "").stdout).toContain("Usage: hookwright statusline");
    expect(run(["statusline", "--wrong"], "")).toMatchObject({ status: 1, stdout: "" });
  });
});

describe("subagents", () => {
  const have = (session: string, ...statuses: readonly string[]): void =>
    inDatabase((db) => {
      const row = { agents: statuses.map((state) => ({ status: state })), spawns: [] };
      db.transaction(() => openTable(db, projectScope(ref), AGENT_STORE, () => undefined).set(agentsKey(session), row));
    });
  test.each([
    [["running", "completed", "running"], " · 2 agents"],
    [["running", "lost"], " · 1 agent"],
    [["completed"], ""],
  ])("that run are counted: %j", async (statuses, text) => {
    have("s1", ...statuses);
    have("s2", "running");
    expect(await show(status(10))).toBe(`hookwright · safety${text} · 0 calls, 0 denied · context 10 %\n`);
  });
});

describe("modes", () => {
  const have = (mode: ModeName, changed: Partial<ModeRun> = {}): void =>
    inDatabase((db) => {
      const run = aRun(mode, { session: "s1", startedAt: Date.now(), seenAt: Date.now(), ...changed });
      db.transaction(() => new ModeRuns(openTable(db, projectScope(ref), "modes", () => undefined)).save(run));
    });

  const cases: readonly (readonly [string, ModeName, Partial<ModeRun>, string])[] = [
    ["round and limit", "ultrawork", { round: 7 }, "ultrawork 7/50"],
    ["that it waits", "ultrawork", { status: "waiting", why: "Which one?" }, "ultrawork 0/50 waiting"],
    ["that its rounds are used up", "ultrawork", { status: "paused", round: 50 }, "ultrawork 50/50 paused"],
    ["that it is stale", "ultrawork", { seenAt: Date.now() - STALE_MS - 60_000 }, "ultrawork 0/50 stale"],
    ["its phase", "ecomode", { phase: "planning" }, "ecomode 0/50, planning"],
  ];
  test.each(cases)("are shown with %s", async (_name, mode, changed, text) => {
    have(mode, changed);
    expect(await show(status(10))).toBe(`hookwright · safety · ${text} · 0 calls, 0 denied · context 10 %\n`);
  });

  test("are shown with their progress, and those that they have started are not", async () => {
    const userStories = [1, 2, 3, 4, 5].map((n) => ({ id: `US-${n}`, title: `part ${n}`, passes: n < 3 }));
    fs.writeFileSync(path.join(world.project, "prd.json"), JSON.stringify({ userStories }));
    const wish = { mode: "ralph", request: "x" } as const;
    const details = machineOf("ralph").begin(wish, fileReader(world.project, Date.now()));
    have("ralph", { round: 7, details });
    have("ultrawork", { parent: "ralph" });
    expect(await show(status(10))).toContain(" · ralph 7/100, 2 of 5 stories · 0 calls");
    expect(showBuilt()).toContain(" · ralph 7/100, 2 of 5 stories · 0 calls");
  });

  test("of other sessions are not shown, and their code is not loaded", async () => {
    have("ultrawork", { session: "s2" });
    const before = loadedModes;
    expect(await show(status(10))).not.toContain("ultrawork");
    expect(loadedModes).toBe(before);
  });

  test("whose rows cannot be read are not shown", async () => {
    inDatabase((db) =>
      db.transaction(() => openTable(db, projectScope(ref), "modes", () => undefined).set("runs:s1", [{ mode: "x" }])),
    );
    expect(await show(status(10))).toBe("hookwright · safety · 0 calls, 0 denied · context 10 %\n");
  });
});

describe("a session of work", () => {
  const file = (): string => path.join(world.project, "sessions/X/.state.json");
  const begin = (fields: object = {}): void =>
    inDatabase((db) => {
      const state = { sessionId: "s1", currentPhase: "2: Build", lifecycle: "active", ...fields };
      const store = new Sessions(openTable(db, projectScope(ref), SESSION_STORE, () => undefined));
      db.transaction(() => store.save(path.dirname(file()), state));
    });

  test("is named on the line, with its phase", async () => {
    begin();
    expect(await show(status(10))).toContain("hookwright · safety · X, 2: Build · ");
    begin({ lifecycle: "completed" });
    expect(await show(status(10))).toContain("X, 2: Build (closed)");
  });

  test("has how full the context is in its state file, but not while it is handed over", async () => {
    begin();
    await show(status(42));
    expect(JSON.parse(fs.readFileSync(file(), "utf8"))).toMatchObject({ contextUsage: 0.42, currentPhase: "2: Build" });
    begin({ killRequested: true, contextUsage: 0 });
    await show(status(43));
    expect(kept()).toBe(0.43);
    expect(JSON.parse(fs.readFileSync(file(), "utf8"))).toMatchObject({ contextUsage: 0.42 });
  });
});
