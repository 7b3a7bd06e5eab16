/**
 * Workers on three machines empty one board while workers, a daemon and the server are killed and a cable is pulled: every
 * task is finished once, none is lost, and the copies of the journals are complete.
 */
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { BoardChange } from "../../src/domain/board/board.ts";
import { FleetBoard } from "../../src/fleet/board/fleet-board.ts";
import type { FleetAddress } from "../../src/fleet/connection/address.ts";
import { FleetClient } from "../../src/fleet/connection/client.ts";
import { sized } from "../support/long.ts";
import { type Running, sleep } from "../support/processes.ts";
import type { WorkerTask } from "./board-worker.ts";
import { Machine, TestFleet } from "./fleet.ts";
import { Cable, noNamespaces } from "./network.ts";
import { PostgresServer } from "./server.ts";

const WORKERS = sized(6, 64);
const TASKS = sized(150, 10_000);
/** Besides the random kills, one for each task whose number is a multiple of this, while it is claimed. */
const HOLDS_EACH = sized(50, 200);
const WORKER_KILLS = sized(3, 150);
const KILL_EVERY_MS = sized(400, 500);
const SERVER_KILLS = sized(1, 3);
const CUT_MS = sized(2_000, 30_000);
/** Instead of five minutes. */
const LEASE_MS = sized(3_000, 15_000);
const HOOK_EVERY_MS = sized(100, 200);
const LIMIT_MS = sized(110_000, 1_700_000);
const BOARD = "storm";

let server: PostgresServer;
let fleet: TestFleet;
let cables: readonly Cable[] = [];
let machines: readonly Machine[] = [];
let crew: Crew;

beforeEach(async () => {
  crew = new Crew();
  if (noNamespaces !== "") console.log(noNamespaces);
  cables = noNamespaces === "" ? [new Cable(1), new Cable(2)] : [];
  server = await PostgresServer.start({ listen: "*", syncs: true });
  server.allowNetwork("10.0.0.0/8");
  fleet = await TestFleet.make(server, "team");
  machines = [new Machine("ant"), new Machine("bee", cables[0]), new Machine("cat", cables[1])];
  for (const machine of machines) await machine.connect(fleet, ...(machine.cable ? ["--insecure-plain-text"] : []));
});
afterEach(async () => {
  crew.stop();
  for (const cable of cables) cable.dispose();
  for (const machine of machines) await machine.dispose();
  await fleet.close();
  await server.dispose();
});

/** The workers that run now. */
class Crew {
  readonly pids: number[] = [];
  readonly killed: number[] = [];
  late = 0;
  readonly #running = new Set<Running>();
  #isStopped = false;

  /** Starts the worker again whenever it was killed; resolves when it has ended by itself. */
  async employ(machine: Machine, program: string, task: WorkerTask): Promise<void> {
    for (;;) {
      const prefix = machine.cable?.prefix ?? [];
      const command = [...prefix, process.execPath, "--max-old-space-size=64", program, JSON.stringify(task)];
      const running = machine.start(command, { limitMs: LIMIT_MS });
      this.#running.add(running);
      this.pids.push(running.pid);
      const holding = this.#killWhileItHolds(running);
      const { exit, signal, stdout, stderr } = await running.ended;
      await holding;
      this.#running.delete(running);
      this.late += stdout.match(/^late$/gm)?.length ?? 0;
      if (this.#isStopped) return;
      if (signal === "SIGKILL") continue;
      expect([exit, stderr]).toEqual([0, ""]);
      return;
    }
  }

  async areReady(): Promise<void> {
    await Promise.all([...this.#running].map((running) => running.sees("stdout", /^ready$/m, LIMIT_MS)));
  }

  killOne(): void {
    const running = [...this.#running];
    const one = running[Math.floor(Math.random() * running.length)];
    if (one) this.#kill(one);
  }

  /** Nobody is employed again. */
  stop(): void {
    this.#isStopped = true;
    for (const running of this.#running) running.kill("SIGKILL");
  }

  #kill(running: Running): void {
    running.kill("SIGKILL");
    this.killed.push(running.pid);
  }

  async #killWhileItHolds(running: Running): Promise<void> {
    const holds = running.sees("stdout", /^holds /m, LIMIT_MS).then(
      () => true,
      () => false,
    );
    if (await Promise.race([holds, running.ended.then(() => false)])) this.#kill(running);
  }
}

async function buildWorker(outfile: string): Promise<void> {
  await build({
    entryPoints: [fileURLToPath(new URL("./board-worker.ts", import.meta.url))],
    ...{ outfile, bundle: true, platform: "node", format: "esm", target: "node20", logLevel: "error" },
  });
}

/** In bulk, because it is not the adding that is tested. Every third task comes after the one before it, and every tenth after one of long ago. */
async function addTasks(): Promise<void> {
  const numbers = `generate_series(1, ${TASKS}) AS number`;
  const before = `SELECT number AS task, number - 1 AS needs FROM ${numbers} WHERE number % 3 = 0
    UNION SELECT number, number / 2 FROM ${numbers} WHERE number % 10 = 0`;
  await fleet.asOwner(
    `CREATE OR REPLACE FUNCTION fleet.lease_ms() RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT ${LEASE_MS}::bigint'`,
    `CREATE TEMP TABLE wanted AS ${before}`,
    `INSERT INTO fleet.tasks (board, number, text, waits_for)
     SELECT '${BOARD}', number, 'number ' || number, count(task) FROM ${numbers} LEFT JOIN wanted ON task = number
     GROUP BY number`,
    `INSERT INTO fleet.dependencies (board, task, needs) SELECT '${BOARD}', task, needs FROM wanted`,
    `INSERT INTO fleet.board_changes (board, sequence, at, kind, task, epoch)
     SELECT '${BOARD}', number, 1, 'added', number, 0 FROM ${numbers}`,
    `UPDATE fleet.boards SET last_task = ${TASKS}, last_change = ${TASKS} WHERE board = '${BOARD}'`,
  );
}

/** Each claim has one end, each task one completion, only the holder ends a claim, and nothing begins too early. */
function assertHistory(changes: readonly BoardChange[], needs: ReadonlyMap<string, readonly string[]>): void {
  const holders = new Map<string, string>();
  const done = new Set<string>();
  const epochs = new Map<string, number>();
  for (const { kind, task, agent, epoch } of changes) {
    const holder = `${agent} ${epoch}`;
    if (kind === "claimed") {
      const expected = [task, undefined, false, (epochs.get(task) ?? 0) + 1];
      expect([task, holders.get(task), done.has(task), epoch]).toEqual(expected);
      expect((needs.get(task) ?? []).filter((one) => !done.has(one))).toEqual([]);
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

it(`${WORKERS} workers on 3 machines finish ${TASKS} tasks, each once, while everything is killed`, {
  timeout: LIMIT_MS + 60_000,
}, async () => {
  const [ant] = machines as [Machine, Machine, Machine];
  const addresses = new Map<Machine, FleetAddress>();
  for (const machine of machines) {
    const { address } = JSON.parse(fs.readFileSync(path.join(machine.home, "fleet/connection.json"), "utf8"));
    addresses.set(machine, address);
  }
  const own = new FleetBoard(new FleetClient(addresses.get(ant) as FleetAddress), BOARD, LIMIT_MS);
  await own.make(WORKERS);
  await addTasks();
  const program = path.join(ant.root, "worker.mjs");
  await buildWorker(program);
  const [startFile, completedFile] = [path.join(ant.root, "start"), path.join(ant.root, "completed")];
  const all = Promise.all(
    Array.from({ length: WORKERS }, (_, number) => {
      const machine = machines[number % machines.length] as Machine;
      const address = addresses.get(machine) as FleetAddress;
      const task = { address, board: BOARD, agent: `agent-${number}`, startFile, completedFile, holdsEach: HOLDS_EACH };
      return crew.employ(machine, program, task);
    }),
  );
  await Promise.race([crew.areReady(), all]);
  let isOver = false;
  const started = performance.now();
  fs.writeFileSync(startFile, "");
  const ended = all.finally(() => {
    isOver = true;
  });
  const work = ended.catch(() => undefined);
  const storms = Promise.all([killWorkers(crew, () => isOver), killServer(), cut(cables[0]), killDaemon(ant)]);
  const hooks = Promise.all(machines.map((machine) => sendHooks(machine, () => isOver)));
  const [serverKills] = await Promise.all([storms.then(([, kills]) => kills), hooks, work]);
  await ended;
  const seconds = (performance.now() - started) / 1_000;

  const { tasks } = await own.overview();
  const changes = await own.changesAfter(0);
  await own.close();
  const expired = changes.filter(({ kind }) => kind === "expired").length;
  const cables1 = cables.length > 0 ? `a cable pulled for ${CUT_MS / 1_000} s` : "no cable pulled";
  console.log(
    [
      `${WORKERS} workers in ${crew.pids.length} processes on 3 machines, ${TASKS} tasks in ${seconds.toFixed(1)} s`,
      `${crew.killed.length} workers killed, the server ${serverKills} times, a daemon once, ${cables1}`,
      `${expired} claims taken back, ${crew.late} late completions refused`,
    ].join("\n"),
  );
  expect(tasks.map(({ id, status }) => `${id} ${status}`)).toEqual(
    Array.from({ length: TASKS }, (_, index) => `task-${index + 1} done`),
  );
  assertHistory(changes, new Map(tasks.map(({ id, after }) => [id, after])));
  const done = new Set(changes.flatMap(({ kind, task, epoch }) => (kind === "done" ? `${task} ${epoch}` : [])));
  const acknowledged = fs.readFileSync(completedFile, "utf8").trim().split("\n");
  expect(acknowledged.filter((line) => !done.has(line))).toEqual([]);
  expect(new Set(acknowledged).size).toBe(acknowledged.length);
  // A worker that was killed in between could not note its last completion.
  expect(TASKS - acknowledged.length).toBeLessThanOrEqual(crew.killed.length);
  expect(crew.killed.length).toBeGreaterThanOrEqual(Math.floor(TASKS / HOLDS_EACH));
  expect(expired).toBeGreaterThanOrEqual(Math.floor(TASKS / HOLDS_EACH));
  expect(serverKills).toBe(SERVER_KILLS);

  for (const machine of machines) {
    await expect.poll(() => fleet.copyOf(machine.name), { timeout: 120_000, interval: 500 }).toEqual(machine.journal());
    const entries = machine.journal().filter(({ session }) => session === `storm-${machine.name}`);
    expect(entries.length).toBeGreaterThan(5);
    console.log(`${machine.name}: ${entries.length} events of hooks, all in the copy`);
  }
});

async function killWorkers(crew: Crew, isOver: () => boolean): Promise<void> {
  for (let kills = 0; kills < WORKER_KILLS && !isOver(); kills++) {
    await sleep(Math.random() * 2 * KILL_EVERY_MS);
    if (!isOver()) crew.killOne();
  }
}

async function killServer(): Promise<number> {
  let kills = 0;
  for (; kills < SERVER_KILLS; kills++) {
    await sleep(sized(1_000, 20_000));
    await server.kill();
    await sleep(500);
    await server.start();
  }
  return kills;
}

async function cut(cable: Cable | undefined): Promise<void> {
  await sleep(sized(500, 10_000));
  cable?.pull();
  await sleep(CUT_MS);
  cable?.plugIn();
}

/** The next hook starts another one, and decides by itself meanwhile. */
async function killDaemon(machine: Machine): Promise<void> {
  await sleep(sized(1_000, 15_000));
  const { pid } = JSON.parse((await machine.hookwright("daemon", "status", "--json")).stdout);
  process.kill(pid, "SIGKILL");
}

async function sendHooks(machine: Machine, isOver: () => boolean): Promise<void> {
  for (let call = 0; !isOver(); call++) {
    const { exit } = await machine.hook(machine.bash(`storm-${machine.name}`, `echo ${call}`));
    expect(exit).toBe(0);
    await sleep(HOOK_EVERY_MS);
  }
}
