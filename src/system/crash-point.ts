import fs from "node:fs";
import path from "node:path";

export type CrashPoint =
  | "after-read"
  | "before-commit"
  | "after-commit"
  | "after-reply"
  | "snapshot-read"
  | "snapshot-half"
  | "snapshot-kept"
  | "snapshot-done"
  | "plan-half-written"
  | "plan-before-rename"
  | "restart-asked"
  | "job-claimed"
  | "before-signal"
  | "agent-ended"
  | "restart-taken"
  | "agent-started";

/** Read once: every look at the environment goes through the operating system. */
const wanted = process.env.HOOKWRIGHT_CRASH_POINT;

const LOOK_MS = 20;

/**
 * Stops the process at a named point so that a test can kill it there from outside, or somebody else. The marker file
 * keeps an environment variable, which a project's settings could set, from ever hanging a real hook; whoever takes it
 * away lets the process go on. It says who stopped, also for processes whose output nobody reads.
 */
export function crashPoint(home: string, point: CrashPoint): void {
  if (wanted !== point || !isAllowed(home)) return;
  const line = `crash point ${point} reached by ${process.pid}\n`;
  fs.writeSync(2, line);
  fs.appendFileSync(markerIn(home), line);
  const nobody = new Int32Array(new SharedArrayBuffer(4));
  while (isAllowed(home)) Atomics.wait(nobody, 0, 0, LOOK_MS);
}

/** How long a daemon stays without work, which a test may shorten under the same condition. */
export function idleTime(home: string, usual: number): number {
  const wanted = Number(process.env.HOOKWRIGHT_DAEMON_IDLE_MS);
  return wanted > 0 && isAllowed(home) ? wanted : usual;
}

function isAllowed(home: string): boolean {
  return fs.existsSync(markerIn(home));
}

function markerIn(home: string): string {
  return path.join(home, "crash-points-allowed");
}
