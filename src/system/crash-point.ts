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
  | "edit-half-written"
  | "edit-before-rename"
  | "restart-asked"
  | "job-claimed"
  | "before-signal"
  | "agent-ended"
  | "restart-taken"
  | "agent-started";

/** Read once, because every read of the environment asks the operating system. */
const wanted = process.env.HOOKWRIGHT_CRASH_POINT;

const LOOK_MS = 20;

/**
 * Stops the process at a named point, so that a test can kill it there. It needs a marker file as well, because a
 * project's settings could set the environment variable and hang a real hook. The process goes on when the marker file
 * is removed, and writes its pid into it, also when nobody reads its output.
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
