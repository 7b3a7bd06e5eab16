import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { NO_AGENTS, type SessionAgents } from "../../../domain/subagents/agent-record.ts";
import { ended, started, withFiles } from "../../../domain/subagents/follow-agents.ts";
import { trackedAgents } from "../../../domain/subagents/tracked-agents.ts";
import { Database } from "../../../state/database.ts";
import { sampleEntry } from "../../../state/entry.samples.ts";
import { append } from "../../../state/journal.ts";
import { openTable, projectScope } from "../../../state/stores.ts";
import { contextOf, makeWorld, type SetupWorld } from "../../installation/setup.samples.ts";
import { showAgents } from "./run.ts";

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const MINUTE = 60_000;
let world: SetupWorld;
beforeEach(() => {
  world = makeWorld();
  fs.mkdirSync(world.home, { recursive: true });
});
afterEach(() => fs.rmSync(world.root, { recursive: true, force: true }));

function inDatabase(work: (db: Database) => void): void {
  const db = new Database(path.join(world.home, "state.db"), 1_000);
  try {
    work(db);
  } finally {
    db.close();
  }
}

function have(session: string, state: SessionAgents): void {
  const ref = { agent: "", session: "", agentId: "", project: world.project };
  inDatabase((db) =>
    db.transaction(() =>
      trackedAgents.open(openTable(db, projectScope(ref), trackedAgents.name, () => undefined)).save(session, state),
    ),
  );
}

function show(options: Record<string, string | boolean> = {}): string {
  const context = contextOf(world, options);
  expect(showAgents({ ...context, cwd: world.project }, NOW)).toBe(0);
  return context.said();
}

const start = (id: string, minutesAgo: number, before: SessionAgents = NO_AGENTS): SessionAgents =>
  started(before, { id, type: "executor", pid: 0, parentMode: "" }, NOW - minutesAgo * MINUTE);

test("nothing was seen", () => {
  expect(show()).toBe(`No subagent was seen in ${world.project}.\n`);
  expect(JSON.parse(show({ json: true }))).toEqual({
    agents: [],
    totals: { spawned: 0, completed: 0, failed: 0 },
    conflicts: [],
  });
});

describe("the table", () => {
  test("has those that run first, each with its state", () => {
    const two = start("a2", 1, ended(start("a1", 9), "a1", "failed", NOW - 2 * MINUTE));
    have("session-one", two);
    have("session-two", start("b1", 3));
    const [head = "", ...rows] = show().trimEnd().split("\n");
    expect(head.split(/\s{2,}/)).toEqual(["agent", "type", "state", "since", "lasted", "session", "task"]);
    const cells = rows
      .map((row) => row.split(/\s{2,}/))
      .map(([id, type, state, , lasted]) => [id, type, state, lasted]);
    expect(cells).toEqual([
      ["a2", "executor", "running", "-"],
      ["b1", "executor", "running", "-"],
      ["a1", "executor", "failed", "420 s"],
    ]);
    expect(rows[1]).toContain("session-t");
  });

  test("says when nothing was heard of one for five minutes, and its calls count", () => {
    have("session-one", start("a2", 20, start("a1", 20)));
    inDatabase((db) => {
      append(db, "call", sampleEntry({ session: "session-one", agentId: "a2", at: NOW - MINUTE }));
    });
    expect(show()).toMatch(/^a2 .* running /m);
    expect(show()).toMatch(/^a1 .* silent /m);
  });

  test("names a file that two of them change", () => {
    const both = start("a2", 1, start("a1", 1));
    have("session-one", withFiles(withFiles(both, "a1", ["src/x.ts"]), "a2", ["src/x.ts"]));
    expect(show()).toContain("src/x.ts was changed by several that run: a1, a2.");
  });

  test("has the twenty that ended last, and says how many more there are", () => {
    let state = NO_AGENTS;
    for (let n = 0; n < 23; n++) state = ended(start(`a${n}`, 60 - n, state), `a${n}`, "completed", NOW);
    have("session-one", state);
    expect(show()).toContain("3 more have ended; --json has them.");
    expect(show().match(/ completed /g)).toHaveLength(20);
    expect(JSON.parse(show({ json: true })).agents).toHaveLength(23);
  });

  test("shows control characters of a name as text", () => {
    have("session-one", start("a\u001b[31m", 1));
    expect(show()).not.toContain("\u001b");
  });
});

describe("--session", () => {
  beforeEach(() => {
    have("session-one", start("a1", 1));
    have("session-two", start("b1", 1));
  });
  test("the beginning of an id", () => {
    expect(show({ session: "session-t" })).toMatch(/b1/);
    expect(show({ session: "session-t" })).not.toMatch(/a1/);
  });
  test.each([
    ["session-", "is the beginning of several sessions"],
    ["other", "No session whose id begins with `other` has subagents here."],
  ])("%s is an error", (given, text) => {
    expect(() => show({ session: given })).toThrow(text);
  });
});

test("--json has everything that is known", () => {
  const details = { summary: "Found it.", task: "look", model: "sonnet", tokens: 15, toolUses: 2 };
  have("session-one", ended(start("a1", 2), "a1", "completed", NOW, details));
  const { agents, totals } = JSON.parse(show({ json: true }));
  const since = new Date(NOW - 2 * MINUTE).toISOString();
  expect(agents).toEqual([
    {
      ...{ agent: "a1", type: "executor", state: "completed", session: "session-one", since, seen: since },
      ...{ ended: new Date(NOW).toISOString(), seconds: 120, files: [], ...details },
    },
  ]);
  expect(totals).toEqual({ spawned: 1, completed: 1, failed: 0 });
});
