import fs from "node:fs";
import path from "node:path";
import { decodeFrame, type Reply } from "../core/frame.ts";
import { Database } from "../state/database.ts";
import { crashPoint } from "../system/crash-point.ts";
import { system } from "../system/system.ts";
import { homeFolder } from "../system/user-folders.ts";
import { BESIDE } from "./chunks.ts";
import { createEngine } from "./engine.ts";
import { trustedFrame } from "./receive/trusted-frame.ts";
import { mayRecordLater, RECORDED_LATER, recordLater } from "./record/record-later.ts";
import { compileForCache } from "./sample-events.ts";

/** The answer leaves this long before the deadline, also when the write lock was never free. */
const MARGIN_MS = 300;
const LARGEST_WAL = 512 * 1024;
/** A checkpoint blocks every writer while it waits for readers, so it waits shortly; a later hook tries again. */
const CHECKPOINT_MS = 5;

/** Jobs that the event of this process left to be run; `afterReply` starts a process for them. */
const started: number[] = [];
/** False until the event is recorded: the client may answer at its deadline before that. */
let isRecorded = false;

/** Used by the client when no daemon answers: the same engine, in the client's own process. */
export async function decideFrame(bytes: Buffer): Promise<Reply> {
  const frame = decodeFrame(bytes);
  // A project's settings may have set HOOKWRIGHT_HOME, which must not count.
  const { home } = trustedFrame(frame, system, homeFolder()).frame;
  let isLocked = false;
  const engine = createEngine({
    ...optionsFor(home, frame.build),
    busyMs: (deadline) => Math.max(50, deadline - MARGIN_MS - Date.now()),
    onJobs: (ids) => started.push(...ids),
    onLocked() {
      isLocked = true;
      return mayRecordLater() ? RECORDED_LATER : undefined;
    },
  });
  // The engine is not closed: the last process that closes a database pays for a checkpoint, and this one ends anyway.
  try {
    return await engine.decide({ ...frame, home });
  } finally {
    isRecorded = !isLocked;
  }
}

function optionsFor(home: string, build: string) {
  return { home, build, ports: system, ...BESIDE, policyWorker: `${__dirname}/outside-worker.cjs` };
}

/** Called after the answer by a client that is about to write the code cache. */
export async function rehearseFor(bytes: Buffer): Promise<void> {
  const frame = decodeFrame(bytes);
  const { home } = trustedFrame(frame, system, homeFolder()).frame;
  await compileForCache({ ...optionsFor(home, frame.build), busyMs: () => MARGIN_MS, onJobs: () => undefined });
}

/** Called when the agent has its answer: does the work that the agent must not wait for. */
export function afterReply(bytes: Buffer): void {
  const frame = decodeFrame(bytes);
  const { home, env } = trustedFrame(frame, system, homeFolder()).frame;
  crashPoint(home, "after-reply");
  if (!isRecorded && mayRecordLater()) recordLater({ ...frame, home }, __dirname);
  keepWalSmall(home);
  if (started.length === 0) return;
  const { spawn } = process.getBuiltinModule("node:child_process");
  // The file of the command line only defines `main`; running it as a script would do nothing.
  const cli = process.getBuiltinModule("node:url").pathToFileURL(`${__dirname}/cli.mjs`).href;
  const run = `import(${JSON.stringify(cli)}).then(({ main }) => main(process.argv.slice(1)))`;
  spawn(process.execPath, ["-e", run, "job", ...started.map(String)], {
    cwd: "/",
    detached: true,
    stdio: "ignore",
    env: { ...env, HOOKWRIGHT_HOME: home },
  }).unref();
}

/** Cold processes never close the database, so without this its write-ahead log would only grow. */
function keepWalSmall(home: string): void {
  const file = path.join(home, "state.db");
  const size = fs.statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LARGEST_WAL) new Database(file, CHECKPOINT_MS).exec("PRAGMA wal_checkpoint(TRUNCATE)");
}
