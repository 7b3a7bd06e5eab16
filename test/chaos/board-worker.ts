/** An agent of the test `board-killed`: claims and completes tasks until none is open, and can be killed at any moment. */
import fs from "node:fs";
import { HookwrightError } from "../../src/core/errors.ts";
import { boardCounts } from "../../src/domain/board/counts.ts";
import { openBoard } from "../../src/domain/board/open-board.ts";
import { writeStatusFiles } from "../../src/domain/board/status-files.ts";
import { sleep } from "../support/processes.ts";

export interface WorkerTask {
  readonly root: string;
  readonly agent: string;
  /** The worker begins when this file exists. */
  readonly startFile: string;
  /** Gets a line for each completion that the board has acknowledged. */
  readonly completedFile: string;
  /** The clock of the board runs this much faster, so that leases expire soon. */
  readonly speed: number;
  /** At the first claim of each task with a multiple of this number, the worker does nothing more until it is killed. */
  readonly holdsEach: number;
}

const { root, agent, startFile, completedFile, speed, holdsEach } = JSON.parse(process.argv[2] ?? "") as WorkerTask;

const LONGEST_WORK_MS = 4;
const RETRY_MS = 20;

const now = (): number => Math.round(Date.now() * speed);
/** One write of the files for three completions: the files have to survive the storm too, and cost time. */
const FILES_EACH = 3;

/** The code of a refusal that an agent has to expect here; a busy board is asked again. */
async function answerOf<T>(work: () => Promise<T>): Promise<T | "HW_SWARM_LATE"> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof HookwrightError)) throw error;
      if (error.code === "HW_SWARM_LATE") return error.code;
      if (error.code !== "HW_SWARM_BUSY") throw error;
      console.log("busy");
    }
  }
}

console.log("ready");
while (!fs.existsSync(startFile)) await sleep(1);
const board = openBoard(root, now);
for (let completed = 0; ; ) {
  const task = await answerOf(() => board.claim(agent));
  if (task === "HW_SWARM_LATE") throw new Error("a claim cannot be late");
  if (task === undefined) {
    const counts = boardCounts(root, now());
    if (counts === undefined) throw new Error("the board is gone");
    if ("unreadable" in counts) console.log(`unreadable: ${counts.unreadable}`);
    else if (counts.pending + counts.claimed === 0) break;
    await sleep(RETRY_MS);
    continue;
  }
  const { id, epoch } = task;
  if (epoch === 1 && Number(id.replace("task-", "")) % holdsEach === 0) {
    console.log(`holds ${id}`);
    await new Promise(() => setInterval(() => undefined, 1_000));
  }
  await sleep(Math.random() * LONGEST_WORK_MS);
  const answer = await answerOf(() => board.finish({ task: id, agent, epoch }, agent));
  if (answer === "HW_SWARM_LATE") {
    console.log("late");
    continue;
  }
  fs.appendFileSync(completedFile, `${id} ${epoch}\n`);
  if (++completed % FILES_EACH === 0) {
    await answerOf(async () => writeStatusFiles(root, { now, uid: process.getuid?.() ?? 0 }, 10_000));
  }
}
await board.close();
