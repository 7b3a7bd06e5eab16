/** The board with real processes, as agents use it: the built command line, and only the file is shared. */
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { sized } from "../../../../test/support/long.ts";
import type { Running } from "../../../../test/support/processes.ts";
import { DIST, LAUNCHER, World } from "../../../../test/support/world.ts";
import { makeBoard, openBoard } from "../../../domain/board/open-board.ts";

const PROCESSES = 4;
const TASKS = 200;
/** Each step of each of these starts a process. */
const WORK = sized(8, 48);

let world: World;
beforeEach(() => {
  world = new World();
});
afterEach(() => world.dispose());

const swarm = (...args: string[]): Running => world.start([process.execPath, LAUNCHER, "swarm", ...args]);

/** Runs command lines in one process, one after the other, until a claim gets no task. */
const WORKER = `
import { existsSync } from "node:fs";
const { main } = await import(${JSON.stringify(pathToFileURL(path.join(DIST, "cli.mjs")).href)});
const print = process.stdout.write.bind(process.stdout);
let said = "";
process.stdout.write = (text) => ((said += text), true);
async function ask(...args) {
  said = "";
  const code = await main(["swarm", ...args, "--json"]);
  if (code !== 0) process.exit(code);
  return JSON.parse(said).task;
}
const [, agent, start] = process.argv;
print("ready\\n");
while (!existsSync(start)) await new Promise((resolve) => setTimeout(resolve, 1));
for (let task; (task = await ask("claim", "--agent", agent)); ) {
  print("claimed " + task.id + "\\n");
  await ask("complete", task.id, "--agent", agent, "--epoch", String(task.epoch), "--result", String(process.pid));
}
process.exit(0);
`;

it(`${PROCESSES} processes claim and complete ${TASKS} tasks, each exactly once`, async () => {
  makeBoard(world.project, { agents: PROCESSES }, { now: Date.now, uid: process.getuid?.() ?? 0 });
  const board = openBoard(world.project, Date.now);
  for (let i = 1; i <= TASKS; i++) await board.add({ text: `number ${i}`, priority: 0, after: [] });
  const start = path.join(world.root, "start");
  const workers = Array.from({ length: PROCESSES }, (_, at) =>
    world.start([process.execPath, "--input-type=module", "-e", WORKER, `agent-${at}`, start], {
      limitMs: 120_000,
    }),
  );
  await Promise.all(workers.map((worker) => worker.sees("stdout", /^ready$/m, 60_000)));
  fs.writeFileSync(start, "");
  const answers = await Promise.all(workers.map((worker) => worker.ended));
  expect(answers.map(({ exit, stderr }) => [exit, stderr])).toEqual(answers.map(() => [0, ""]));
  const claimed = answers.map(({ stdout }) => [...stdout.matchAll(/^claimed (\S+)$/gm)].map(([, id = ""]) => id));
  console.log(answers.map(({ pid }, at) => `process ${pid} claimed ${claimed[at]?.length}`).join(", "));
  const { tasks } = await board.overview();
  await board.close();
  const ids = tasks.map(({ id }) => id);
  expect(ids).toHaveLength(TASKS);
  expect(claimed.flat().sort()).toEqual([...ids].sort());
  expect(tasks.every(({ status, epoch }) => status === "done" && epoch === 1)).toBe(true);
  // The agent that completed a task is the one that claimed it.
  for (const [at, { pid }] of answers.entries()) {
    const own = tasks.filter(({ result }) => result === String(pid)).map(({ id }) => id);
    expect(own).toEqual(claimed[at]);
  }
});

it("processes that make the board at the same time make one, and none fails", async () => {
  const answers = await Promise.all(Array.from({ length: PROCESSES }, () => swarm("init", "--json").ended));
  expect(answers.map(({ exit, stderr }) => [exit, stderr])).toEqual(answers.map(() => [0, ""]));
  const created = answers.filter(({ stdout }) => JSON.parse(stdout).created === true);
  console.log(`pids ${answers.map(({ pid }) => pid).join(", ")}: ${created.length} made the board`);
  expect(created).toHaveLength(1);
});

it("watch shows what other processes do, as JSON lines, and Ctrl-C ends it well", async () => {
  expect((await swarm("init").ended).exit).toBe(0);
  const watching = swarm("watch");
  await watching.sees("stdout", /Changes follow/);
  const lines = swarm("watch", "--json");
  await lines.sees("stdout", /^{"sequence":0,"counts":{/);
  expect((await swarm("add", "write", "the", "docs").ended).stdout).toBe("Added task-1.\n");
  expect(JSON.parse((await swarm("claim", "--agent", "a", "--json").ended).stdout).task.id).toBe("task-1");
  await watching.sees("stdout", /task-1 {2}claimed by a {2}write the docs/);
  await swarm("complete", "1", "--agent", "a").ended;
  await watching.sees("stdout", /completed by a/);
  await lines.sees("stdout", /"change":"done","task":"task-1"/);
  for (const running of [watching, lines]) {
    running.kill("SIGINT");
    const { exit, stderr } = await running.ended;
    expect([exit, stderr]).toEqual([0, ""]);
  }
  const late = await swarm("complete", "1", "--agent", "b").ended;
  expect([late.exit, late.stderr]).toEqual([
    1,
    expect.stringMatching(
      /^hookwright: task-1 is not held by b: it was completed by a\.\n {2}Nothing was changed\..*\[HW_SWARM_NOT_HELD\]\n$/,
    ),
  ]);
});

it(`4 workers carry out ${WORK} tasks, each with a command of its own for every step, as agents do`, async () => {
  const json = async (...args: string[]) => {
    const { exit, stdout, stderr } = await swarm(...args, "--json").ended;
    expect([exit, stderr], args.join(" ")).toEqual([0, ""]);
    return JSON.parse(stdout);
  };
  expect(await json("init", "--agents", "4")).toMatchObject({ created: true, expectedAgents: 4 });
  const board = openBoard(world.project, Date.now);
  // Every third task comes after the one before it.
  for (let n = 1; n <= WORK; n++) {
    await board.add({ text: `part ${n}`, priority: 0, after: n % 3 === 0 ? [String(n - 1)] : [] });
  }
  const order: string[] = [];
  const work = async (agent: string): Promise<number> => {
    for (let done = 0; ; ) {
      const { task, counts } = await json("claim", "--agent", agent);
      if (task === null) {
        if (counts.pending + counts.claimed === 0) return done;
        continue;
      }
      expect(task.after.filter((id: string) => !order.includes(id))).toEqual([]);
      // The first try of every fifth task fails, and whoever saw that makes it pending again.
      if (Number(task.id.slice(5)) % 5 === 0 && task.epoch === 1) {
        await json("fail", task.id, "--agent", agent, "--why", "the first try fails");
        await json("retry", task.id);
        continue;
      }
      order.push(task.id);
      await json("complete", task.id, "--agent", agent, "--epoch", String(task.epoch), "--result", `by ${agent}`);
      done++;
    }
  };
  const shares = await Promise.all(["ada", "bob", "cyd", "dan"].map(work));
  console.log(`${WORK} tasks, by worker: ${shares.join(", ")}`);
  const { tasks } = await board.overview();
  await board.close();
  expect(shares.reduce((sum, count) => sum + count, 0)).toBe(WORK);
  expect([...order].sort()).toEqual(tasks.map(({ id }) => id).sort());
  for (const { id, status, result, agent, epoch } of tasks) {
    const tries = Number(id.slice(5)) % 5 === 0 ? 2 : 1;
    expect([id, status, result, epoch]).toEqual([id, "done", `by ${agent}`, tries]);
  }
  expect((await swarm("claim", "--agent", "eve").ended).stdout).toBe(
    `No task is open. ${WORK} tasks: 0 pending, 0 claimed, ${WORK} done, 0 failed.\n`,
  );
}, 600_000);
