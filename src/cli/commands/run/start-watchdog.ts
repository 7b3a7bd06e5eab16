import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { distFolder } from "../../installation/current-build.ts";

export interface Watchdog {
  pid(): number;
  /** Tells the watchdog the agent's process; undefined while there is none. */
  watch(agent: number | undefined): void;
  close(): void;
}

/** Starts a watchdog process, and starts another one whenever it ends. */
export async function startWatchdog(): Promise<Watchdog> {
  let agent: number | undefined;
  let isClosed = false;
  let current = await start();

  function say(): void {
    current.stdin?.write(agent === undefined ? "gone\n" : `agent ${agent}\n`);
  }

  async function start(): Promise<ChildProcess> {
    const child = spawn(process.execPath, [path.join(distFolder, "watchdog.cjs")], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    // A write to an ended watchdog fails; its replacement gets the same message again.
    child.stdin?.on("error", () => undefined);
    await new Promise<void>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", () => reject(new Error("the watchdog did not start")));
      child.stdout?.once("data", () => resolve());
    });
    child.stdout?.destroy();
    child.removeAllListeners("exit");
    child.once("exit", () => void replace());
    child.unref();
    return child;
  }

  async function replace(): Promise<void> {
    if (isClosed) return;
    current = await start();
    say();
  }

  return {
    pid: () => current.pid ?? 0,
    watch(next) {
      agent = next;
      say();
    },
    close() {
      isClosed = true;
      current.stdin?.end();
    },
  };
}
