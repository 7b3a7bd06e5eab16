/** A project whose only hooks are those of the plugin `omc`, and what the scenarios of the modes say in it. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type ClaudeOutcome, type ClaudeRun, NO_PERMISSION_CHECKS, runClaude } from "./client.ts";
import { type ModelRequest, newText } from "./model-requests.ts";
import { queueMarker, type ToolCall } from "./model-script.ts";
import { Scratch } from "./scratch.ts";

export const OMC_PLUGIN = resolve(import.meta.dirname, "../../plugin/omc");

/** Said where a mode should have let the turn end. */
export const TOO_FAR = "Too far.";

export async function newProject(): Promise<Scratch> {
  const scratch = new Scratch();
  await scratch.run("git", ["init", "--quiet"]);
  return scratch;
}

export type ModeRun = Partial<ClaudeRun> & Pick<ClaudeRun, "prompt" | "script">;

export function runWithModes(scratch: Scratch, run: ModeRun, ...args: string[]): Promise<ClaudeOutcome> {
  const { env, args: unchecked } = NO_PERMISSION_CHECKS;
  return runClaude(scratch, {
    ...run,
    script: { whenExhausted: TOO_FAR, ...run.script },
    env: { ...env, ...run.env },
    args: [...unchecked, "--plugin-dir", OMC_PLUGIN, ...args],
  });
}

export function bash(command: string, id?: string): ToolCall {
  return { tool: "Bash", input: { command }, ...(id === undefined ? {} : { id }) };
}

export function write(file: string, content: string, id: string): ToolCall {
  return { tool: "Write", id, input: { file_path: file, content } };
}

/** A subagent whose answers come from the queue of this name, and that the main agent waits for. */
export function agent(type: string, queue: string, id?: string): ToolCall {
  const prompt = `${queueMarker(queue)} Do your part.`;
  const input = { subagent_type: type, description: "a part", prompt, run_in_background: false };
  return { tool: "Agent", input, ...(id === undefined ? {} : { id }) };
}

/** The texts by which a mode made the agent go on, each without the words that the client puts around it. */
export function continuations(requests: readonly ModelRequest[]): string[] {
  return requests.map(newText).filter((text) => text.includes("Stop hook "));
}

/** What the state file of the newest run of a mode says; undefined when there is none. */
export function stateOf(scratch: Scratch, mode: string): Record<string, unknown> | undefined {
  const file = join(scratch.project, ".omc/state", `${mode}-state.json`);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>) : undefined;
}

/** The names of all state files of modes, also those of single sessions. */
export function stateFiles(scratch: Scratch): string[] {
  const folder = join(scratch.project, ".omc/state");
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith("-state.json"));
}

interface EndedRun {
  readonly mode: string;
  readonly outcome: string;
  readonly round: number;
}

/** `mode: outcome (rounds)` of the runs that have ended, by their modes. */
export async function history(scratch: Scratch): Promise<string[]> {
  const { stdout } = await scratch.hookwright(["mode", "history", "--json"]);
  const { modes } = JSON.parse(stdout) as { modes: EndedRun[] };
  return modes.map(({ mode, outcome, round }) => `${mode}: ${outcome} (${round})`).sort();
}
