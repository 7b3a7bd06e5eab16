import { spawn, spawnSync } from "node:child_process";
import { constants } from "node:os";
import { Readable } from "node:stream";
import { HookwrightError } from "../../core/errors.ts";
import { nameOf } from "../../domain/session/records.ts";
import { restarting } from "../../domain/session/restart.ts";
import { flagIn, lifecycleOf, pidOf, textIn } from "../../domain/session/state.ts";
import { system } from "../../engine/system.ts";
import type { CommandContext } from "../command.ts";
import { type Desk, openDesk } from "../session/desk.ts";
import { freshArguments, isResuming } from "./arguments.ts";
import { endProcess } from "./end-process.ts";
import { keepWatchdog, type Watchdog } from "./keep-watchdog.ts";

/** A conversation that cannot be resumed ends its agent within this time. */
const RESUME_MS = 5_000;

interface Ended {
  readonly code: number;
  readonly signal: NodeJS.Signals | null;
  readonly ms: number;
}

/** Runs the agent, and runs it again for as long as a session of it asks for that. Returns its exit code. */
export async function runAgent(context: CommandContext, program: string, given: readonly string[]): Promise<number> {
  const desk = (): Desk => openDesk(context, Readable.from([]));
  tellWhatWaits(desk(), context);
  const watchdog = await keepWatchdog();
  const environment = (): NodeJS.ProcessEnv => ({
    SESSION_REQUIRED: "1",
    ...context.env,
    CLAUDE_SUPERVISOR_PID: String(process.pid),
    WATCHDOG_PID: String(watchdog.pid()),
  });
  let args = given;
  try {
    while (true) {
      const ended = await runOnce(program, args, { env: environment(), cwd: context.cwd }, watchdog);
      const prompt = takeRestart(desk());
      if (prompt !== undefined) {
        args = freshArguments(given, prompt);
      } else if (isResuming(args) && ended.code !== 0 && ended.ms < RESUME_MS && ended.signal !== "SIGINT") {
        context.err("hookwright: the conversation could not be resumed; a new one begins.");
        args = freshArguments(args);
      } else {
        return ended.code;
      }
      mendTerminal(ended);
    }
  } finally {
    watchdog.close();
  }
}

/** A session of this wrapper that asked to be started anew; the request is taken back before it is followed. */
function takeRestart(desk: Desk): string | undefined {
  return desk.write((store, save) => {
    for (const dir of store.dirs()) {
      const state = store.get(dir) ?? {};
      const prompt = textIn(state, "restartPrompt");
      const isOurs = pidOf(state) === process.pid;
      if (!isOurs || !flagIn(state, "killRequested") || prompt === "") continue;
      save(dir, restarting(state));
      return prompt;
    }
    return undefined;
  });
}

/** What a wrapper that was killed in between left behind. */
function tellWhatWaits(desk: Desk, { err }: CommandContext): void {
  desk.read((store) => {
    for (const dir of store.dirs()) {
      const state = store.get(dir) ?? {};
      const owner = pidOf(state);
      const isWaiting = flagIn(state, "killRequested") || lifecycleOf(state) === "restarting";
      if (!isWaiting || (owner !== undefined && system.isAlive(owner))) continue;
      err(`hookwright: ${nameOf(dir)} was handed over and waits: engine session continue ${dir}`);
    }
  });
}

interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

async function runOnce(
  program: string,
  args: readonly string[],
  { env, cwd }: Surroundings,
  watchdog: Watchdog,
): Promise<Ended> {
  const started = Date.now();
  const agent = spawn(program, [...args], { stdio: "inherit", env, cwd });
  watchdog.watch(agent.pid);
  const end = (): void => {
    if (agent.pid !== undefined) void endProcess(agent.pid);
  };
  const pass = (name: NodeJS.Signals) => agent.kill(name);
  // Keys reach the agent by themselves; what is sent to the wrapper alone is passed on.
  const ignore = (): void => undefined;
  process.on("SIGINT", ignore).on("SIGQUIT", ignore).on("SIGTERM", pass).on("SIGHUP", pass).on("SIGUSR1", end);
  try {
    return await new Promise<Ended>((resolve, reject) => {
      agent.once("error", (error) => reject(cannotStart(program, error)));
      agent.once("exit", (code, signal) => {
        const number = signal === null ? 0 : 128 + constants.signals[signal];
        resolve({ code: code ?? number, signal, ms: Date.now() - started });
      });
    });
  } finally {
    watchdog.watch(undefined);
    process.off("SIGINT", ignore).off("SIGQUIT", ignore).off("SIGTERM", pass).off("SIGHUP", pass).off("SIGUSR1", end);
  }
}

function cannotStart(program: string, error: Error): HookwrightError {
  return new HookwrightError("HW_RUN_FAILED", { program, detail: error.message }, error);
}

/** An agent that was killed leaves the terminal as it used it. */
function mendTerminal({ signal }: Ended): void {
  if (signal === "SIGKILL" && process.stdin.isTTY) spawnSync("stty", ["sane"], { stdio: "inherit" });
}
