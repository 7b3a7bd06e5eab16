/** One test's private world: its own homes, project, runtime directory and daemon, and nothing of the machine's. */
import fs from "node:fs";
import path from "node:path";
import { daemonPaths } from "../../src/daemon/paths.ts";
import { type Answer, killByPid, processesWith, Running, type StartOptions, sleep } from "./processes.ts";

const REPOSITORY = path.resolve(import.meta.dirname, "../..");
export const DIST = path.join(REPOSITORY, "dist");
export const LAUNCHER = path.join(REPOSITORY, "bin", "hookwright.mjs");

export type ClientKind = "c" | "node";

/** How an event travels: by which client, and whether a daemon may answer it. */
export interface Route {
  readonly client: ClientKind;
  readonly daemon: boolean;
}

/** Why the compiled client cannot be used here; empty when it can. */
export const noCompiledClient = fs.existsSync(path.join(DIST, "hook"))
  ? ""
  : "dist/hook is missing, so what needs the compiled client is skipped (no C compiler when dist was built?)";

export const CLIENTS: readonly ClientKind[] = ["c", "node"];

export function isMissing(client: ClientKind): boolean {
  return client === "c" && noCompiledClient !== "";
}

if (noCompiledClient !== "") console.log(noCompiledClient);

export interface SendOptions extends Partial<Omit<StartOptions, "input">> {
  readonly args?: readonly string[];
}

export type Payload = Readonly<Record<string, unknown>> | string | Buffer;

export class World {
  /** Short, because socket paths must be. */
  readonly root = fs.mkdtempSync("/tmp/hw-");
  readonly userHome = this.folder("user");
  readonly project = this.folder("project");
  readonly temporary = this.folder("tmp");
  readonly runtime = this.folder("run");
  readonly home: string;
  readonly #running: Running[] = [];

  /** Whose processes run here; undefined means the user who runs the tests. */
  readonly uid: number | undefined;

  constructor(options: { readonly home?: string; readonly uid?: number | undefined } = {}) {
    this.home = path.join(this.root, options.home ?? "hw");
    this.uid = options.uid;
    fs.mkdirSync(path.join(this.project, ".git"));
    if (this.uid === undefined) return;
    for (const name of ["", ...fs.readdirSync(this.root, { recursive: true, encoding: "utf8" })]) {
      fs.chownSync(path.join(this.root, name), this.uid, this.uid);
    }
  }

  get database(): string {
    return path.join(this.home, "state.db");
  }

  get build(): string {
    return (JSON.parse(fs.readFileSync(path.join(DIST, "build.json"), "utf8")) as { build: string }).build;
  }

  get socket(): string {
    return daemonPaths(this.build, this.home, this.environment, this.uid ?? process.getuid?.() ?? 0).socket;
  }

  /** Everything a process here inherits. There is no program on its PATH, so none of the machine's answers. */
  get environment(): Record<string, string> {
    return {
      PATH: path.join(this.root, "no-programs"),
      HOME: this.userHome,
      LANG: "C.UTF-8",
      TMPDIR: this.temporary,
      XDG_RUNTIME_DIR: this.runtime,
      HOOKWRIGHT_HOME: this.home,
    };
  }

  command(route: Route): string[] {
    const client = route.client === "c" ? [path.join(DIST, "hook")] : [process.execPath, path.join(DIST, "hook.cjs")];
    return route.daemon ? client : [...client, "--no-daemon"];
  }

  start(command: readonly string[], options: Partial<StartOptions> = {}): Running {
    const env = { ...this.environment, ...options.env };
    const owner = this.uid === undefined ? {} : { uid: this.uid };
    const running = new Running(command, { ...owner, ...options, cwd: options.cwd ?? this.project, env });
    this.#running.push(running);
    return running;
  }

  /** Starts a client on an event without waiting for its answer. */
  begin(payload: Payload, route: Route, options: SendOptions = {}): Running {
    const { args = [], ...rest } = options;
    const input = typeof payload === "string" || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload);
    return this.start([...this.command(route), ...args], { ...rest, input });
  }

  send(payload: Payload, route: Route, options: SendOptions = {}): Promise<Answer> {
    return this.begin(payload, route, options).ended;
  }

  hookwright(...args: string[]): Promise<Answer> {
    return this.start([process.execPath, LAUNCHER, ...args]).ended;
  }

  /** Without the marker no crash point stops anybody. */
  allowCrashPoints(): void {
    fs.mkdirSync(this.home, { recursive: true, mode: 0o700 });
    fs.writeFileSync(path.join(this.home, "crash-points-allowed"), "");
  }

  /** Returns once it listens. A crash point, even one that does not exist, leaves out the warm-up, which takes a core for two seconds. */
  async startDaemon(env: Readonly<Record<string, string>> = {}): Promise<Running> {
    const daemon = this.start([process.execPath, path.join(DIST, "daemon.cjs")], {
      cwd: "/",
      env: { HOOKWRIGHT_DAEMON_LOG: "stderr", HOOKWRIGHT_CRASH_POINT: "none", ...env },
      limitMs: 300_000,
    });
    await daemon.sees("stderr", /listening on/);
    return daemon;
  }

  /** Ends what this world started, and the daemons its clients started, by process id; then removes its folders. */
  async dispose(): Promise<void> {
    for (const running of this.#running) running.kill();
    await Promise.allSettled(this.#running.map((running) => running.ended));
    const ours = `HOOKWRIGHT_HOME=${this.home}`;
    // A client may have been killed between its fork and the daemon's start: look until nothing new appears.
    const looks = this.#running.length > 0 ? 2 : 1;
    for (let quiet = 0; quiet < looks; ) {
      const pids = processesWith(ours);
      for (const pid of pids) killByPid(pid);
      quiet = pids.length === 0 ? quiet + 1 : 0;
      if (quiet < looks) await sleep(5);
    }
    fs.rmSync(this.root, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }

  /** As after a fresh install. Nothing may be running. */
  forgetState(): void {
    fs.rmSync(this.home, { recursive: true, force: true });
  }

  /** A folder that only its owner may enter. */
  folder(name: string): string {
    const folder = path.join(this.root, name);
    fs.mkdirSync(folder, { mode: 0o700 });
    return folder;
  }
}
