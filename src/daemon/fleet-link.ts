import { type ChildProcess, spawn } from "node:child_process";
import os from "node:os";
import path from "node:path";
import { describe } from "../core/errors.ts";
import { connectionFile } from "../fleet/connection/files.ts";
import { system } from "../system/system.ts";

/** How often the daemon checks whether the machine was connected or disconnected. */
const LOOK_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;
/** Hooks come first. */
const PRIORITY = 10;
/** It says goodbye to the server; a stuck one is killed then. */
const GOODBYE_MS = 3_000;

/** Keeps the link to the fleet running while this machine is connected: a process of its own, so that no hook waits for it. */
export function fleetLink(home: string, folder: string, log: (line: string) => void): { stop(): void } {
  const file = connectionFile(folder);
  let link: ChildProcess | undefined;
  let stamp = "";
  let pause = LOOK_MS;
  let notBefore = 0;

  function look(): void {
    const found = system.stamp(file) ?? "";
    if (found !== stamp) {
      end();
      notBefore = 0;
      pause = LOOK_MS;
    }
    stamp = found;
    if (stamp !== "" && !link && Date.now() >= notBefore) start();
  }

  function start(): void {
    const program = path.join(__dirname, "fleet-link.cjs");
    const started = spawn(process.execPath, ["--max-semi-space-size=4", program, home], {
      stdio: ["pipe", "ignore", "ignore"],
      cwd: "/",
      env: { HOME: os.homedir(), PATH: process.env.PATH ?? "" },
    });
    link = started;
    started.once("error", (error) => log(`fleet: ${describe(error)}`));
    started.stdin?.on("error", () => undefined);
    started.once("exit", () => {
      if (link !== started) return;
      link = undefined;
      notBefore = Date.now() + pause;
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
    });
    try {
      if (started.pid !== undefined) os.setPriority(started.pid, PRIORITY);
    } catch (error) {
      log(`fleet: the priority stays: ${describe(error)}`);
    }
  }

  function end(): void {
    const ended = link;
    link = undefined;
    ended?.stdin?.end();
    const kill = setTimeout(() => ended?.kill("SIGKILL"), GOODBYE_MS);
    kill.unref();
    ended?.once("exit", () => clearTimeout(kill));
  }

  const timer = setInterval(look, LOOK_MS);
  look();
  return {
    stop() {
      clearInterval(timer);
      end();
    },
  };
}
