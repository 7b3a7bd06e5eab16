import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe } from "../core/errors.ts";
import { resolveHome } from "../core/home.ts";
import { BESIDE } from "../engine/chunks.ts";
import { createEngine, type EngineOptions } from "../engine/engine.ts";
import { system } from "../engine/system.ts";
import { isBusy, openConnection } from "../state/driver.ts";
import { jobRunner } from "./job-runner.ts";
import { daemonPaths, preparePrivateDirectory } from "./paths.ts";
import { listen } from "./server.ts";
import { warmUp } from "./warm-up.ts";

const IDLE_MS = 30 * 60_000;
/** A longer wait would hold up every other session; the engine tries again by itself. */
const BUSY_MS = 50;

/** Runs until it is idle for long, told to stop, or another daemon is already there. Returns the exit code. */
export async function runDaemon(build: string, log: (line: string) => void): Promise<number> {
  const home = resolveHome(process.env, os.homedir());
  const paths = daemonPaths(build, home.root, process.env, system.uid);
  preparePrivateDirectory(paths.directory, system.uid);
  const unlock = takeLock(paths.lock);
  if (!unlock) {
    log("another daemon of this version is already running");
    fs.rmSync(paths.starting, { force: true });
    return 0;
  }
  const jobs = jobRunner(home.database, log);
  const options: EngineOptions = {
    home: home.root,
    build,
    ports: system,
    busyMs: () => BUSY_MS,
    onJobs: () => jobs.wake(),
    ...BESIDE,
    policyWorker: path.join(__dirname, "outside-worker.cjs"),
  };
  const engine = createEngine(options);
  const startedAt = Date.now();
  let events = 0;
  let stop: () => void = () => undefined;
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const idle = setTimeout(stop, IDLE_MS);
  // Whoever holds the lock owns the name: a socket that lies there is a dead daemon's.
  fs.rmSync(paths.socket, { force: true });
  const server = await listen({
    socket: paths.socket,
    build,
    home: home.root,
    engine,
    log,
    onActivity() {
      events++;
      idle.refresh();
    },
    control(command) {
      if (command === "stop") setImmediate(stop);
      const stdout = JSON.stringify({ running: true, pid: process.pid, build, home: home.root, startedAt, events });
      return { exit: 0, stdout: `${stdout}\n`, stderr: "" };
    },
  });
  const inode = fs.statSync(paths.socket).ino;
  fs.rmSync(paths.starting, { force: true });
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  // What an earlier process left unfinished.
  jobs.wake();
  // A test that waits for a real event at a crash point must not meet a made-up one there.
  if (process.env.HOOKWRIGHT_CRASH_POINT === undefined) {
    void warmUp(options, () => events).catch((error: unknown) => log(`warm-up: ${describe(error)}`));
  }
  log(`listening on ${paths.socket}`);
  await stopped;
  clearTimeout(idle);
  // First the name goes, so that no new client comes; then those already here get their answers.
  if (fs.statSync(paths.socket, { throwIfNoEntry: false })?.ino === inode) fs.unlinkSync(paths.socket);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  jobs.stop();
  engine.close();
  unlock();
  return 0;
}

/** Mutual exclusion is SQLite's: the lock ends with the process, however it ends. */
function takeLock(file: string): (() => void) | undefined {
  const connection = openConnection(file);
  try {
    connection.exec("PRAGMA busy_timeout = 1; BEGIN EXCLUSIVE");
    return () => connection.close();
  } catch (error) {
    connection.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}

/** The entry of the built file: started by a client, detached, with nobody to read what it prints. */
export function main(): void {
  const { build } = JSON.parse(fs.readFileSync(path.join(__dirname, "build.json"), "utf8")) as { build: string };
  const log = (line: string): void => {
    if (process.env.HOOKWRIGHT_DAEMON_LOG === "stderr") process.stderr.write(`hookwright daemon: ${line}\n`);
  };
  runDaemon(build, log).then(
    (code) => process.exit(code),
    (error: unknown) => {
      process.stderr.write(`hookwright daemon: ${describe(error)}\n`);
      process.exit(1);
    },
  );
}

main();
