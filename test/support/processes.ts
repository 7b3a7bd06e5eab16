/** Real processes: started with a deadline, watched while they run, ended by their id and never by their name. */
import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";

export interface Answer {
  readonly exit: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly pid: number;
  /** From the start of the process to its end. */
  readonly ms: number;
}

export interface StartOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly input?: string | Buffer;
  /** Leaves standard input open after `input`, like an agent that forgets to close its pipe. */
  readonly keepOpen?: boolean;
  /** Another user, where the tests run as root and permissions would otherwise mean nothing. */
  readonly uid?: number;
  readonly limitMs?: number;
}

/** When a test gives up; long, because the machine may be busy with ten other things. */
const LIMIT_MS = 60_000;

export class Running {
  readonly pid: number;
  readonly ended: Promise<Answer>;
  readonly #child: ChildProcess;
  #stdout = "";
  #stderr = "";
  #changed: () => void = () => undefined;

  constructor(command: readonly string[], options: StartOptions) {
    const [program = "", ...args] = command;
    const started = performance.now();
    const owner = options.uid === undefined ? {} : { uid: options.uid, gid: options.uid };
    this.#child = spawn(program, args, { cwd: options.cwd, env: options.env, stdio: "pipe", ...owner });
    if (this.#child.pid === undefined) throw new Error(`${program} could not be started`);
    this.pid = this.#child.pid;
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.#stdout += text;
      this.#changed();
    });
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr += text;
      this.#changed();
    });
    // A program may end without reading its input; how it ended is what the tests look at.
    this.#child.stdin?.on("error", () => undefined);
    if (options.input !== undefined) this.#child.stdin?.write(options.input);
    if (!options.keepOpen) this.#child.stdin?.end();
    this.ended = new Promise((resolve, reject) => {
      const limit = setTimeout(() => {
        this.kill();
        reject(new Error(`${command.join(" ")} did not end in time\n${this.#stdout}\n${this.#stderr}`));
      }, options.limitMs ?? LIMIT_MS);
      this.#child.once("error", reject);
      this.#child.once("close", (exit, signal) => {
        clearTimeout(limit);
        const ms = Math.round(performance.now() - started);
        this.#changed();
        resolve({ exit, signal, stdout: this.#stdout, stderr: this.#stderr, pid: this.pid, ms });
      });
    });
    // Whoever asks for the end later still sees the rejection; until then it is nobody's unhandled one.
    this.ended.catch(() => undefined);
  }

  get stdout(): string {
    return this.#stdout;
  }

  get stderr(): string {
    return this.#stderr;
  }

  /** Fails when the process ends first. */
  async sees(stream: "stdout" | "stderr", pattern: RegExp, limitMs = LIMIT_MS): Promise<RegExpExecArray> {
    const until = performance.now() + limitMs;
    while (true) {
      const found = pattern.exec(stream === "stdout" ? this.#stdout : this.#stderr);
      if (found) return found;
      const hasEnded = this.#child.exitCode !== null || this.#child.signalCode !== null;
      if (hasEnded || performance.now() > until) {
        const why = hasEnded ? "ended" : "went on";
        throw new Error(`${why} without ${pattern} on ${stream}:\n${this.#stdout}\n${this.#stderr}`);
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 50);
        this.#changed = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  kill(signal: NodeJS.Signals = "SIGKILL"): void {
    if (this.#child.exitCode === null && this.#child.signalCode === null) process.kill(this.pid, signal);
  }
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Why processes cannot be found by what they carry; empty when they can. */
export const noProcessList = fs.existsSync("/proc/self/environ")
  ? ""
  : "there is no /proc, so tests that count processes are skipped";

/** Processes that carry this environment entry: a scratch path only one test knows, so that test started them. */
export function processesWith(entry: string): number[] {
  if (!fs.existsSync("/proc/self/environ")) return [];
  return fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => listOf(`/proc/${pid}/environ`, entry).includes(entry))
    .map(Number);
}

export function argumentsOf(pid: number): string[] {
  return listOf(`/proc/${pid}/cmdline`);
}

/** Empty for a process that has ended meanwhile or belongs to somebody else, and where `wanted` is nowhere in the bytes. */
function listOf(file: string, wanted = ""): string[] {
  try {
    const bytes = fs.readFileSync(file);
    return bytes.includes(wanted) ? bytes.toString("utf8").split("\0") : [];
  } catch (error) {
    if (["ENOENT", "ESRCH", "EACCES", "EPERM"].includes(codeOf(error))) return [];
    throw error;
  }
}

export function killByPid(pid: number, signal: NodeJS.Signals = "SIGKILL"): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (codeOf(error) !== "ESRCH") throw error;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
