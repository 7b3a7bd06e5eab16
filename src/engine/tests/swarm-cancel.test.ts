/** A cancelled swarm ends on the task board as well, whichever way it was cancelled: a real board, the real engine. */
import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeBoard, openBoard } from "../../domain/board/open-board.ts";
import { openConnection } from "../../state/driver.ts";
import { ModeWorld } from "./modes.samples.ts";

const SESSION = "s1";

let world: ModeWorld;
beforeEach(() => {
  world = new ModeWorld();
});
afterEach(() => world.close());

const clock = (): number => world.now;

/** A board with two tasks, of which ada holds the first. */
async function fillBoard(): Promise<void> {
  makeBoard(world.project, { agents: 2 }, { now: clock, uid: process.getuid?.() ?? 0 });
  const board = openBoard(world.project, clock);
  await board.add({ text: "one", priority: 0, after: [] });
  await board.add({ text: "two", priority: 0, after: [] });
  await board.claim("ada");
  await board.close();
}

async function tasks(): Promise<string[]> {
  const board = openBoard(world.project, clock);
  const overview = await board.overview();
  await board.close();
  return overview.tasks.map(({ id, status, agent }) => `${id} ${status}${agent === undefined ? "" : ` by ${agent}`}`);
}

async function claim(agent: string): Promise<string | undefined> {
  const board = openBoard(world.project, clock);
  return (await board.claim(agent).finally(() => board.close()))?.id;
}

const marker = (): boolean => fs.existsSync(path.join(world.project, ".omc/state/swarm-active.marker"));
const FREE = ["task-1 pending", "task-2 pending"];

describe("a swarm that is cancelled", () => {
  beforeEach(async () => {
    await world.prompt(SESSION, "swarm 2 agents: port the scripts");
    await fillBoard();
    expect(await tasks()).toEqual(["task-1 claimed by ada", "task-2 pending"]);
  });

  it.each([
    ["the word", () => world.prompt(SESSION, "cancelomc")],
    ["its name", () => world.prompt(SESSION, "stop the swarm")],
    ["a typed skill", () => world.prompt(SESSION, "/cancel swarm")],
    ["the command line", () => world.mode("cancel")],
    [
      "its state file",
      async () => {
        fs.rmSync(world.stateFile(SESSION, "swarm"));
        return world.stop(SESSION);
      },
    ],
    [
      "what was typed meanwhile",
      async () => {
        world.now += 1_000;
        const transcript = path.join(world.root, "transcript.jsonl");
        const attachment = { type: "queued_command", prompt: "cancelomc", commandMode: "prompt" };
        const timestamp = new Date(world.now).toISOString();
        fs.writeFileSync(transcript, `${JSON.stringify({ type: "attachment", attachment, uuid: "u1", timestamp })}\n`);
        return world.stop(SESSION, "Done.", { transcript_path: transcript });
      },
    ],
  ])("by %s gives its tasks back, and no agent claims another", async (_way, cancel) => {
    await cancel();
    expect(world.runs(SESSION)).toEqual([]);
    expect(await tasks()).toEqual(FREE);
    expect(await claim("bob")).toBeUndefined();
    expect(marker()).toBe(false);
  });

  it("leaves the board to another session that has a swarm as well", async () => {
    await world.prompt("s2", "swarm 3 agents: write the docs");
    await world.prompt(SESSION, "/cancel");
    expect(world.runs(SESSION)).toEqual([]);
    expect(await tasks()).toEqual(["task-1 claimed by ada", "task-2 pending"]);
    await world.prompt("s2", "/cancel");
    expect(await tasks()).toEqual(FREE);
  });

  it("is over although another program keeps the board locked, which the person reads", async () => {
    const other = openConnection(path.join(world.project, ".omc/state/swarm-tasks.db"));
    other.exec("BEGIN IMMEDIATE");
    const { person } = await world.prompt(SESSION, "/cancel");
    other.exec("ROLLBACK");
    other.close();
    expect(world.runs(SESSION)).toEqual([]);
    expect(person).toContain("Cancelled: swarm");
    expect(person).toMatch(/swarm-tasks\.db.*locked/);
    expect(await tasks()).toEqual(["task-1 claimed by ada", "task-2 pending"]);
  });
});

it("the cancellation of another mode leaves the board alone", async () => {
  await fillBoard();
  await world.prompt(SESSION, "ultrawork: port the scripts");
  await world.prompt(SESSION, "/cancel");
  expect(await tasks()).toEqual(["task-1 claimed by ada", "task-2 pending"]);
});

it("a swarm is not over because of tasks that were done before it", async () => {
  await fillBoard();
  const board = openBoard(world.project, clock);
  await board.claim("bob");
  for (const [id, agent] of [
    ["task-1", "ada"],
    ["task-2", "bob"],
  ] as const) {
    await board.finish({ task: id, agent }, undefined);
  }
  world.now += 1_000;
  await world.prompt(SESSION, "swarm 2 agents: the next scripts");
  const { isHeld, model } = await world.stop(SESSION);
  expect(isHeld).toBe(true);
  expect(model).toContain("All tasks of the board (2 done) are older than this swarm.");
  makeBoard(world.project, {}, { now: clock, uid: process.getuid?.() ?? 0 });
  await board.add({ text: "three", priority: 0, after: [] });
  await board.claim("ada");
  await world.call(SESSION, "ls");
  expect((await world.stop(SESSION)).model).toContain("1 claimed: task-3 (ada) three");
  world.now += 1_000;
  await board.finish({ task: "task-3", agent: "ada" }, undefined);
  await board.close();
  expect((await world.stop(SESSION)).person).toContain("3 of 3 tasks are done.");
  expect(world.runs(SESSION)).toEqual([]);
});
