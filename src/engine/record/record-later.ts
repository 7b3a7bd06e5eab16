import fs from "node:fs";
import path from "node:path";
import { encodeFrame, type Frame } from "../../core/frame.ts";

/** The agent has its answer already, so recording may take this long. */
const PATIENCE_MS = 60_000;
/** Set for the process that records an event after its answer: it does not start another one. */
const LAST_TRY = "HOOKWRIGHT_RECORDS_LATE";

/** Told to the person. */
export const RECORDED_LATER =
  "Hookwright decided, but its database stayed locked; the event is recorded in the background.";

export function mayRecordLater(): boolean {
  return process.env[LAST_TRY] === undefined;
}

/**
 * Sends the same event once more, in a detached process. It has the same nonce, so it is recorded once
 * even if the first try did succeed after all.
 */
export function recordLater(frame: Frame, folder: string): void {
  const { waits: _nobodyWaits, ...event } = frame;
  const file = path.join(frame.home, `late-${process.pid}`);
  fs.writeFileSync(file, encodeFrame({ ...event, deadline: Date.now() + PATIENCE_MS }), { mode: 0o600, flag: "wx" });
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
