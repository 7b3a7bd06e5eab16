/** Starting programs with a deadline, and finding again the ones that outlive their parent. */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface ProgramRun {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Called with every line it prints: what to send to it, or `end` when it has heard enough. */
  readonly talk?: (line: string) => string | "end" | undefined;
  readonly timeoutMs?: number;
}

export interface ProgramOutcome {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const DEFAULT_TIMEOUT_MS = 30_000;

/** Runs a program in a process group of its own, so that a timeout ends what it started and nothing else. */
export function runProgram(run: ProgramRun): Promise<ProgramOutcome> {
  const timeoutMs = run.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  return new Promise((resolve, reject) => {
    const child = spawn(run.command, run.args, { cwd: run.cwd, env: run.env, detached: true, stdio: "pipe" });
    let stdout = "";
    let stderr = "";
    let timedOut = false;
    let answered = 0;
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      const { talk } = run;
      if (!talk) return;
      const lines = stdout.split("\n").slice(0, -1);
      for (const line of lines.slice(answered)) {
        const reply = talk(line);
        if (reply === "end") child.stdin.end();
        else if (reply !== undefined) child.stdin.write(`${reply}\n`);
      }
      answered = lines.length;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    const deadline = setTimeout(() => {
      timedOut = true;
      if (child.pid !== undefined) killIfAlive(-child.pid);
      // Something outside the group may still hold the pipes open, and waiting for it would hide the timeout.
      child.stdout.destroy();
      child.stderr.destroy();
    }, timeoutMs);
    child.once("error", (error) => {
      clearTimeout(deadline);
      reject(error);
    });
    child.once("close", (exitCode) => {
      clearTimeout(deadline);
      if (!timedOut) {
        resolve({ exitCode, stdout, stderr });
        return;
      }
      const line = [run.command, ...run.args].join(" ");
      const state = exitCode === null ? "did not end" : `ended (${exitCode}) but something kept its output open`;
      reject(new Error(`${line} ${state} within ${timeoutMs} ms\nstdout: ${stdout}\nstderr: ${stderr}`));
    });
    // A program may end without reading its input; that is its right and no failure of the run.
    child.stdin.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") reject(error);
    });
    if (run.talk) child.stdin.write(run.input ?? "");
    else child.stdin.end(run.input ?? "");
  });
}

function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}

/** A killed process that its new parent has not collected yet still answers signals, so its state is asked instead. */
export function isAlive(pid: number): boolean {
  const status = readProcessFile(pid, "status");
  return status !== "" && !/^State:\s+[ZX]/m.test(status);
}

export function killIfAlive(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if (errorCode(error) !== "ESRCH") throw error;
  }
}

/** A process may end, or belong to someone else, between listing and reading it: then it is none of ours. */
function readProcessFile(pid: number, name: "environ" | "cmdline" | "status"): string {
  try {
    return readFileSync(join("/proc", String(pid), name), "utf8");
  } catch (error) {
    if (["ENOENT", "ESRCH", "EACCES", "EPERM"].includes(errorCode(error) ?? "")) return "";
    throw error;
  }
}

/**
 * The processes started with one of these environment entries, or from this folder of programs. The entries name a scratch folder that only one test
 * knows, so a process that has them was started by that test, however far it has detached itself since.
 */
export function processesStartedWith(entries: readonly string[], scratchProgramFolder: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid)
    .filter((pid) => {
      const environment = readProcessFile(pid, "environ").split("\0");
      if (entries.some((entry) => environment.includes(entry))) return true;
      const commandLine = readProcessFile(pid, "cmdline").split("\0");
      return commandLine.some((argument) => argument.startsWith(`${scratchProgramFolder}/`));
    });
}
