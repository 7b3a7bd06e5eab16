export interface ProgramRun {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly ms: number;
}

export interface ProgramEnd {
  /** How it ended: its exit code or the signal that ended it; `late` at the deadline, `missing` if it did not start. */
  readonly how: number | NodeJS.Signals | "late" | "missing";
  /** The beginning of what it printed, to either stream. */
  readonly output: string;
}

const MOST_BYTES = 64 * 1024;

/** Runs a program without a shell and without input. At the deadline all that it has started is ended as well. */
export function runProgram(
  program: string,
  args: readonly string[],
  { cwd, env, ms }: ProgramRun,
): Promise<ProgramEnd> {
  const { spawn } = process.getBuiltinModule("node:child_process");
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    const chunks: Buffer[] = [];
    let bytes = 0;
    const keep = (chunk: Buffer): void => {
      if (bytes < MOST_BYTES) chunks.push(chunk);
      bytes += chunk.length;
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      endGroup(child.pid);
    }, ms);
    const end = (how: ProgramEnd["how"]): void => {
      clearTimeout(timer);
      resolve({ how, output: Buffer.concat(chunks).subarray(0, MOST_BYTES).toString() });
    };
    child.on("error", () => end("missing"));
    child.on("close", (code, signal) => end(isLate ? "late" : (code ?? signal ?? "missing")));
  });
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    // It has ended by itself.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
