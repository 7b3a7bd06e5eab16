/** What the scenarios do with hookwright itself, in the words of its command line. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ClaudeOutcome } from "./client.ts";
import type { ProgramOptions, Scratch } from "./scratch.ts";

/** Runs a hookwright command that has to succeed and gives back what it printed. */
export async function hookwright(scratch: Scratch, args: readonly string[], options?: ProgramOptions): Promise<string> {
  const { exitCode, stdout, stderr } = await scratch.hookwright(args, options);
  if (exitCode === 0) return stdout;
  throw new Error(`hookwright ${args.join(" ")} failed with ${exitCode}\nstdout: ${stdout}\nstderr: ${stderr}`);
}

export interface JournalEntry {
  readonly id: number | string;
  readonly session: string;
  readonly event: string;
  readonly agentEvent: string;
  readonly ruling: unknown;
}

export async function journal(scratch: Scratch, ...filters: string[]): Promise<JournalEntry[]> {
  const printed = await hookwright(scratch, ["journal", "--json", ...filters]);
  const lines = printed.split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line) as JournalEntry);
}

export interface DaemonStatus {
  readonly running: boolean;
  readonly pid?: number;
}

export async function daemonStatus(scratch: Scratch): Promise<DaemonStatus> {
  // No daemon is an answer too, whatever exit code goes with it.
  const { stdout } = await scratch.hookwright(["daemon", "status", "--json"]);
  return JSON.parse(stdout) as DaemonStatus;
}

export interface HookEntry {
  readonly type: string;
  readonly command: string;
  readonly args?: readonly string[];
}

interface SettingsFile {
  readonly hooks?: Readonly<Record<string, readonly { readonly hooks: readonly HookEntry[] }[]>>;
}

/** The hooks a settings file registers, by the client's event name. */
export function registeredHooks(settingsPath: string): [event: string, entry: HookEntry][] {
  const settings = JSON.parse(readFileSync(settingsPath, "utf8")) as SettingsFile;
  return Object.entries(settings.hooks ?? {}).flatMap(([event, groups]) =>
    groups.flatMap((group) => group.hooks.map((entry): [string, HookEntry] => [event, entry])),
  );
}

/** Lines that hooks of this event meant for the person at the keyboard, in order. */
export function noticesToThePerson(outcome: ClaudeOutcome, event: string): string[] {
  return outcome.hookResponses
    .filter((response) => response.hook_event === event && response.stdout.trim() !== "")
    .map((response) => JSON.parse(response.stdout) as { systemMessage?: string })
    .flatMap((answer) => answer.systemMessage ?? []);
}

/** A live tmux session on this test's own server, and the orchestrator's record that it is the active one. */
export async function startActiveSession(scratch: Scratch, name: string): Promise<{ NTM_ORCH_RUNTIME_DIR: string }> {
  // The sleep ends by itself, should everything that cleans up fail.
  const { exitCode, stderr } = await scratch.run("tmux", [
    "-f",
    "/dev/null",
    "new-session",
    "-d",
    "-s",
    name,
    "sleep 300",
  ]);
  if (exitCode !== 0) throw new Error(`tmux could not start the session ${name}: ${stderr}`);
  const folder = scratch.folder("ntm");
  scratch.write(join(folder, "active-session.json"), JSON.stringify({ session: name }), 0o600);
  return { NTM_ORCH_RUNTIME_DIR: folder };
}

export async function isSessionAlive(scratch: Scratch, name: string): Promise<boolean> {
  const { exitCode } = await scratch.run("tmux", ["has-session", "-t", `=${name}`]);
  return exitCode === 0;
}
