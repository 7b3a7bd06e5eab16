// A scratch project for the tests of `hookwright swarm`, with a clock that the test moves.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import { runSwarm } from "./run.ts";

export type SwarmOptions = Parameters<typeof runSwarm>[0]["options"];

/** What the running test has: made anew before each one. */
export const scratch = { root: "", now: 0, notices: [] as string[], stop: new AbortController() };

/** To be called once at the top of a test file. */
export function useScratchProject(): void {
  beforeEach(() => {
    scratch.root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "hookwright-swarm-")));
    fs.mkdirSync(path.join(scratch.root, ".git"));
    scratch.now = Date.UTC(2026, 0, 2, 3, 4, 5);
    scratch.stop = new AbortController();
  });
  afterEach(() => fs.rmSync(scratch.root, { recursive: true, force: true }));
}

/** `HOOKWRIGHT_HOME` lies beside the board, so that no state of the machine counts. */
export async function run(
  words: string,
  options: SwarmOptions = {},
  cwd = scratch.root,
  columns = 100,
  caller = "",
): Promise<string> {
  const { root } = scratch;
  const lines: string[] = [];
  scratch.notices = [];
  const context = {
    args: words.split(" "),
    options,
    cwd,
    columns,
    env: { HOME: root, HOOKWRIGHT_HOME: path.join(root, ".git/hw"), CLAUDE_CODE_SESSION_ID: caller },
    out: (text: string) => lines.push(text),
    err: (text: string) => scratch.notices.push(text),
  };
  const timing = { now: () => scratch.now, pollMs: 1, signal: scratch.stop.signal };
  expect(await runSwarm(context, timing)).toBe(0);
  return lines.join("\n");
}

/** The output of `--json`. */
export async function ask(words: string, options: SwarmOptions = {}, cwd = scratch.root) {
  return JSON.parse(await run(words, { ...options, json: true }, cwd));
}

export const claim = async (agent: string) => (await ask("claim", { agent })).task;
export const statuses = async () => (await ask("status")).tasks.map(({ status }: { status: string }) => status);
export const stateFolder = (): string => path.join(scratch.root, ".omc/state");
