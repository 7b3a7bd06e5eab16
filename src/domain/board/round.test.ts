/** The life of a swarm: its end, the next round, and the archive. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openConnection } from "../../state/driver.ts";
import { type Board, type BoardOverview, LEASE_MS } from "./board.ts";
import { endSwarm } from "./end-swarm.ts";
import { makeBoard, openBoard } from "./open-board.ts";
import { BASE_TABLES } from "./schema.ts";

let root: string;
let now: number;
let board: Board;
beforeEach(() => {
  root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "hookwright-round-")));
  now = 1_800_000_000_000;
  make();
  board = openBoard(root, () => now);
});
afterEach(async () => {
  await board.close();
  fs.rmSync(root, { recursive: true, force: true });
});

const environment = { now: () => now, uid: process.getuid?.() ?? 0 };
const stateFolder = (): string => path.join(root, ".omc/state");
const make = (wish: Parameters<typeof makeBoard>[1] = {}) => makeBoard(root, wish, environment);
const add = (text: string) => board.add({ text, priority: 0, after: [] });
const statuses = async () => (await board.overview()).tasks.map(({ status }) => status);

async function addAll(...texts: string[]): Promise<void> {
  for (const text of texts) await add(text);
}

async function finish(agent: string): Promise<void> {
  const task = await board.claim(agent);
  await board.finish({ task: task?.id ?? "", agent }, "well");
}

/** The values of a row as the programs of the other system read it. */
function row(sql: string, file = path.join(stateFolder(), "swarm-tasks.db")): object {
  const db = openConnection(file);
  const found = { ...db.prepare(sql).all()[0] };
  db.close();
  return found;
}

const session = () => row("SELECT active, agent_count, started_at, completed_at FROM swarm_session");

describe("the end of a swarm", () => {
  beforeEach(() => addAll("one", "two", "three", "four"));

  it("releases every claimed task, with the agent and the claim in the history, and stops the claiming", async () => {
    await finish("ada");
    await board.claim("ada");
    await board.claim("bob");
    const { sequence } = await board.overview();
    now += 1_000;
    expect(await board.end()).toMatchObject([
      { id: "task-2", agent: "ada", epoch: 1, status: "claimed" },
      { id: "task-3", agent: "bob", epoch: 1, status: "claimed" },
    ]);
    expect(await board.changesAfter(sequence)).toEqual([
      { sequence: sequence + 1, at: now, kind: "released", task: "task-2", text: "two", agent: "ada", epoch: 1 },
      { sequence: sequence + 2, at: now, kind: "released", task: "task-3", text: "three", agent: "bob", epoch: 1 },
    ]);
    expect(await statuses()).toEqual(["done", "pending", "pending", "pending"]);
    expect(await board.overview()).toMatchObject({ isActive: false, endedAt: now, completedAt: now });
    expect(session()).toMatchObject({ active: 0, completed_at: now });
    expect(row("SELECT COUNT(*) AS n FROM heartbeats WHERE current_task_id IS NOT NULL")).toMatchObject({ n: 0 });
    expect(await board.claim("ada")).toBeUndefined();
  });

  it("changes nothing the second time", async () => {
    await board.end();
    const before = await board.overview();
    now += 5_000;
    expect(await board.end()).toEqual([]);
    expect(await board.overview()).toEqual(before);
  });

  it("releases no task whose lease had expired, and names nobody as released who was not", async () => {
    await board.claim("ada");
    now += LEASE_MS;
    await board.claim("bob");
    now += 1_000;
    const { sequence } = await board.overview();
    expect((await board.end()).map(({ agent }) => agent)).toEqual(["bob"]);
    expect((await board.changesAfter(sequence)).map(({ kind, agent }) => [kind, agent])).toEqual([["released", "bob"]]);
  });

  it("is told to the agents that still work, by whatever they report", async () => {
    await board.claim("ada");
    await board.end();
    const claim = { task: "task-1", agent: "ada" };
    const refusal = {
      code: "HW_SWARM_NOT_HELD",
      message: "ada no longer holds task-1, which was released: it is pending.",
    };
    await expect(board.finish(claim, "late")).rejects.toMatchObject(refusal);
    await expect(board.finish({ ...claim, epoch: 1 }, "late")).rejects.toMatchObject(refusal);
    await expect(board.fail(claim, "late")).rejects.toMatchObject(refusal);
    await expect(board.release(claim)).rejects.toMatchObject(refusal);
    await expect(board.renew("ada")).rejects.toMatchObject(refusal);
    expect(await board.renew("nobody")).toEqual([]);
    expect((await statuses())[0]).toBe("pending");
  });

  it.each<[string, () => Promise<unknown>]>([
    ["a new task", () => add("five")],
    ["a retried one", () => board.retry("1")],
  ])("is not undone by %s", async (_what, change) => {
    await board.claim("ada");
    await board.fail({ task: "1", agent: "ada" }, undefined);
    await board.end();
    await change();
    expect(await board.claim("ada")).toBeUndefined();
    expect(session()).toMatchObject({ active: 0, completed_at: now });
  });

  it("after which `init` lets tasks be claimed again, by later claims", async () => {
    await board.claim("ada");
    await board.end();
    now += 1_000;
    expect(make({ agents: 3 })).toMatchObject({ isNew: false, isNewRound: true, archive: undefined });
    expect(await board.overview()).toMatchObject({ isActive: true, endedAt: undefined, startedAt: now });
    expect(await board.claim("ada")).toMatchObject({ id: "task-1", epoch: 2 });
    await expect(board.finish({ task: "1", agent: "ada", epoch: 1 }, "late")).rejects.toMatchObject({
      code: "HW_SWARM_NOT_HELD",
    });
    await board.finish({ task: "1", agent: "ada", epoch: 2 }, "in time");
  });

  it("can be made by somebody who has no board open, also where a hook has little time", async () => {
    await board.claim("ada");
    const ended = endSwarm(root, environment, 50);
    expect(ended).toMatchObject({ released: [{ id: "task-1", agent: "ada" }], problem: undefined });
    expect(await board.overview()).toMatchObject({ endedAt: now });
    expect(endSwarm(root, environment, 50)).toEqual({ released: [], problem: undefined });
  });

  it("is made by one transaction: a locked board is not changed, and named", async () => {
    await board.claim("ada");
    const other = openConnection(path.join(stateFolder(), "swarm-tasks.db"));
    other.exec("BEGIN IMMEDIATE");
    expect(() => endSwarm(root, environment, 5)).toThrow("stayed locked for 0.005 seconds");
    other.exec("COMMIT");
    other.close();
    expect(await board.overview()).toMatchObject({ isActive: true, tasks: [{ agent: "ada" }, {}, {}, {}] });
  });

  it("needs no board", () => {
    fs.rmSync(path.join(root, ".omc"), { recursive: true });
    expect(endSwarm(root, environment, 50)).toBeUndefined();
    expect(fs.readdirSync(root)).toEqual([]);
    fs.mkdirSync(stateFolder(), { recursive: true });
    fs.writeFileSync(path.join(stateFolder(), "swarm-tasks.db"), "");
    expect(endSwarm(root, environment, 50)).toBeUndefined();
  });
});

describe("a board whose tasks are all completed or failed", () => {
  beforeEach(async () => {
    await addAll("one", "two");
    await finish("ada");
    await board.claim("bob");
    now += 1_000;
    await board.fail({ task: "2", agent: "bob" }, "badly");
  });

  it("is over without a word, and holds nobody who adds a task", async () => {
    expect(session()).toMatchObject({ active: 0, completed_at: now });
    expect(await board.overview()).toMatchObject({ isActive: false, endedAt: undefined, completedAt: now });
    await add("three");
    expect(session()).toMatchObject({ active: 1, completed_at: null });
    expect(await board.claim("ada")).toMatchObject({ id: "task-3" });
  });

  it("begins a new round with `init`: its tasks stay, and another session starts", async () => {
    const before = await board.overview();
    now += 1_000;
    expect(make()).toMatchObject({ isNewRound: true });
    const { tasks, session, ...rest } = await board.overview();
    expect(tasks).toEqual(before.tasks);
    expect(session).not.toBe(before.session);
    expect(rest).toMatchObject({ isActive: true, startedAt: now, completedAt: undefined });
    expect(await board.retry("2")).toMatchObject({ status: "pending" });
  });

  it("goes on with its round where a task is open", async () => {
    await add("three");
    const { session, startedAt } = await board.overview();
    now += 1_000;
    expect(make({ agents: 7 })).toMatchObject({ isNewRound: false });
    expect(await board.overview()).toMatchObject({ session, startedAt, expectedAgents: 7 });
  });
});

describe("`init --fresh`", () => {
  const archives = () => fs.readdirSync(stateFolder()).filter((name) => /^swarm-tasks-.*\.db$/.test(name));
  const fresh = (agents?: number) => make({ isFresh: true, agents });

  async function tasksOf(archive: string): Promise<BoardOverview["tasks"]> {
    const copy = path.join(root, "copy");
    fs.mkdirSync(path.join(copy, ".omc/state"), { recursive: true });
    fs.copyFileSync(archive, path.join(copy, ".omc/state/swarm-tasks.db"));
    const old = openBoard(copy, () => now);
    return (await old.overview().finally(() => old.close())).tasks;
  }

  it("moves everything to a private file of its own, and begins with task-1", async () => {
    await addAll("one", "two", "three");
    await finish("ada");
    const { tasks, session } = await board.overview();
    const made = fresh(2);
    expect(made).toMatchObject({ isNew: false, isNewRound: true });
    expect(made.archive).toBe(path.join(stateFolder(), "swarm-tasks-2027-01-15T08-00-00-000Z.db"));
    expect(fs.statSync(made.archive ?? "").mode & 0o777).toBe(0o600);
    expect(await tasksOf(made.archive ?? "")).toEqual(tasks);
    const overview = await board.overview();
    expect(overview).toMatchObject({ tasks: [], agents: [], isActive: true, expectedAgents: 2 });
    expect(overview.session).not.toBe(session);
    expect(await add("new")).toMatchObject({ id: "task-1" });
    expect(await board.claim("ada")).toMatchObject({ id: "task-1", text: "new", after: [] });
  });

  it("is refused while tasks are claimed, naming them, and then nothing is changed", async () => {
    await addAll("one", "two", "three");
    await board.claim("ada");
    await board.claim("bob");
    const before = await board.overview();
    expect(() => fresh(9)).toThrow("2 tasks are still claimed: task-1 by ada, task-2 by bob.");
    expect(await board.overview()).toEqual(before);
    expect(archives()).toEqual([]);
    await board.end();
    expect(fresh(9).archive).toBeDefined();
    expect(await board.overview()).toMatchObject({ endedAt: undefined, expectedAgents: 9, tasks: [] });
  });

  it("counts an expired lease as no claim", async () => {
    await add("one");
    await board.claim("ada");
    now += LEASE_MS;
    expect(await tasksOf(fresh().archive ?? "")).toMatchObject([{ status: "pending" }]);
  });

  it("has nothing to move on a new or empty board", async () => {
    expect(fresh().archive).toBeUndefined();
    expect(archives()).toEqual([]);
    fs.rmSync(stateFolder(), { recursive: true });
    expect(fresh()).toMatchObject({ isNew: true, isNewRound: false, archive: undefined });
  });

  it("keeps both archives of the same millisecond", async () => {
    for (const text of ["one", "two"]) {
      await add(text);
      expect(fresh().archive).toBeDefined();
    }
    expect(archives()).toHaveLength(2);
    const texts = await Promise.all(archives().map((name) => tasksOf(path.join(stateFolder(), name))));
    expect(
      texts
        .flat()
        .map(({ text }) => text)
        .sort(),
    ).toEqual(["one", "two"]);
  });

  it("lets no report of an archived claim count for a new task of the same id and agent", async () => {
    await add("old");
    const old = await board.claim("ada");
    now += LEASE_MS;
    fresh();
    await add("new");
    const claimed = await board.claim("ada");
    expect(claimed?.id).toBe(old?.id);
    expect(claimed?.epoch).toBeGreaterThan(old?.epoch ?? 0);
    await expect(board.finish({ task: "task-1", agent: "ada", epoch: old?.epoch }, "late")).rejects.toMatchObject({
      code: "HW_SWARM_NOT_HELD",
    });
    expect(await statuses()).toEqual(["claimed"]);
  });

  it("lets somebody who follows the changes see those of the new round, and no old one again", async () => {
    await addAll("one", "two");
    const { sequence } = await board.overview();
    fresh();
    expect(await board.changesAfter(0)).toEqual([]);
    await add("new");
    expect((await board.changesAfter(sequence)).map(({ kind, text }) => [kind, text])).toEqual([["added", "new"]]);
  });

  it("does not import the tasks of the other system a second time", async () => {
    const db = openConnection(path.join(stateFolder(), "swarm.db"));
    db.exec(`${BASE_TABLES}; INSERT INTO tasks (id, description) VALUES ('task-1', 'old')`);
    db.close();
    expect(make()).toMatchObject({ imported: 1 });
    fresh();
    expect(make()).toMatchObject({ imported: 0 });
    expect(await statuses()).toEqual([]);
  });
});
