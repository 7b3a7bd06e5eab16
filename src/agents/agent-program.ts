import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const ASK_MS = 5_000;

/** Is a program of this name on the PATH? */
export function programOnPath(name: string, env: NodeJS.ProcessEnv): boolean {
  return (env.PATH ?? "")
    .split(path.delimiter)
    .some((folder) => folder !== "" && fs.existsSync(path.join(folder, name)));
}

/** The version that `PROGRAM --version` prints; undefined when it is not on the PATH or does not answer. */
export function versionOf(program: string, env: NodeJS.ProcessEnv): string | undefined {
  const asked = spawnSync(program, ["--version"], {
    env,
    encoding: "utf8",
    timeout: ASK_MS,
    stdio: ["ignore", "pipe", "ignore"],
  });
  return /\d+\.\d+\.\d+/.exec(asked.stdout ?? "")?.[0];
}
