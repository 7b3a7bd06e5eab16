import fs from "node:fs";
import path from "node:path";
import { encodeFrame, type Frame } from "../core/frame.ts";

/** Nobody waits for the answer any more, so it may take its time. */
const PATIENCE_MS = 60_000;
/** Set for the process that records late: it is the last try. */
const LAST_TRY = "HOOKWRIGHT_RECORDS_LATE";

/** What the person hears of it. */
export const RECORDED_LATER =
  "Hookwright decided, but its database was busy all the time; what happened is recorded in the background.";

/** The client beside this bundle; it takes a whole frame on standard input. */
const CLIENT = ["hook.cjs", "--cold-frame"] as const;

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
  const [script, option] = CLIENT;
  spawn(process.execPath, [path.join(folder, script), option], {
    cwd: "/",
    detached: true,
    stdio: [input, "ignore", "ignore"],
    env: { ...frame.env, HOOKWRIGHT_HOME: frame.home, [LAST_TRY]: "1" },
  }).unref();
}
