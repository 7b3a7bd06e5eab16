import fs from "node:fs";
import path from "node:path";

export type CrashPoint = "after-read" | "before-commit" | "after-commit" | "after-reply";

/**
 * Stops the process at a named point so that a test can kill it there from outside. The marker file keeps an
 * environment variable, which a project's settings could set, from ever hanging a real hook.
 */
export function crashPoint(home: string, point: CrashPoint): void {
  if (process.env.HOOKWRIGHT_CRASH_POINT !== point) return;
  if (!fs.existsSync(path.join(home, "crash-points-allowed"))) return;
  fs.writeSync(2, `crash point ${point} reached by ${process.pid}\n`);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
