import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

/** One stub that really ran. */
export interface Execution {
  readonly argv: readonly string[];
  readonly cwd: string;
}

export interface Run {
  readonly status: number;
  readonly executions: readonly Execution[];
  /** Files that exist afterwards, absolute. */
  readonly files: readonly string[];
  /** Where the line ran. */
  readonly cwd: string;
}

/** Programs that the lines may use as they are; everything else on the path is a stub. */
const REAL = ["bash", "cat", "env", "find", "nice", "nohup", "stdbuf", "timeout", "xargs"];
const STUBS: Readonly<Record<string, number>> = { ok1: 0, ok2: 0, ok3: 0, fail1: 1, fail2: 3, say: 0 };

export function findBash(): string | undefined {
  const found = spawnSync("bash", ["-c", "command -v bash"], { encoding: "utf8" });
  return found.status === 0 ? found.stdout.trim() : undefined;
}

/** Runs lines in bash with nothing but stubs and a few harmless programs to start. */
export class RealBash {
  readonly #root: string;
  readonly #bin: string;
  #runs = 0;

  constructor(root: string) {
    this.#root = root;
    this.#bin = path.join(root, "bin");
    fs.mkdirSync(this.#bin, { recursive: true });
    const here = (process.env.PATH ?? "").split(":");
    for (const name of REAL) {
      const found = here.map((folder) => path.join(folder, name)).find((file) => fs.existsSync(file));
      if (found) fs.symlinkSync(found, path.join(this.#bin, name));
    }
    for (const [name, status] of Object.entries(STUBS))
      fs.writeFileSync(path.join(this.#bin, name), stub(name, status), { mode: 0o755 });
  }

  /** Whether bash takes the line for valid, without running it. */
  accepts(line: string): boolean {
    return spawnSync(path.join(this.#bin, "bash"), ["-n", "-c", line], { stdio: "ignore" }).status === 0;
  }

  async run(line: string): Promise<Run> {
    const room = path.join(this.#root, String(this.#runs++));
    const cwd = path.join(room, "cwd");
    const log = path.join(room, "log");
    fs.mkdirSync(path.join(cwd, "sub/deep"), { recursive: true });
    fs.mkdirSync(log);
    const env = {
      PATH: this.#bin,
      HOME: path.join(room, "home"),
      STUB_LOG: log,
      OUTSIDE: "from outside",
      LC_ALL: "C.UTF-8",
    };
    const child = spawn(path.join(this.#bin, "bash"), ["--norc", "--noprofile", "-c", line], {
      cwd,
      env,
      stdio: "ignore",
    });
    const late = setTimeout(() => child.kill("SIGKILL"), 20_000);
    const status = await new Promise<number>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (code) => resolve(code ?? -1));
    });
    clearTimeout(late);
    return { status, executions: readLog(log), files: filesBelow(cwd), cwd };
  }
}

/** Each run of a stub writes a file of its own, so that two at once never mix. */
function stub(name: string, status: number): string {
  const say = name === "say" ? 'printf "%s\\n" "$*"\n' : "";
  return `#!/bin/sh\nprintf '%s\\0' "$PWD" ${name} "$@" end > "$STUB_LOG/$$"\n${say}exit ${status}\n`;
}

function readLog(folder: string): Execution[] {
  return fs.readdirSync(folder).flatMap((file) => {
    const [cwd = "", ...argv] = fs.readFileSync(path.join(folder, file), "utf8").split("\0").slice(0, -1);
    // One in the background may still be writing.
    return argv.at(-1) === "end" ? [{ argv: argv.slice(0, -1), cwd }] : [];
  });
}

function filesBelow(folder: string): string[] {
  const entries = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}
