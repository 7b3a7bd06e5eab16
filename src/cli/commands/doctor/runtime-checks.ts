import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { errorCode } from "../../../agents/settings-file.ts";
import { HookwrightError } from "../../../core/errors.ts";
import { type DaemonPaths, daemonPaths } from "../../../daemon/paths.ts";
import { privacyProblem } from "../../../system/private-directory.ts";
import { askDaemon, type DaemonStatus } from "../../state/daemon-client.ts";
import { processesHolding } from "../../state/processes.ts";
import { formatTime } from "../journal/time-format.ts";
import type { DoctorContext } from "./context.ts";
import { type DoctorFinding, noteFinding, okFinding, problemFinding } from "./finding.ts";

const CONNECT_MS = 1_000;
/** A client that starts a daemon has finished long before this time. */
const STAMP_MS = 60_000;

/**
 * - absent: no daemon listens; hooks start one when they need it
 * - wedged: a process accepts connections but does not answer
 * - closed: the daemon must not be contacted, for the reason in the finding
 */
export type DaemonState = DaemonStatus & { readonly state: "running" | "absent" | "wedged" | "closed" };

export interface Runtime {
  readonly daemon: DaemonState;
  readonly findings: readonly DoctorFinding[];
  /** Undefined when the socket has no usable path. */
  readonly paths: DaemonPaths | undefined;
  /** Files that ended daemons and clients left behind. */
  readonly leftOvers: readonly string[];
}

const FIX = "Run `hookwright doctor --fix`.";

export async function inspectRuntime(doctor: DoctorContext): Promise<Runtime> {
  const name = "runtime directory";
  const closed: DaemonState = { running: false, state: "closed" };
  let paths: DaemonPaths;
  try {
    paths = daemonPaths(doctor.build, doctor.home.root, doctor.env, doctor.places.uid);
  } catch (error) {
    if (!(error instanceof HookwrightError)) throw error;
    // This is only a problem, not an error: hooks work without a daemon, only slower.
    return {
      daemon: closed,
      findings: [problemFinding(name, error.message, error.fix)],
      paths: undefined,
      leftOvers: [],
    };
  }
  const { directory } = paths;
  const isThere = fs.lstatSync(directory, { throwIfNoEntry: false }) !== undefined;
  if (!isThere) {
    const findings = [okFinding(name, `${directory} does not exist yet; it is made when it is needed`)];
    return { daemon: { running: false, state: "absent" }, findings, paths, leftOvers: [] };
  }
  const open = privacyProblem(directory, doctor.places.uid);
  if (open !== "") {
    const { message, fix } = new HookwrightError("HW_RUNTIME_DIR", { dir: directory, detail: open });
    return { daemon: closed, findings: [problemFinding(name, message, fix)], paths, leftOvers: [] };
  }
  const blocked = inPlaceOfSocket(paths.socket);
  if (blocked !== "") {
    const findings = [problemFinding(name, `${paths.socket} is ${blocked}, so no daemon can listen there`, FIX)];
    return { daemon: closed, findings, paths, leftOvers: [] };
  }
  const daemon = await daemonState(doctor, paths);
  const { dead, others, unrecorded } = await findOtherFiles(paths, daemon);
  const findings = [okFinding(name, directory)];
  if (others > 0)
    findings.push(okFinding("other daemons", `${others} running, of other versions or other HOOKWRIGHT_HOME folders`));
  if (unrecorded.length > 0) findings.push(notRecorded(unrecorded));
  if (dead.length > 0)
    findings.push(noteFinding("left behind", dead.map((file) => path.basename(file)).join(", "), FIX));
  if (daemon.state === "wedged") findings.unshift(wedged(paths));
  return { daemon, findings, paths, leftOvers: [...dead, ...unrecorded] };
}

function wedged({ lock }: DaemonPaths): DoctorFinding {
  const pids = processesHolding(lock) ?? [];
  const who = pids.length > 0 ? ` (process ${pids.join(", ")})` : "";
  return problemFinding("daemon", `it accepts connections but does not answer${who}, which makes every hook slow`, FIX);
}

async function daemonState(doctor: DoctorContext, { socket }: DaemonPaths): Promise<DaemonState> {
  const status = await askDaemon(doctor.home, doctor.env, "status", doctor.dist);
  if (status.running) return { ...status, state: "running" };
  return { running: false, state: (await acceptsConnections(socket)) ? "wedged" : "absent" };
}

/** What is at the socket's path instead of a socket; empty when there is nothing or a socket. */
export function inPlaceOfSocket(socket: string): string {
  const stat = fs.lstatSync(socket, { throwIfNoEntry: false });
  if (stat === undefined || stat.isSocket()) return "";
  return stat.isDirectory() ? "a directory" : stat.isSymbolicLink() ? "a link" : "a file";
}

/** Does a process accept connections here? A stopped process still does, until its queue is full. */
export function acceptsConnections(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = net.connect(socket);
    const end = (isTaken: boolean): void => {
      connection.destroy();
      resolve(isTaken);
    };
    connection.setTimeout(CONNECT_MS, () => end(true));
    connection.on("connect", () => end(true));
    connection.on("error", (error) => end(!["ENOENT", "ECONNREFUSED"].includes(errorCode(error) ?? "")));
  });
}

interface OtherFiles {
  /** Sockets of ended daemons, of any version and home, and stamp files of failed starts. */
  readonly dead: readonly string[];
  /** Number of running daemons of other versions or homes. */
  readonly others: number;
  /** Stamp files of sessions whose events could not be recorded. */
  readonly unrecorded: readonly string[];
}

async function findOtherFiles({ directory, socket }: DaemonPaths, daemon: DaemonState): Promise<OtherFiles> {
  const dead: string[] = [];
  const unrecorded: string[] = [];
  let others = 0;
  for (const name of fs.readdirSync(directory).sort()) {
    const file = path.join(directory, name);
    const stat = fs.lstatSync(file, { throwIfNoEntry: false });
    if (/^[0-9a-f]{12}\.(?:starting|slow)$/.test(name) && stat && Date.now() - stat.mtimeMs > STAMP_MS) dead.push(file);
    if (/^[0-9a-f]{32}\.unrecorded(?:-shown)?$/.test(name)) unrecorded.push(file);
    if (!/^[0-9a-f]{12}\.sock$/.test(name) || !stat?.isSocket()) continue;
    if (file === socket && daemon.state !== "absent") continue;
    if (await acceptsConnections(file)) others++;
    else dead.push(file);
  }
  return { dead, others, unrecorded };
}

function notRecorded(stamps: readonly string[]): DoctorFinding {
  const logged = stamps.filter((file) => file.endsWith(".unrecorded"));
  const last = Math.max(...stamps.map((file) => fs.lstatSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0));
  const who = logged.length === 1 ? "one session" : `${logged.length} sessions`;
  const fix =
    "Policies decided them, but they are missing in the journal. This note goes away with the session's next prompt, or with `hookwright doctor --fix`.";
  return noteFinding(
    "not recorded",
    `events of ${who} could not be written to the journal, last at ${formatTime(last)}`,
    fix,
  );
}
