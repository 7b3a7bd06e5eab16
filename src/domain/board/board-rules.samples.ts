/**
 * The rules of every board, on whichever database: several agents, each with its own connection, run random actions, and
 * a simple model predicts the result of each.
 */
import fc from "fast-check";
import { expect } from "vitest";
import { HookwrightError } from "../../core/errors.ts";
import { type Board, type BoardTask, LEASE_MS } from "./board.ts";

export const AGENTS = ["ada", "bob", "cyd"];

/** An empty board with its clock. */
export interface BoardUnderTest {
  boardOf(agent: string): Board;
  setNow(ms: number): Promise<void>;
  dispose(): Promise<void>;
}

interface ModelTask {
  readonly id: string;
  readonly priority: number;
  readonly after: readonly ModelTask[];
  status: BoardTask["status"];
  owner: string | undefined;
  epoch: number;
  leaseUntil: number | undefined;
}

class Model {
  readonly tasks: ModelTask[] = [];
  readonly claims: { task: string; agent: string; epoch: number }[] = [];
  now = 1_000_000;

  expire(): void {
    for (const task of this.tasks) {
      if (task.status === "claimed" && (task.leaseUntil ?? 0) <= this.now) free(task);
    }
  }

  /** Sorts all tasks instead of selecting the best one, unlike the implementation. */
  next(): ModelTask | undefined {
    const free = this.tasks.filter((one) => one.status === "pending" && one.after.every((x) => x.status === "done"));
    return free.sort((a, b) => b.priority - a.priority || this.tasks.indexOf(a) - this.tasks.indexOf(b))[0];
  }

  /** The task, if this agent may end it with the named claim. */
  held(id: string, agent: string, epoch: number | undefined): ModelTask | undefined {
    const own = this.claims.filter((one) => one.task === id && one.agent === agent).map((one) => one.epoch);
    const wanted = epoch ?? Math.max(0, ...own);
    return this.tasks.find(
      (one) => one.id === id && one.status === "claimed" && one.owner === agent && one.epoch === wanted,
    );
  }
}

function free(task: ModelTask): void {
  task.status = "pending";
  task.owner = undefined;
  task.leaseUntil = undefined;
}

const agent = fc.constantFrom(...AGENTS);
const pick = fc.nat(1_000);
const ending = fc.record({
  do: fc.constantFrom("finish" as const, "fail" as const, "release" as const),
  agent,
  pick,
  /** Mostly a task that the agent really claimed; else any task. */
  claimed: fc.constantFrom(true, true, true, false),
  epoch: fc.boolean(),
});
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("add" as const),
      priority: fc.integer({ min: -1, max: 2 }),
      after: fc.array(pick, { maxLength: 2 }),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("claim" as const), agent }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("renew" as const), agent }) },
  { weight: 5, arbitrary: ending },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("retry" as const), pick }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("wait" as const),
      ms: fc.constantFrom(1, 1_000, LEASE_MS / 2, LEASE_MS - 1, LEASE_MS),
    }),
  },
);
type ValueOf<A> = A extends fc.Arbitrary<infer T> ? T : never;

const count: Record<string, number> = {};
const note = (what: string): void => {
  count[what] = (count[what] ?? 0) + 1;
};

/** The board's answer, or the error code of its refusal. */
async function answerOf<T>(name: string, work: Promise<T>): Promise<T | string> {
  try {
    const value = await work;
    note(name);
    return value;
  } catch (error) {
    if (!(error instanceof HookwrightError)) throw error;
    note(`${name} refused: ${error.code}`);
    return error.code;
  }
}

async function take(one: ValueOf<typeof step>, model: Model, boardOf: (agent: string) => Board): Promise<void> {
  if (one.do === "wait") {
    model.now += one.ms;
    return;
  }
  model.expire();
  const any = (at: number): ModelTask | undefined => model.tasks[at % Math.max(1, model.tasks.length)];
  if (one.do === "add") {
    const after = [...new Set(one.after.flatMap((at) => any(at) ?? []))];
    const { priority } = one;
    const task = await boardOf("ada").add({ text: "x", priority, after: after.map(({ id }) => id) });
    expect(task.id).toBe(`task-${model.tasks.length + 1}`);
    model.tasks.push({
      id: task.id,
      priority,
      after,
      status: "pending",
      owner: undefined,
      epoch: 0,
      leaseUntil: undefined,
    });
  } else if (one.do === "claim") {
    const expected = model.next();
    const task = await boardOf(one.agent).claim(one.agent);
    note(task ? "claim" : "claim of nothing");
    expect(task?.id).toBe(expected?.id);
    if (!expected) return;
    expected.status = "claimed";
    expected.owner = one.agent;
    expected.epoch += 1;
    expected.leaseUntil = model.now + LEASE_MS;
    model.claims.push({ task: expected.id, agent: one.agent, epoch: expected.epoch });
  } else if (one.do === "renew") {
    const mine = model.tasks.filter((task) => task.status === "claimed" && task.owner === one.agent);
    const renewed = await answerOf("renew", boardOf(one.agent).renew(one.agent));
    if (typeof renewed === "string") expect([mine.length, renewed]).toEqual([0, "HW_SWARM_LATE"]);
    else expect(renewed.map(({ id }) => id)).toEqual(mine.map(({ id }) => id));
    for (const task of mine) task.leaseUntil = model.now + LEASE_MS;
  } else if (one.do === "retry") {
    const task = model.tasks.find(({ status }) => status === "failed") ?? any(one.pick);
    const answer = await answerOf("retry", boardOf("bob").retry(task?.id ?? "task-1"));
    expect(typeof answer === "object").toBe(task?.status === "failed");
    if (task?.status === "failed") free(task);
  } else await end(one, model, boardOf);
}

async function end(one: ValueOf<typeof ending>, model: Model, boardOf: (agent: string) => Board): Promise<void> {
  const past = one.claimed
    ? model.claims.at(-1 - (one.pick % Math.max(1, Math.min(5, model.claims.length))))
    : undefined;
  const id = past?.task ?? model.tasks[one.pick % Math.max(1, model.tasks.length)]?.id ?? "task-1";
  const claim = { task: id, agent: past?.agent ?? one.agent, epoch: one.epoch ? past?.epoch : undefined };
  const held = model.held(id, claim.agent, claim.epoch);
  const board = boardOf(one.agent);
  const work =
    one.do === "finish"
      ? board.finish(claim, "well")
      : one.do === "fail"
        ? board.fail(claim, undefined)
        : board.release(claim);
  const answer = await answerOf(one.do, work);
  expect(typeof answer === "object", `${JSON.stringify(claim)}: ${answer}`).toBe(held !== undefined);
  if (!held) return;
  if (one.do === "release") free(held);
  else {
    held.status = one.do === "finish" ? "done" : "failed";
    held.leaseUntil = undefined;
  }
}

/** Checks the recorded history alone, without the model. */
async function checkHistory(board: Board): Promise<void> {
  const holders = new Map<string, string>();
  const finished = new Map<string, number>();
  for (const { kind, task, agent = "", epoch } of await board.changesAfter(0)) {
    const holder = `${agent} ${epoch}`;
    if (kind === "claimed") {
      expect([task, holders.get(task), finished.get(task)]).toEqual([task, undefined, undefined]);
      holders.set(task, holder);
    } else if (kind !== "added" && kind !== "retried") {
      expect([task, holders.get(task)]).toEqual([task, holder]);
      holders.delete(task);
      if (kind === "done") finished.set(task, (finished.get(task) ?? 0) + 1);
    }
  }
  const { tasks } = await board.overview();
  expect([...finished.values()].every((times) => times === 1)).toBe(true);
  expect([...finished.keys()].sort()).toEqual(
    tasks
      .filter(({ status }) => status === "done")
      .map(({ id }) => id)
      .sort(),
  );
}

export async function assertRules(open: () => Promise<BoardUnderTest>, runs: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
      const model = new Model();
      const { boardOf, setNow, dispose } = await open();
      await setNow(model.now);
      try {
        for (const one of steps) {
          await take(one, model, boardOf);
          // No read here, because a read would take back expired leases, which the next step has to do itself.
          if (one.do === "wait") {
            await setNow(model.now);
            continue;
          }
          model.expire();
          const { tasks } = await boardOf("cyd").overview();
          const shown = tasks.map(({ id, status, agent, epoch, leaseUntil }) => {
            return { id, status, owner: agent, epoch, leaseUntil };
          });
          const expected = model.tasks.map(({ id, status, owner, epoch, leaseUntil }) => {
            return { id, status, owner, epoch, leaseUntil };
          });
          expect(shown).toEqual(expected);
        }
        model.now += LEASE_MS;
        await setNow(model.now);
        await finishEverything(model, boardOf("ada"));
        await checkHistory(boardOf("bob"));
      } finally {
        await dispose();
      }
    }),
    { numRuns: runs },
  );
  console.log(count);
  const reached = ["claim", "claim of nothing", "renew", "finish", "fail", "release", "retry"];
  for (const what of reached) expect(count[what] ?? 0, what).toBeGreaterThan(0);
  for (const code of ["HW_SWARM_LATE", "HW_SWARM_NOT_HELD"]) {
    const refused = ["renew", "finish", "fail", "release"].map((name) => count[`${name} refused: ${code}`] ?? 0);
    expect(Math.max(...refused), code).toBeGreaterThan(0);
  }
}

async function finishEverything(model: Model, board: Board): Promise<void> {
  for (const { id, status } of (await board.overview()).tasks) if (status === "failed") await board.retry(id);
  for (let task = await board.claim("ada"); task; task = await board.claim("ada")) {
    await board.finish({ task: task.id, agent: "ada" }, undefined);
  }
  const { tasks, completedAt } = await board.overview();
  expect(tasks.every(({ status }) => status === "done")).toBe(true);
  expect(tasks).toHaveLength(model.tasks.length);
  if (tasks.length > 0) expect(completedAt).toBeDefined();
}
