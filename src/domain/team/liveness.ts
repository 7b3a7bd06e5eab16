import fs from "node:fs";
import type { AgentSession } from "./registry.ts";

/** Tolerance between the two clocks that are compared; a pid is not reused within this time. */
const SLACK_MS = 5_000;
const TICKS_PER_SECOND = 100;

/** A dead session stays dead, even if a new process has its pid. An active one lives as long as its process. */
export function isSessionAlive(session: Pick<AgentSession, "registry" | "pid" | "at">): boolean {
  if (session.registry === "Dead") return false;
  return session.pid === 0 || isSameProcess(session.pid, session.at);
}

/** Is this still the process that had the pid at that time, and not a later one? */
export function isSameProcess(pid: number, at: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
  const startedAt = startOf(pid);
  return startedAt === undefined || startedAt <= at + SLACK_MS;
}

const startOf = (pid: number): number | undefined =>
  processStartTime(contentOf(`/proc/${pid}/stat`), contentOf("/proc/stat"));

/** Start time in epoch milliseconds; undefined without /proc. Infinity for a zombie, so that it never counts as alive. */
export function processStartTime(stat: string, systemStat: string): number | undefined {
  const boot = /^btime (\d+)$/m.exec(systemStat)?.[1];
  // The second field is the program's name in parentheses and may hold anything, parentheses too.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ticks = Number(fields[19]);
  if (fields[0] === "Z") return Number.POSITIVE_INFINITY;
  return boot === undefined || !Number.isFinite(ticks) ? undefined : (Number(boot) + ticks / TICKS_PER_SECOND) * 1000;
}

function contentOf(file: string): string {
  try {
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error) return "";
    throw error;
  }
}
