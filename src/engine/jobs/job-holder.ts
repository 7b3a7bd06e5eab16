import type { JobHolder } from "../../state/jobs.ts";
import { processInfo, processSpace } from "../../system/processes.ts";
import { system } from "../../system/system.ts";

/** The number of a process may go to another one, and means nothing in another container: so more is written down. */
export function thisProcess(): JobHolder {
  return { name: [process.pid, startOf(process.pid), processSpace()].join(" "), isGone };
}

export function isGone(holder: string): boolean {
  const [pid, start, space] = holder.split(" ");
  // Whoever cannot be seen from here keeps what he has until his time is over.
  if (space !== processSpace()) return false;
  return !system.isAlive(Number(pid)) || startOf(Number(pid)) !== start;
}

function startOf(pid: number): string {
  const info = processInfo(pid);
  return info === "unknown" ? "unknown" : (info?.start ?? "ended");
}
