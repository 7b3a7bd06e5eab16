/** The board of a swarm while its workers are killed at random: each task is completed once, and none is lost. */
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { BoardChange } from "../../src/domain/board/board.ts";
import { boardCounts } from "../../src/domain/board/counts.ts";
import { makeBoard, openBoard } from "../../src/domain/board/open-board.ts";
import { areStatusFilesCurrent, writeStatusFiles } from "../../src/domain/board/status-files.ts";
import { openConnection } from "../../src/state/driver.ts";
import { IS_LONG, sized } from "../support/long.ts";
import { type Running, sleep } from "../support/processes.ts";
import { World } from "../support/world.ts";
import type { WorkerTask } from "./board-worker.ts";

const PROCESSES = sized(12, 64);
const TASKS = sized(300, 10_000);
/** Besides the random kills, one for each task whose number is a multiple of this, while it is claimed. */
const HOLDS_EACH = sized(30, 100);
const RANDOM_KILLS = sized(10, 300);
const KILL_EVERY_MS = sized(60, 150);
/** A lease of 5 minutes lasts for 1 second, and in the long form for 5. */
const SPEED = sized(300, 60);
const LIMIT_MS = sized(120_000, 1_000_000);

const WORKER = fileURLToPath(new URL("./board-worker.ts", import.meta.url));
const DRIVER = pathToFileURL(path.resolve(import.meta.dirname, "../../src/state/driver.ts")).href;

let world: World;
beforeEach(() => {
  world = new World();
});
afterEach(() => world.dispose());

const now = (): number => Math.round(Date.now() * SPEED);
const environment = { now, uid: process.getuid?.() ?? 0 };

/** Node 20 runs no TypeScript. The driver looks for libsql from where its source is. */
async function buildWorker(outfile: string): Promise<void> {
  await build({
    entryPoints: [WORKER],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    external: ["libsql"],
    banner: {
      js: `import { createRequire as requireFrom } from "node:module"; const require = requireFrom(${JSON.stringify(DRIVER)});`,
    },
    logLevel: "error",
  });
}

/** The workers that run now, by their number. */
class Crew {
  readonly pids: number[] = [];
  readonly killed: number[] = [];
  readonly outputs: string[] = [];
  readonly #running = new Map<number, Running>();
  readonly #command: string;

  constructor(worker: string) {
    this.#command = worker;
  }

  /** Starts the worker again whenever it was killed; resolves when it has ended by itself. */
  async employ(number: number, task: WorkerTask): Promise<void> {
    for (;;) {
      const running = world.start([process.execPath, this.#command, JSON.stringify(task)], { limitMs: LIMIT_MS });
      this.#running.set(number, running);
      this.pids.push(running.pid);
      const watching = this.#killWhileItHolds(running);
      const { exit, signal, stdout, stderr } = await running.ended;
      await watching;
      this.outputs.push(stdout);
      if (signal === "SIGKILL") continue;
      this.#running.delete(number);
      expect([exit, stderr]).toEqual([0, ""]);
      return;
    }
  }

  async areReady(): Promise<void> {
    await Promise.all([...this.#running.values()].map((running) => running.sees("stdout", /^ready$/m)));
  }

  killOne(): void {
    const running = [...this.#running.values()];
    const one = running[Math.floor(Math.random() * running.length)];
    if (one) this.#kill(one);
  }

  #kill(running: Running): void {
    running.kill("SIGKILL");
    this.killed.push(running.pid);
  }

  async #killWhileItHolds(running: Running): Promise<void> {
    const ended = running.ended.then(() => false);
    const holds = running.sees("stdout", /^holds /m, LIMIT_MS).then(
      () => true,
      () => false,
    );
    if (await Promise.race([holds, ended])) this.#kill(running);
  }
}

/** Each claim has one end, each task one completion, and only the holder ends a claim. */
function assertHistory(changes: readonly BoardChange[]): void {
  const holders = new Map<string, string>();
  const done = new Set<string>();
  const epochs = new Map<string, number>();
  for (const { kind, task, agent, epoch } of changes) {
    const holder = `${agent} ${epoch}`;
    if (kind === "claimed") {
      expect([task, holders.get(task), done.has(task), epoch]).toEqual([
        task,
        undefined,
        false,
        (epochs.get(task) ?? 0) + 1,
      ]);
      holders.set(task, holder);
      epochs.set(task, epoch);
    } else if (kind !== "added") {
      expect([task, kind, holders.get(task)]).toEqual([task, expect.stringMatching(/^(?:done|expired)$/), holder]);
      holders.delete(task);
      if (kind === "done") done.add(task);
    }
  }
  expect([holders.size, done.size]).toEqual([0, TASKS]);
}

/** A reader of the files for other programs never sees a part of one. Returns how often it has seen a whole one. */
async function readFiles(folder: string, isOver: () => boolean): Promise<number> {
  let seen = 0;
  while (!isOver()) {
    await sleep(5);
    for (const name of ["swarm-summary.json", "swarm-active.marker"]) {
      const text = readIfThere(path.join(folder, name));
      if (text === undefined) continue;
      const { task_count, taskCount, tasks_pending = 0, tasks_claimed = 0, tasks_done = TASKS } = JSON.parse(text);
      expect([task_count ?? taskCount, tasks_pending + tasks_claimed + tasks_done]).toEqual([TASKS, TASKS]);
      seen += 1;
    }
  }
  return seen;
}

function readIfThere(file: string): string | undefined {
  try {
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

async function killSome(crew: Crew, isOver: () => boolean): Promise<void> {
  for (let kills = 0; kills < RANDOM_KILLS && !isOver(); kills++) {
    await sleep(Math.random() * 2 * KILL_EVERY_MS);
    if (!isOver()) crew.killOne();
  }
}

function addTasks(file: string): void {
  // In one transaction: it is not the adding that is tested.
  const db = openConnection(file);
  db.exec("BEGIN IMMEDIATE");
  const task = db.prepare("INSERT INTO tasks (id, description, number) VALUES (?, ?, ?)");
  const change = db.prepare("INSERT INTO history (at, kind, task, epoch) VALUES (?, 'added', ?, 0)");
  for (let number = 1; number <= TASKS; number++) {
    task.run(`task-${number}`, `number ${number}`, number);
    change.run(now(), `task-${number}`);
  }
  db.exec("COMMIT");
  db.close();
}

it(`${PROCESSES} processes complete ${TASKS} tasks, each once, while processes are killed`, {
  timeout: LIMIT_MS + 100_000,
}, async () => {
  const root = world.project;
  const { file } = makeBoard(root, { agents: PROCESSES }, environment);
  addTasks(file);
  writeStatusFiles(root, environment, 1_000);
  const worker = path.join(world.root, "worker.mjs");
  await buildWorker(worker);
  const [startFile, completedFile] = [path.join(world.root, "start"), path.join(world.root, "completed")];
  const crew = new Crew(worker);
  const shared = { root, startFile, completedFile, speed: SPEED, holdsEach: HOLDS_EACH };
  const all = Promise.all(
    Array.from({ length: PROCESSES }, (_, number) => crew.employ(number, { ...shared, agent: `agent-${number}` })),
  );
  await Promise.race([crew.areReady(), all]);
  const started = performance.now();
  let isOver = false;
  fs.writeFileSync(startFile, "");
  const reading = readFiles(path.dirname(file), () => isOver);
  const killing = killSome(crew, () => isOver);
  await all.finally(() => {
    isOver = true;
  });
  const seconds = (performance.now() - started) / 1_000;
  const [seen] = await Promise.all([reading, killing]);

  const board = openBoard(root, now);
  const { tasks } = await board.overview();
  const changes = await board.changesAfter(0);
  await board.close();
  const count = (word: RegExp): number => crew.outputs.reduce((sum, text) => sum + (text.match(word)?.length ?? 0), 0);
  const expired = changes.filter(({ kind }) => kind === "expired").length;
  const shown = IS_LONG ? crew.killed.slice(0, PROCESSES) : crew.killed;
  console.log(
    [
      `${PROCESSES} workers in ${crew.pids.length} processes, ${TASKS} tasks in ${seconds.toFixed(1)} s`,
      `${crew.killed.length} killed: ${shown.join(" ")}${shown.length < crew.killed.length ? " …" : ""}`,
      `${expired} claims taken back, ${count(/^late$/gm)} late completions refused, files read ${seen} times`,
      `busy ${count(/^busy$/gm)}, counts unreadable ${count(/^unreadable/gm)}`,
    ].join("\n"),
  );

  expect(tasks.map(({ id, status }) => `${id} ${status}`)).toEqual(
    Array.from({ length: TASKS }, (_, index) => `task-${index + 1} done`),
  );
  assertHistory(changes);
  // What the board has acknowledged is there, once. A worker killed in between could not note its last completion.
  const done = new Set(changes.flatMap(({ kind, task, epoch }) => (kind === "done" ? `${task} ${epoch}` : [])));
  const acknowledged = fs.readFileSync(completedFile, "utf8").trim().split("\n");
  expect(acknowledged.filter((line) => !done.has(line))).toEqual([]);
  expect(new Set(acknowledged).size).toBe(acknowledged.length);
  expect(TASKS - acknowledged.length).toBeLessThanOrEqual(crew.killed.length);
  expect(crew.killed.length).toBeGreaterThanOrEqual(TASKS / HOLDS_EACH);
  expect(expired).toBeGreaterThanOrEqual(TASKS / HOLDS_EACH);
  expect(new Set(crew.pids).size).toBeGreaterThan(PROCESSES);

  expect(boardCounts(root, now())).toMatchObject({ total: TASKS, pending: 0, claimed: 0, done: TASKS, open: [] });
  expect(seen).toBeGreaterThan(0);
  writeStatusFiles(root, environment, 1_000);
  const again = openBoard(root, now);
  expect(areStatusFilesCurrent(root, await again.overview())).toBe(true);
  await again.close();
  expect(fs.readdirSync(path.dirname(file)).filter((name) => !/^swarm-tasks\.db/.test(name))).toEqual([
    "swarm-summary.json",
  ]);
  const db = openConnection(file);
  expect(db.prepare("PRAGMA integrity_check").all()).toMatchObject([{ integrity_check: "ok" }]);
  db.close();
});
