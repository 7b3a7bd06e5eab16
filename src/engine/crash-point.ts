import fs from "node:fs";
import path from "node:path";

export type CrashPoint =
  | "after-read"
  | "before-commit"
  | "after-commit"
  | "after-reply"
  | "snapshot-half"
  | "snapshot-done"
  | "plan-half-written"
  | "plan-before-rename";

/** Read once: every look at the environment goes through the operating system. */
const wanted = process.env.HOOKWRIGHT_CRASH_POINT;

/**
 * Stops the process at a named point so that a test can kill it there from outside. The marker file keeps an
 * environment variable, which a project's settings could set, from ever hanging a real hook.
 */
export function crashPoint(home: string, point: CrashPoint): void {
  if (wanted !== point || !isAllowed(home)) return;
  fs.writeSync(2, `crash point ${point} reached by ${process.pid}\n`);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

/** How long a daemon stays without work, which a test may shorten under the same condition. */
export function idleTime(home: string, usual: number): number {
  const wanted = Number(process.env.HOOKWRIGHT_DAEMON_IDLE_MS);
  return wanted > 0 && isAllowed(home) ? wanted : usual;
}

function isAllowed(home: string): boolean {
  return fs.existsSync(path.join(home, "crash-points-allowed"));
}
