/** Test data: a temporary directory with a built package, a home and a project, with a name that needs quoting. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { PassThrough } from "node:stream";
import { expect } from "vitest";
import { type ErrorCode, HookwrightError } from "../../core/errors.ts";
import type { CommandContext } from "../command.ts";
import type { Terminal } from "../terminal/confirm.ts";
import type { RegisteredEvent } from "./registered-events.ts";

export const BUNDLE = [
  "hook.cjs",
  "engine.cjs",
  "daemon.cjs",
  "config.cjs",
  "patterns.cjs",
  "toml.cjs",
  "outside-worker.cjs",
  "fleet-link.cjs",
  "shim.cjs",
  "opencode.cjs",
  "pi.cjs",
  "cli.mjs",
  "engine",
  "engine.mjs",
  "hookwright.mjs",
  "env.list",
];

export const SETUP_EVENTS: readonly RegisteredEvent[] = [
  { event: "PreToolUse", guarded: true },
  { event: "Stop", guarded: false },
  { event: "SessionEnd", guarded: false },
];

export interface SetupWorld {
  readonly root: string;
  readonly packageRoot: string;
  /** HOOKWRIGHT_HOME */
  readonly home: string;
  readonly project: string;
  readonly settings: string;
  readonly env: NodeJS.ProcessEnv;
}

export function makeWorld(): SetupWorld {
  const root = mkdtempSync(path.join(os.tmpdir(), "hw 'one' \"two\" $x "));
  const world = {
    root,
    packageRoot: path.join(root, "package"),
    home: path.join(root, "private"),
    project: path.join(root, "project"),
    settings: path.join(root, "user", ".claude", "settings.json"),
    env: { HOME: path.join(root, "user"), HOOKWRIGHT_HOME: path.join(root, "private"), PATH: process.env.PATH },
  };
  mkdirSync(path.join(world.project, ".git"), { recursive: true });
  mkdirSync(path.join(root, "user"));
  makePackage(world.packageRoot);
  return world;
}

export function makePackage(packageRoot: string, build = { version: "1.2.3", build: "abc123" }): void {
  const dist = path.join(packageRoot, "dist");
  mkdirSync(dist, { recursive: true });
  for (const name of BUNDLE) writeFileSync(path.join(dist, name), `${name} of ${build.build}`);
  writeFileSync(path.join(dist, "build.json"), JSON.stringify(build));
  writeFileSync(path.join(dist, "hook"), "#!/bin/sh\nexit 0\n");
  chmodSync(path.join(dist, "hook"), 0o755);
}

export function contextOf(
  world: SetupWorld,
  options: CommandContext["options"] = {},
): CommandContext & { said(): string } {
  let text = "";
  const out = (more: string): void => {
    text += `${more}\n`;
  };
  return { args: [], options, cwd: world.project, env: world.env, out, err: out, said: () => text };
}

export const NO_TERMINAL: Terminal = { input: new PassThrough(), output: new PassThrough() };

/** A terminal in which a person types this text, followed by the end of input. */
export function typingTerminal(text: string): Terminal {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  input.end(text);
  return { input, output: Object.assign(new PassThrough(), { isTTY: true }) };
}

export async function failing(code: ErrorCode, run: () => unknown): Promise<HookwrightError> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof HookwrightError)) throw error;
    expect(error.code, error.message).toBe(code);
    return error;
  }
  throw new Error(`${code} was expected`);
}

/** Every path below a directory with its content, for checking that nothing changed. */
export function filesBelow(directory: string): Record<string, string> {
  if (!existsSync(directory)) return {};
  const names = readdirSync(directory, { recursive: true, encoding: "utf8" }).sort();
  return Object.fromEntries(
    names.map((name) => {
      const file = path.join(directory, name);
      return [name, lstatSync(file).isFile() ? readFileSync(file, "utf8") : "(not a file)"];
    }),
  );
}
