import fs from "node:fs";
import path from "node:path";
import { encodeFrame, type Frame } from "../../core/frame.ts";

/** Nobody waits for the answer any more, so it may take its time. */
const PATIENCE_MS = 60_000;
/** Set for the process that records late: it is the last try. */
const LAST_TRY = "HOOKWRIGHT_RECORDS_LATE";

/** What the person hears of it. */
export const RECORDED_LATER =
  "Hookwright decided, but its database stayed locked; the event is recorded in the background.";

export function mayRecordLater(): boolean {
  return process.env[LAST_TRY] === undefined;
}

/**
 * The same event once more, in a process that nobody waits for. It has the same nonce, so that it is recorded once
 * even if the first try did succeed after all.
 */
export function recordLater(frame: Frame, folder: string): void {
  const file = path.join(frame.home, `late-${process.pid}`);
  fs.writeFileSync(file, encodeFrame({ ...frame, deadline: Date.now() + PATIENCE_MS }), { mode: 0o600, flag: "wx" });
  const input = fs.openSync(file, "r");
  fs.unlinkSync(file);
  const { spawn } = process.getBuiltinModule("node:child_process");
  const compiled = path.join(folder, "hook");
  // The compiled client waits for a daemon or for its turn, and costs nothing while it does.
  const [program, ...words] = fs.existsSync(compiled)
    ? [compiled, "--late", ...frame.args.filter((arg) => arg === "--no-daemon")]
    : [process.execPath, path.join(folder, "hook.cjs"), "--cold-frame"];
  spawn(program ?? compiled, words, {
    cwd: "/",
    detached: true,
    stdio: [input, "ignore", "ignore"],
    env: { ...frame.env, HOOKWRIGHT_HOME: frame.home, [LAST_TRY]: "1" },
  }).unref();
}
