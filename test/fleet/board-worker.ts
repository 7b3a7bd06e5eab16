/** A worker of the test `storm`: claims and completes tasks until none is open, and can be killed at any moment. */
import fs from "node:fs";
import { HookwrightError } from "../../src/core/errors.ts";
import { FleetBoard } from "../../src/fleet/board/fleet-board.ts";
import type { FleetAddress } from "../../src/fleet/connection/address.ts";
import { FleetClient } from "../../src/fleet/connection/client.ts";
import { sleep } from "../support/processes.ts";

export interface WorkerTask {
  readonly address: FleetAddress;
  readonly board: string;
  readonly agent: string;
  /** The worker begins when this file exists. */
  readonly startFile: string;
  /** Gets a line for each completion that the board has acknowledged. */
  readonly completedFile: string;
  /** At the first claim of each task with a multiple of this number, it does nothing more until it is killed. */
  readonly holdsEach: number;
}

const LONGEST_WORK_MS = 20;
const PATIENCE_MS = 300_000;
const LIMIT_MS = 5_000;

const {
  address,
  board: name,
  agent,
  startFile,
  completedFile,
  holdsEach,
} = JSON.parse(process.argv[2] ?? "") as WorkerTask;
const client = new FleetClient(address, LIMIT_MS);
const board = new FleetBoard(client, name, PATIENCE_MS);

async function openTasks(): Promise<number> {
  try {
    const sql =
      "SELECT count(*)::int AS n FROM fleet.tasks WHERE board = $1::text AND status IN ('pending', 'claimed')";
    return (await client.rows<{ n: number }>(sql, name))[0]?.n ?? 0;
  } catch (error) {
    if (error instanceof HookwrightError && error.code === "HW_FLEET_UNREACHABLE") return 1;
    throw error;
  }
}

console.log("ready");
while (!fs.existsSync(startFile)) await sleep(5);
for (;;) {
  const task = await board.claim(agent);
  if (task === undefined) {
    if ((await openTasks()) === 0) break;
    await sleep(100 + Math.random() * 200);
    continue;
  }
  const { id, epoch } = task;
  if (epoch === 1 && Number(id.replace("task-", "")) % holdsEach === 0) {
    console.log(`holds ${id}`);
    await new Promise(() => setInterval(() => undefined, 1_000));
  }
  await sleep(Math.random() * LONGEST_WORK_MS);
  try {
    await board.finish({ task: id, agent, epoch }, agent);
    fs.appendFileSync(completedFile, `${id} ${epoch}\n`);
  } catch (error) {
    if (!(error instanceof HookwrightError) || error.code !== "HW_SWARM_LATE") throw error;
    console.log("late");
  }
}
await board.close();
