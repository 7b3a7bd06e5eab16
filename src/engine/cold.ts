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

/** The answer must leave before the deadline even when the lock was never free. */
const MARGIN_MS = 300;
const LARGEST_WAL = 512 * 1024;
/** The checkpoint keeps every writer out while it waits for readers, so it hardly waits: a later hook tries again. */
const CHECKPOINT_MS = 5;

/** Jobs that this process has left behind; see `afterReply`. */
const started: number[] = [];
/** Is nothing left to be recorded? Something is while the decision is under way: an answer may go out without it. */
let isRecorded = false;

/** Used by the client when no daemon answers: the same engine, in the client's own process. */
export async function decideFrame(bytes: Buffer): Promise<Reply> {
  const frame = decodeFrame(bytes);
  // A project's settings may have sent the client to a home of their choosing.
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
  // Not closed: the last one to close a database pays for a checkpoint, and this process is about to end anyway.
  try {
    return await engine.decide({ ...frame, home });
  } finally {
    isRecorded = !isLocked;
  }
}

function optionsFor(home: string, build: string) {
  return { home, build, ports: system, ...BESIDE, policyWorker: `${__dirname}/outside-worker.cjs` };
}

/** Called after that by a client that is about to write the code cache. */
export async function rehearseFor(bytes: Buffer): Promise<void> {
  const frame = decodeFrame(bytes);
  const { home } = trustedFrame(frame, system, homeFolder()).frame;
  await compileForCache({ ...optionsFor(home, frame.build), busyMs: () => MARGIN_MS, onJobs: () => undefined });
}

/** Called when the agent has its answer: what it must not wait for. */
export function afterReply(bytes: Buffer): void {
  const frame = decodeFrame(bytes);
  const { home, env } = trustedFrame(frame, system, homeFolder()).frame;
  crashPoint(home, "after-reply");
  if (!isRecorded && mayRecordLater()) recordLater({ ...frame, home }, __dirname);
  keepWalSmall(home);
  if (started.length === 0) return;
  const { spawn } = process.getBuiltinModule("node:child_process");
  // The command line's file only defines; starting it by its own name would do nothing.
  const cli = process.getBuiltinModule("node:url").pathToFileURL(`${__dirname}/cli.mjs`).href;
  const run = `import(${JSON.stringify(cli)}).then(({ main }) => main(process.argv.slice(1)))`;
  spawn(process.execPath, ["-e", run, "job", ...started.map(String)], {
    cwd: "/",
    detached: true,
    stdio: "ignore",
    env: { ...env, HOOKWRIGHT_HOME: home },
  }).unref();
}

/** Cold processes never close the database, so nobody else would ever fold the log back into it. */
function keepWalSmall(home: string): void {
  const file = path.join(home, "state.db");
  const size = fs.statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LARGEST_WAL) new Database(file, CHECKPOINT_MS).exec("PRAGMA wal_checkpoint(TRUNCATE)");
}
