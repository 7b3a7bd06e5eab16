import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe } from "../core/errors.ts";
import { BESIDE } from "../engine/chunks.ts";
import { findConfigFiles, readConfigSources } from "../engine/config/config-files.ts";
import { createEngine, type EngineOptions } from "../engine/engine.ts";
import { idleTime } from "../system/crash-point.ts";
import { type Home, resolveHome } from "../system/home.ts";
import { preparePrivateDirectory } from "../system/private-directory.ts";
import { system } from "../system/system.ts";
import { fleetLink } from "./fleet-link.ts";
import { jobRunner } from "./job-runner.ts";
import { takeLock } from "./lock.ts";
import { daemonPaths } from "./paths.ts";
import { listen } from "./server.ts";
import { pulseOn } from "./socket-heartbeat.ts";
import { teamSockets } from "./team-sockets.ts";
import { warmUp } from "./warm-up.ts";

const IDLE_MS = 30 * 60_000;
/** How often the daemon checks that clients still find its own socket. */
const LOOK_MS = 5_000;
/** At its end the daemon waits this long for open connections; a client that sends nothing by then is stuck. */
const DRAIN_MS = 2_000;
/** A longer wait would hold up every other session; the engine tries again by itself. */
const BUSY_MS = 50;

/** Runs until it is idle for long, told to stop, or another daemon is already there. Returns the exit code. */
export async function runDaemon(build: string, log: (line: string) => void): Promise<number> {
  const home = resolveHome(process.env, os.homedir(), system.realPath);
  const paths = daemonPaths(build, home.root, process.env, system.uid);
  preparePrivateDirectory(paths.directory, system.uid);
  const unlock = takeLock(paths.lock);
  if (!unlock) {
    log("another daemon of this version is already running");
    fs.rmSync(paths.starting, { force: true });
    return 0;
  }
  let events = 0;
  let stop: () => void = () => undefined;
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const idle = setTimeout(stop, idleTime(home.root, IDLE_MS));
  const teams = teamSockets({
    userHome: os.homedir(),
    database: home.database,
    lockFolder: paths.directory,
    uid: system.uid,
    onActivity: () => void idle.refresh(),
    log,
  });
  const jobs = jobRunner(home.database, log, { serveTeams: (atmHome) => teams.serve(atmHome) }, build);
  const options: EngineOptions = {
    home: home.root,
    build,
    ports: system,
    busyMs: () => BUSY_MS,
    dropsLate: true,
    onJobs: () => jobs.wake(),
    ...BESIDE,
    isResident: true,
    policyWorker: path.join(__dirname, "outside-worker.cjs"),
  };
  const engine = createEngine(options);
  const pulse = pulseOn(paths.socket);
  const startedAt = Date.now();
  fs.rmSync(paths.draft, { force: true });
  const server = await listen({
    socket: paths.draft,
    build,
    home: home.root,
    engine,
    log,
    isLeaving() {
      const isStale = engine.isStale();
      if (isStale) stop();
      return isStale;
    },
    onActivity() {
      events++;
      idle.refresh();
    },
    onDone() {
      if (fs.existsSync(paths.slow)) fs.rmSync(paths.slow, { force: true });
      pulse();
    },
    control(command) {
      if (command === "stop") setImmediate(stop);
      const status = { running: true, pid: process.pid, build, home: home.root, startedAt, events };
      const stdout = JSON.stringify({ ...status, teams: teams.standings() });
      return { exit: 0, stdout: `${stdout}\n`, stderr: "" };
    },
  });
  // A failure of the team sockets must not keep hooks from their answers.
  await hasTeams(home)
    .then((isOn) => teams.serveAgain(isOn ? [process.env.ATM_HOME || os.homedir()] : []))
    .catch((error: unknown) => log(`teams: ${describe(error)}`));
  // The lock is ours, so a socket with this name is that of a dead daemon. It is made under another name and renamed: at
  // its end Node deletes the name that it made, whoever owns it by then.
  const inode = socketInode(paths.draft);
  try {
    fs.renameSync(paths.draft, paths.socket);
  } catch (error) {
    fs.rmSync(paths.draft);
    throw error;
  }
  const isOurs = (): boolean => socketInode(paths.socket) === inode;
  for (const stamp of [paths.starting, paths.slow]) fs.rmSync(stamp, { force: true });
  const look = setInterval(() => isOurs() || stop(), LOOK_MS);
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  // Jobs that an earlier process left unfinished.
  jobs.wake();
  // A test that waits for a real event at a crash point must not stop a sample event there.
  if (process.env.HOOKWRIGHT_CRASH_POINT === undefined) {
    void warmUp(options, () => events).catch((error: unknown) => log(`warm-up: ${describe(error)}`));
  }
  const fleet = fleetLink(home.root, home.fleet, log);
  log(`listening on ${paths.socket}`);
  await stopped;
  clearTimeout(idle);
  clearInterval(look);
  // First the socket is deleted, so that no new client connects; then the connected clients get their answers.
  if (isOurs()) fs.unlinkSync(paths.socket);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    setTimeout(resolve, DRAIN_MS);
  });
  jobs.stop();
  fleet.stop();
  teams.close();
  engine.close();
  unlock();
  return 0;
}

/** Is the profile `teams` on for every project of the person? Then its socket is served before the first event. */
async function hasTeams(home: Home): Promise<boolean> {
  const found = findConfigFiles(home, "/", "/").filter(({ owner }) => owner === "person");
  if (found.length === 0) return false;
  return (await BESIDE.compileConfig(readConfigSources(home, found).sources)).profiles.includes("teams");
}

/** Undefined for a file that is missing or cannot be read any more. */
function socketInode(file: string): number | undefined {
  try {
    return fs.lstatSync(file).ino;
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

/** The entry of the built file. A client starts it detached, so nothing reads its output. */
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
