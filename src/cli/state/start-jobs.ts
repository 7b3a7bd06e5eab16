import { spawn } from "node:child_process";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { CommandContext } from "../command.ts";
import { distFolder } from "../installation/installation.ts";

/** Runs durable work in a process of its own, which lives on when this one, or the agent around it, is ended. */
export function startJobs({ env }: Pick<CommandContext, "env">, ids: readonly number[]): void {
  // The command line's file only defines; starting it by its own name would do nothing.
  const cli = pathToFileURL(path.join(distFolder, "cli.mjs")).href;
  const run = `import(${JSON.stringify(cli)}).then(({ main }) => main(process.argv.slice(1)))`;
  spawn(process.execPath, ["-e", run, "job", ...ids.map(String)], {
    cwd: "/",
    detached: true,
    stdio: "ignore",
    env,
  }).unref();
}
