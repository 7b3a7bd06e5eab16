import { spawnSync } from "node:child_process";

const ASK_MS = 5_000;

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
