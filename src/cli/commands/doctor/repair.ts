import fs from "node:fs";
import path from "node:path";
import { describe, HookwrightError } from "../../../core/errors.ts";
import { takeLock } from "../../../daemon/lock.ts";
import type { DaemonPaths } from "../../../daemon/paths.ts";
import { Database } from "../../../state/database.ts";
import type { CommandContext } from "../../command.ts";
import { changedFilesOf } from "../../installation/changed-files.ts";
import { projectOf, readInstalls, saveInstalls, withRecord } from "../../installation/installs.ts";
import { registeredEvents } from "../../installation/registered-events.ts";
import { prepareVersionFolder, type VersionSource } from "../../installation/version-folder.ts";
import { startDaemon } from "../../state/daemon-client.ts";
import { isAlive, processesHolding } from "../../state/processes.ts";
import { runInit } from "../init/run.ts";
import { currentVersion, type DoctorContext, installationsOf } from "./context.ts";
import { initCommandFor, registrationProblem } from "./installation-checks.ts";
import { acceptsConnections, inPlaceOfSocket, type Runtime } from "./runtime-checks.ts";

/** Lets tests use another Node than the running one. */
export type FixSource = Partial<VersionSource>;

/** Repairs what can be repaired without asking, and asks before it changes settings. Returns what it did. */
export async function repair(
  doctor: DoctorContext,
  context: CommandContext,
  runtime: Runtime,
  source: FixSource,
): Promise<string[]> {
  const done: string[] = [];
  const attempt = async (what: string, work: () => Promise<string[]> | string[]): Promise<void> => {
    try {
      done.push(...(await work()));
    } catch (error) {
      const fix = error instanceof HookwrightError ? ` ${error.fix}` : "";
      done.push(`Could not repair ${what}: ${describe(error)}.${fix}`);
    }
  };
  await attempt("the installed files", () => repairFiles(doctor, source));
  await attempt("the state", () => repairState(doctor));
  if (runtime.paths) {
    const { paths } = runtime;
    await attempt("the runtime directory", () => repairDirectory(paths, doctor.places.uid));
    await attempt("the daemon", () => restartWedged(doctor, runtime, paths));
    await attempt("the files that ended daemons left behind", () => removeLeftOvers(runtime));
  }
  await attempt("the settings", () => addLostRegistrations(doctor, context, source));
  return done;
}

/** Only files of this build can be restored; an installation of another version is repaired and updated by `init`. */
function repairFiles(doctor: DoctorContext, source: FixSource): string[] {
  return installationsOf(doctor).flatMap(({ store, record }) => {
    if (record.version !== currentVersion(doctor) || changedFilesOf(store, record).length === 0) return [];
    const isShared = store === doctor.places.store;
    if (isShared && doctor.places.uid !== 0)
      return [`Only root can repair ${store.root}: run \`hookwright doctor --fix\` as root.`];
    const { packageRoot, env } = doctor;
    const made = prepareVersionFolder({
      packageRoot,
      versions: store.versions,
      env,
      isShared,
      isRepair: true,
      ...source,
    });
    const installs = readInstalls(store);
    saveInstalls(store, installs, withRecord(installs.records, { ...record, files: made.files }));
    return [`Restored the changed files in ${made.directory}.`];
  });
}

function repairState({ home }: DoctorContext): string[] {
  if (!fs.existsSync(home.database)) return [];
  const db = new Database(home.database, 2_000);
  db.close();
  return db.recovered ? [db.recovered.message] : [];
}

/** Makes the directory private again and removes files that other users put into it. */
function repairDirectory({ directory, socket }: DaemonPaths, uid: number): string[] {
  const stat = fs.lstatSync(directory, { throwIfNoEntry: false });
  if (!stat?.isDirectory() || stat.uid !== uid) return [];
  const done: string[] = [];
  if ((stat.mode & 0o077) !== 0) {
    fs.chmodSync(directory, 0o700);
    const foreign = fs.readdirSync(directory).filter((name) => fs.lstatSync(path.join(directory, name)).uid !== uid);
    for (const name of foreign) fs.rmSync(path.join(directory, name), { recursive: true, force: true });
    done.push(`Made ${directory} private again.`);
  }
  const blocked = inPlaceOfSocket(socket);
  if (blocked === "a directory") fs.rmdirSync(socket);
  else if (blocked !== "") fs.unlinkSync(socket);
  return blocked === "" ? done : [...done, `Removed ${blocked} called ${socket}, where the daemon's socket belongs.`];
}

/** The lock is named after this build and home, so the process that holds it is this daemon and no other. */
async function restartWedged(doctor: DoctorContext, { daemon }: Runtime, paths: DaemonPaths): Promise<string[]> {
  if (daemon.state !== "wedged") return [];
  const pids = processesHolding(paths.lock);
  if (pids === undefined || pids.length === 0)
    return ["Could not find out which process the daemon is: end it yourself, then run `hookwright doctor` again."];
  for (const pid of pids) process.kill(pid, "SIGKILL");
  for (let waited = 0; pids.some(isAlive) && waited < 2_000; waited += 20) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { running, pid } = await startDaemon(doctor.home, doctor.env, doctor.dist);
  const ended = `Ended the daemon that did not answer (process ${pids.join(", ")})`;
  return [running ? `${ended} and started a new one (process ${pid}).` : `${ended}; hooks start a new one.`];
}

async function removeLeftOvers({ leftOvers }: Runtime): Promise<string[]> {
  const removed: string[] = [];
  for (const file of leftOvers) {
    const isSocket = file.endsWith(".sock");
    // A daemon that is just starting takes the lock before it creates its socket.
    const unlock = isSocket ? takeLock(file.replace(/\.sock$/, ".lock")) : () => undefined;
    if (!unlock) continue;
    try {
      if (isSocket && (await acceptsConnections(file))) continue;
      fs.rmSync(file, { force: true });
      removed.push(path.basename(file));
    } finally {
      unlock();
    }
  }
  return removed.length === 0 ? [] : [`Removed files that ended daemons left behind: ${removed.join(", ")}.`];
}

/** Runs `init`, which shows the changes and asks. Without a terminal the settings stay as they are. */
async function addLostRegistrations(
  doctor: DoctorContext,
  context: CommandContext,
  source: FixSource,
): Promise<string[]> {
  const done: string[] = [];
  for (const one of installationsOf(doctor)) {
    const { scope, agent, file } = one.record;
    if ((await registrationProblem(doctor, one)) === "") continue;
    const isAsked = doctor.terminal.input.isTTY === true && doctor.terminal.output.isTTY === true;
    if (!isAsked || context.options.json) {
      done.push(
        `The hooks in ${file} were not repaired, because you have to agree: run \`${initCommandFor(one.record)}\` in a terminal.`,
      );
      continue;
    }
    const options = { agent, scope };
    const isInProject = scope === "project" || scope === "local";
    const cwd = isInProject ? projectOf(file) : context.cwd;
    const parts = { events: registeredEvents, packageRoot: doctor.packageRoot, terminal: doctor.terminal };
    const code = await runInit({ ...context, options, cwd }, { ...parts, source, system: doctor.places });
    if (code === 0) done.push(`Added the missing hooks to ${file} again.`);
  }
  return done;
}
