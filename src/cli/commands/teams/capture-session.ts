import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { HookwrightError } from "../../../core/errors.ts";
import { makeFolder } from "../../../system/make-folder.ts";

const TMUX_MS = 5_000;
const PANE = /^%\d+$/;

/** A time in a form for file names. */
export function timeInFileName(at: number): string {
  return new Date(at).toISOString().replace(/[:.]/g, "-");
}

export function isPaneAlive(pane: string, env: NodeJS.ProcessEnv): boolean {
  if (!PANE.test(pane)) return false;
  return tmux(["display-message", "-p", "-t", pane, "#{pane_id}"], env)?.trim() === pane;
}

export interface SessionToCapture {
  readonly team: string;
  readonly session: string;
  readonly pid: number;
  readonly pane: string;
  readonly transcript: string;
}

/**
 * Saves what a session shows before it is ended: the text of its pane, and the path of its transcript. Throws when the
 * pane cannot be read, because its content would be lost.
 */
export function captureSession(folder: string, of: SessionToCapture, env: NodeJS.ProcessEnv): string {
  const screen = PANE.test(of.pane) ? tmux(["capture-pane", "-p", "-S", "-", "-t", of.pane], env) : "";
  if (screen === undefined) throw new HookwrightError("HW_CAPTURE_FAILED", { pane: of.pane });
  makeFolder(folder, 0o700);
  const file = path.join(
    folder,
    `${of.team}-${of.session.slice(0, 8).replace(/[^\w-]/g, "_")}-${timeInFileName(Date.now())}.txt`,
  );
  const lines = [
    `team: ${of.team}`,
    `session: ${of.session}`,
    `process: ${of.pid}`,
    `transcript: ${of.transcript || "not known"}`,
    screen === "" ? "It had no pane of its own." : `\n${screen}`,
  ];
  fs.writeFileSync(file, `${lines.join("\n")}\n`, { mode: 0o600, flag: "wx" });
  return file;
}

function tmux(args: readonly string[], env: NodeJS.ProcessEnv): string | undefined {
  const { status, stdout } = spawnSync("tmux", args, { env, encoding: "utf8", timeout: TMUX_MS });
  return status === 0 ? stdout : undefined;
}
