/** One test's private world: home, project, temporary and runtime folders, and nothing of the machine's own settings. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { killIfAlive, type ProgramOutcome, processesStartedWith, runProgram } from "./processes.ts";

const REPOSITORY = resolve(import.meta.dirname, "../..");
const LAUNCHER = join(REPOSITORY, "bin", "hookwright.mjs");
/** Longer socket paths are cut off silently by the system call, so the mistake must be caught here. */
const LONGEST_SOCKET_PATH = 107;

export interface ProgramOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly input?: string;
  readonly talk?: (line: string) => string | "end" | undefined;
  readonly timeoutMs?: number;
}

export class Scratch {
  readonly root = mkdtempSync(join(tmpdir(), "hwe-"));
  readonly home = this.folder("home");
  readonly project = this.folder("project");
  readonly temporary = this.folder("tmp");
  readonly runtime = this.folder("run");
  readonly tmuxFolder = this.folder("tmux");
  /** Where hookwright keeps its own state; created by hookwright, not by us. */
  readonly hookwrightHome = join(this.root, "hookwright");
  readonly userSettings = join(this.home, ".claude", "settings.json");
  readonly projectSettings = join(this.project, ".claude", "settings.json");
  readonly #binaries = this.folder("bin");

  constructor() {
    const longestSocket = join(this.runtime, "hookwright-4294967295", `${"0".repeat(12)}.sock`);
    if (Buffer.byteLength(longestSocket) >= LONGEST_SOCKET_PATH) {
      throw new Error(`TMPDIR is too long for unix sockets: ${longestSocket}`);
    }
    // Project-scope installs call `hookwright` by name, as a global install would provide it; sessions call `engine`.
    for (const name of ["hookwright", "engine"]) {
      const shim = join(this.#binaries, name);
      writeFileSync(shim, `#!/bin/sh\nexec "${process.execPath}" "${join(REPOSITORY, "bin", name)}.mjs" "$@"\n`);
      chmodSync(shim, 0o755);
    }
  }

  /** The whole environment of every program started here; nothing is inherited from the machine. */
  get environment(): Record<string, string> {
    return {
      PATH: [dirname(process.execPath), this.#binaries, "/usr/local/bin", "/usr/bin", "/bin"].join(delimiter),
      HOME: this.home,
      TERM: "xterm-256color",
      LANG: "C.UTF-8",
      SHELL: "/bin/bash",
      TMPDIR: this.temporary,
      XDG_RUNTIME_DIR: this.runtime,
      TMUX_TMPDIR: this.tmuxFolder,
      HOOKWRIGHT_HOME: this.hookwrightHome,
    };
  }

  run(command: string, args: readonly string[], options: ProgramOptions = {}): Promise<ProgramOutcome> {
    return runProgram({
      command,
      args,
      cwd: options.cwd ?? this.project,
      env: { ...this.environment, ...options.env },
      ...(options.input === undefined ? {} : { input: options.input }),
      ...(options.talk === undefined ? {} : { talk: options.talk }),
      ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
    });
  }

  hookwright(args: readonly string[], options: ProgramOptions = {}): Promise<ProgramOutcome> {
    return this.run(process.execPath, [LAUNCHER, ...args], options);
  }

  /** A file under a folder of this scratch, with the folders it needs. */
  write(path: string, content: string, mode = 0o644): string {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content, { mode });
    return path;
  }

  /** Ends everything that was started here, by process id, and removes the folders. */
  async dispose(): Promise<void> {
    const ours = [`HOME=${this.home}`, `HOOKWRIGHT_HOME=${this.hookwrightHome}`];
    const running = (): number[] => processesStartedWith(ours, this.hookwrightHome);
    // Asked politely first, so that a daemon's orderly exit is exercised by every test.
    if (running().length > 0) await this.hookwright(["daemon", "stop"]);
    for (const pid of running()) killIfAlive(pid);
    if (process.env.HOOKWRIGHT_E2E_KEEP === "1") {
      process.stderr.write(`kept ${this.root}\n`);
      return;
    }
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }

  /** A folder of this scratch that only its owner may enter. */
  folder(name: string): string {
    const path = join(this.root, name);
    mkdirSync(path, { mode: 0o700 });
    return path;
  }
}
