import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { errorCode } from "../../agents/settings-file.ts";

/** The processes that run a file in this folder; undefined when the system does not tell. */
export function processesUsing(folder: string): number[] | undefined {
  const inside = (file: string): boolean => file.startsWith(`${folder}${path.sep}`);
  if (hasProc()) {
    return processIds().filter((pid) => {
      const words = (readIfThere(`/proc/${pid}/cmdline`) ?? "").split("\0");
      return words.some(inside) || inside(linkOf(`/proc/${pid}/exe`));
    });
  }
  const listed = spawnSync("ps", ["-axww", "-o", "pid=,command="], { encoding: "utf8", timeout: 10_000 });
  if (listed.status !== 0) return undefined;
  const lines = listed.stdout.split("\n").filter((line) => line.includes(`${folder}${path.sep}`));
  return lines.map((line) => Number.parseInt(line, 10)).filter((pid) => pid > 0);
}

/** The processes that have this file open; undefined when the system does not tell. */
export function processesHolding(file: string): number[] | undefined {
  if (!hasProc()) return undefined;
  return processIds().filter((pid) =>
    namesIn(`/proc/${pid}/fd`).some((descriptor) => linkOf(`/proc/${pid}/fd/${descriptor}`) === file),
  );
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

/** Is this process the current one or one of its ancestors? */
export function isAncestor(pid: number): boolean {
  for (let own = process.pid; own > 1; own = parentOf(own)) if (own === pid) return true;
  return false;
}

function parentOf(pid: number): number {
  if (pid === process.pid) return process.ppid;
  return Number(/^PPid:\s+(\d+)$/m.exec(readIfThere(`/proc/${pid}/status`) ?? "")?.[1] ?? 0);
}

function hasProc(): boolean {
  return fs.existsSync("/proc/self/cmdline");
}

function processIds(): number[] {
  return namesIn("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

// A process may end at any moment, and processes of other users cannot be read: both count as missing.

function namesIn(folder: string): string[] {
  return ifThere(() => fs.readdirSync(folder)) ?? [];
}

function readIfThere(file: string): string | undefined {
  return ifThere(() => fs.readFileSync(file, "utf8"));
}

function linkOf(file: string): string {
  return ifThere(() => fs.readlinkSync(file)) ?? "";
}

function ifThere<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}
