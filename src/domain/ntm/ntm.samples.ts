import type { AnyEvent } from "../../core/event.ts";
import { shell, toolAfter } from "../../testing/events.ts";
import { FAKE_NOW, type FakeFile } from "../../testing/fake-ports.ts";

/** A private runtime directory with these files in it, for the cases of several policies. */
export const RUNTIME = "/run/user/1000/ntm-orch-1000";
export const RUNTIME_DIR_ENV = { XDG_RUNTIME_DIR: "/run/user/1000" };

export function runtime(files: Readonly<Record<string, unknown>> = {}, folder: FakeFile = { dir: 0o700 }) {
  const entries = Object.entries(files).map(([name, value]) => [`${RUNTIME}/${name}`, JSON.stringify(value)]);
  return { env: RUNTIME_DIR_ENV, files: { [RUNTIME]: folder, ...Object.fromEntries(entries) } };
}

export const ago = (seconds: number): number => FAKE_NOW - seconds * 1000;
export const savedAgo = (session: string, minutes: number) => ({
  session,
  saved_at: new Date(FAKE_NOW - minutes * 60_000).toISOString(),
  save_attempted: true,
  save_succeeded: true,
  command: "",
});
export const spawnedAgo = (session: string, seconds: number) => ({
  session,
  spawned_at: new Date(ago(seconds)).toISOString(),
  pid: 1,
});

/** The `tool.after` event of a line that succeeded. */
export const ntmSucceeded = (command: string): AnyEvent =>
  toolAfter("Bash", { command }, shell(command).tool?.useId ?? "");
