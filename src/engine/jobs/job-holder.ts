import type { JobHolder } from "../../state/jobs.ts";
import { processInfo, processSpace } from "../../system/processes.ts";
import { system } from "../../system/system.ts";

/** A process number may be reused, and is not valid in another container, so the start time is stored as well. */
export function thisProcess(): JobHolder {
  return { name: [process.pid, startOf(process.pid), processSpace()].join(" "), isGone };
}

export function isGone(holder: string): boolean {
  const [pid, start, space] = holder.split(" ");
  // A process of another container cannot be checked, so it keeps its jobs until their lease ends.
  if (space !== processSpace()) return false;
  return !system.isAlive(Number(pid)) || startOf(Number(pid)) !== start;
}

function startOf(pid: number): string {
  const info = processInfo(pid);
  return info === "unknown" ? "unknown" : (info?.start ?? "ended");
}
