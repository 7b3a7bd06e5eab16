/**
 * Starts a program again in a network namespace that has nothing but loopback, so that whatever a client tries, nothing leaves
 * the machine.
 */
import { spawn, spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join, resolve } from "node:path";

const REPOSITORY = resolve(import.meta.dirname, "../../..");
const NEEDED_PROGRAMS = { unshare: "util-linux", ip: "iproute2", tmux: "tmux", git: "git" };
/** `ip` lives in sbin, which an ordinary user's PATH often lacks. */
const environmentWithSbin = { ...process.env, PATH: `${process.env.PATH}${delimiter}/usr/sbin${delimiter}/sbin` };
const LOOPBACK_UP = 'ip link set lo up && exec "$@"';

/** What a person has to change before the tests can run. */
export class SetupError extends Error {}

/** Runs this Node program with more in its environment, and gives back its exit code. */
export async function runInNamespace(words, moreEnvironment) {
  requirePrograms();
  const args = [...namespaceFlags(), "--", "sh", "-c", LOOPBACK_UP, "sh", process.execPath, ...words];
  return (await runAndWait("unshare", args, { ...environmentWithSbin, ...moreEnvironment })).code;
}

export function runAndWait(command, args, env, stdio = "inherit") {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { cwd: REPOSITORY, stdio, env });
    const said = [];
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => said.push(chunk));
    // The terminal sends Ctrl-C to the child as well; staying alive lets it clean up and report.
    const stayAlive = () => undefined;
    const relay = (signal) => child.kill(signal);
    process.on("SIGINT", stayAlive).on("SIGTERM", relay);
    child.once("error", fail);
    child.once("close", (code) => {
      process.off("SIGINT", stayAlive).off("SIGTERM", relay);
      done({ code: code ?? 1, said: Buffer.concat(said) });
    });
  });
}

function requirePrograms() {
  if (process.platform !== "linux") {
    throw new SetupError("These tests isolate the client with Linux network namespaces and run on Linux only.");
  }
  const missing = Object.entries(NEEDED_PROGRAMS).filter(([program]) => !isOnPath(program));
  if (missing.length > 0) {
    const list = missing.map(([program, source]) => `${program} (package ${source})`).join(", ");
    throw new SetupError(`Missing programs: ${list}`);
  }
}

function isOnPath(program) {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/sbin"];
  return folders.some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch (error) {
      if (["ENOENT", "ENOTDIR", "EACCES"].includes(error.code)) return false;
      throw error;
    }
  });
}

/** Root may make a network namespace directly; anyone else needs a user namespace around it. */
function namespaceFlags() {
  const attempts = [["-n"], ["-r", "-n"]].map((flags) => {
    const probe = ["--", "sh", "-c", LOOPBACK_UP, "sh", "true"];
    const { status, stderr } = spawnSync("unshare", [...flags, ...probe], {
      env: environmentWithSbin,
      encoding: "utf8",
    });
    return { flags, works: status === 0, complaint: stderr.trim() };
  });
  const working = attempts.find((attempt) => attempt.works);
  if (working !== undefined) return working.flags;
  const complaints = attempts.map(({ flags, complaint }) => `unshare ${flags.join(" ")}: ${complaint}`).join("; ");
  throw new SetupError(
    `A network namespace is needed and may not be created here (${complaints}). ` +
      "Run as root, or allow unprivileged user namespaces.",
  );
}
