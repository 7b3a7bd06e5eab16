import { type StdioOptions, spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import { constants } from "node:os";
import path from "node:path";
import { Readable, type Writable } from "node:stream";
import { HookwrightError } from "../../../core/errors.ts";
import { pendingHandover } from "../../../domain/session/handover/handover.ts";
import { withRestarting } from "../../../domain/session/handover/restart.ts";
import { sessionName } from "../../../domain/session/sessions.ts";
import { flagIn, lifecycleOf, pidOf, textIn } from "../../../domain/session/state.ts";
import { type CrashPoint, crashPoint } from "../../../system/crash-point.ts";
import { system } from "../../../system/system.ts";
import type { CommandContext } from "../../command.ts";
import { homeOf } from "../../installation/current-build.ts";
import { openSessionAccess, type SessionAccess } from "../session/session-access.ts";
import { readHandoverDocument } from "../session/take-handover.ts";
import { freshArguments, isResuming } from "./agent-arguments.ts";
import { endProcess } from "./end-process.ts";
import { restartAbandonedJobs } from "./restart-abandoned-jobs.ts";
import { startWatchdog, type Watchdog } from "./start-watchdog.ts";

/** An agent that cannot resume its conversation ends within this time. */
const RESUME_MS = 5_000;

interface Ended {
  readonly code: number;
  readonly signal: NodeJS.Signals | null;
  readonly ms: number;
}

/** Runs the agent, and again whenever its session requests a restart. Returns its exit code. */
export async function runAgent(context: CommandContext, program: string, given: readonly string[]): Promise<number> {
  const access = (): SessionAccess => openSessionAccess(context, Readable.from([]));
  const file = programPath(program, context);
  reportPendingHandovers(access(), context);
  const watchdog = await startWatchdog();
  const stopLooking = restartAbandonedJobs(context);
  const environment = (): NodeJS.ProcessEnv => ({
    SESSION_REQUIRED: "1",
    ...context.env,
    CLAUDE_SUPERVISOR_PID: String(process.pid),
    WATCHDOG_PID: String(watchdog.pid()),
  });
  const { root } = homeOf(context.env);
  const reached = (point: CrashPoint): void => crashPoint(root, point);
  let args = given;
  try {
    while (true) {
      const ended = await runOnce(file, args, { env: environment(), cwd: context.cwd, reached }, watchdog);
      reached("agent-ended");
      const prompt = takeRestart(access());
      if (prompt !== undefined) {
        reached("restart-taken");
        args = freshArguments(given, prompt);
      } else if (isResuming(args) && ended.code !== 0 && ended.ms < RESUME_MS && ended.signal !== "SIGINT") {
        context.err("hookwright: the conversation could not be resumed; a new one is started.");
        args = freshArguments(args);
      } else {
        // Reports a hand-over that the agent got but never used, because it ended too early.
        reportPendingHandovers(access(), context, process.pid);
        return ended.code;
      }
      resetTerminal(ended);
    }
  } finally {
    stopLooking();
    watchdog.close();
  }
}

/** The prompt of a requested restart of a session of this process. The request is cleared before it is carried out. */
function takeRestart(access: SessionAccess): string | undefined {
  return access.write((store, save) => {
    for (const dir of store.dirs()) {
      const state = store.get(dir) ?? {};
      const prompt = textIn(state, "restartPrompt");
      const isOurs = pidOf(state) === process.pid;
      if (!isOurs || !flagIn(state, "killRequested") || prompt === "") continue;
      save(dir, withRestarting(state));
      return prompt;
    }
    return undefined;
  });
}

/** Reports sessions with a pending hand-over: of an earlier run that was killed, or of this one when it ends. */
function reportPendingHandovers(access: SessionAccess, { err }: CommandContext, ending?: number): void {
  access.read((store) => {
    for (const dir of store.dirs()) {
      const state = store.get(dir) ?? {};
      const owner = pidOf(state);
      if (ending !== undefined ? owner !== ending : owner !== undefined && system.isAlive(owner)) continue;
      const isLeaving = flagIn(state, "killRequested") || lifecycleOf(state) === "restarting";
      if (!isLeaving && !pendingHandover(state, readHandoverDocument(dir))) continue;
      err(`hookwright: ${sessionName(dir)} was handed over. To continue it, run: engine session continue ${dir}`);
    }
  });
}

interface AgentEnvironment {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  reached(point: CrashPoint): void;
}

/** A shell that waits for a line and then becomes the agent. Without a line, as after a killed wrapper, it exits. */
const WAIT_FOR_LINE = 'read -r word <&3 || exit 1; exec 3<&- "$@"';

async function runOnce(
  program: string,
  args: readonly string[],
  { env, cwd, reached }: AgentEnvironment,
  watchdog: Watchdog,
): Promise<Ended> {
  const started = Date.now();
  const stdio: StdioOptions = ["inherit", "inherit", "inherit", "pipe"];
  const agent = spawn("/bin/sh", ["-c", WAIT_FOR_LINE, "hookwright", program, ...args], { stdio, env, cwd });
  reached("agent-started");
  // The watchdog must know the agent before it runs; otherwise the agent would survive when this process is killed.
  watchdog.watch(agent.pid);
  releaseAgent(agent.stdio[3] as Writable);
  const end = (): void => {
    if (agent.pid !== undefined) void endProcess(agent.pid);
  };
  const pass = (name: NodeJS.Signals) => agent.kill(name);
  // The terminal sends key signals to the agent directly; signals to this process only are passed on.
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

function releaseAgent(gate: Writable): void {
  // The write fails when the agent was ended before it started.
  gate.on("error", () => undefined);
  gate.end("go\n");
}

function cannotStart(program: string, error: Error): HookwrightError {
  return new HookwrightError("HW_RUN_FAILED", { program, detail: error.message }, error);
}

/** The program's path. Searched here, because the shell's error message would look like output of the agent. */
function programPath(program: string, { env, cwd }: CommandContext): string {
  const folders = program.includes("/") ? [""] : (env.PATH ?? "").split(path.delimiter);
  const files = folders.map((folder) => path.resolve(cwd, folder, program));
  const found = files.find((file) => isExecutable(file));
  if (found === undefined) throw new HookwrightError("HW_RUN_FAILED", { program, detail: "there is no such program" });
  return found;
}

function isExecutable(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch (error) {
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}

/** A killed agent cannot restore the terminal's settings. */
function resetTerminal({ signal }: Ended): void {
  if (signal === "SIGKILL" && process.stdin.isTTY) spawnSync("stty", ["sane"], { stdio: "inherit" });
}
