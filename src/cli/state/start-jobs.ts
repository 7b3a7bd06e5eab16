import { spawn } from "node:child_process";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { CommandContext } from "../command.ts";
import { distFolder } from "../installation/current-build.ts";

/** Runs jobs in a detached process, which continues when this process or its agent ends. */
export function startJobs({ env }: Pick<CommandContext, "env">, ids: readonly number[]): void {
  // cli.mjs only exports `main`; running the file itself would do nothing.
  const cli = pathToFileURL(path.join(distFolder, "cli.mjs")).href;
  const run = `import(${JSON.stringify(cli)}).then(({ main }) => main(process.argv.slice(1)))`;
  spawn(process.execPath, ["-e", run, "job", ...ids.map(String)], {
    cwd: "/",
    detached: true,
    stdio: "ignore",
    env,
  }).unref();
}
