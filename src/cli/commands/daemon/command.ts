import { spawn } from "node:child_process";
import { HookwrightError } from "../../../core/errors.ts";
import type { CliCommand } from "../../command.ts";
import { distFolder, homeOf } from "../../installation/current-build.ts";
import { askDaemon, daemonArguments, daemonEnvironment, startDaemon } from "../../state/daemon-client.ts";

export const daemonCommand: CliCommand = {
  name: "daemon",
  summary: "Runs, starts, stops or shows the daemon: a background process that makes hooks fast.",
  usage: "daemon run|start|stop|status [--json]",
  details:
    "Hooks start the daemon when they need it, and decide without it when it does not run, so you rarely need this.",
  allowPositionals: true,
  options: { json: { type: "boolean", description: "Print the status as JSON." } },
  async run({ args, options, env, out, err }) {
    const home = homeOf(env);
    const [action] = args;
    const show = (status: object & { running: boolean }, text: string): void =>
      out(options.json ? JSON.stringify(status) : text);
    switch (action) {
      case "run":
        return runInForeground(daemonEnvironment(home, env), env);
      case "start": {
        const before = await askDaemon(home, env, "status");
        const status = before.running ? before : await startDaemon(home, env);
        if (!status.running) {
          err("The daemon did not start. Run `hookwright daemon run` to see why.");
          return 1;
        }
        show(status, before.running ? `Already running (pid ${status.pid}).` : `Started (pid ${status.pid}).`);
        return 0;
      }
      case "stop": {
        const status = await askDaemon(home, env, "stop");
        if (status.running) await waitUntilGone(status.pid);
        show({ running: false }, status.running ? `Stopped (pid ${status.pid}).` : "No daemon is running.");
        return 0;
      }
      case "status": {
        const status = await askDaemon(home, env, "status");
        show(status, status.running ? `Running (pid ${status.pid}), ${status.events} requests.` : "Not running.");
        return 0;
      }
      default:
        throw new HookwrightError("HW_USAGE", {
          detail: "Give `run`, `start`, `stop` or `status`.",
          command: "daemon",
        });
    }
  },
};

function runInForeground(environment: NodeJS.ProcessEnv, env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(process.execPath, daemonArguments(distFolder), {
    stdio: "inherit",
    env: { ...environment, HOOKWRIGHT_DAEMON_LOG: "stderr", ...crashPointOf(env) },
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => child.on("exit", (code) => resolve(code ?? 1)));
}

/** Passes on the crash point that tests set; see engine/crash-point.ts. */
function crashPointOf(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return env.HOOKWRIGHT_CRASH_POINT === undefined ? {} : { HOOKWRIGHT_CRASH_POINT: env.HOOKWRIGHT_CRASH_POINT };
}

async function waitUntilGone(pid: number | undefined): Promise<void> {
  for (let waited = 0; pid !== undefined && waited < 5_000; waited += 20) {
    try {
      process.kill(pid, 0);
    } catch {
      // The signal could not be delivered: the process has ended.
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
