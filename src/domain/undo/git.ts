import type { Readable } from "node:stream";
import { GIT_QUERY_ENVIRONMENT } from "../git-loss.ts";

export interface GitOptions {
  readonly input?: Uint8Array;
  /** Input that is generated while git reads it. */
  readonly stream?: Readable;
  readonly env?: Readonly<Record<string, string>>;
  /** Exit codes besides 0 that count as success. */
  readonly alsoFine?: readonly number[];
}

/** Runs git in one repository. The output is bytes, because file names need not be valid text. */
export type Git = (args: readonly string[], options?: GitOptions) => Promise<Buffer>;

export class GitFailed extends Error {}

export interface GitLocation {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Git with the person's settings, but without hooks and prompts, and without `GIT_*` variables of the caller's shell. */
export function gitIn({ folder, env, signal }: GitLocation, settings: readonly string[] = []): Git {
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("GIT_")));
  return (args, { input, stream, env: more, alsoFine = [] } = {}) =>
    new Promise((resolve, reject) => {
      const { spawn } = process.getBuiltinModule("node:child_process");
      const child = spawn("git", ["-C", folder, "-c", "core.hooksPath=/dev/null", ...settings, ...args], {
        env: { ...own, ...GIT_QUERY_ENVIRONMENT, ...more },
        stdio: ["pipe", "pipe", "pipe"],
        killSignal: "SIGKILL",
        ...(signal && { signal }),
      });
      const out: Buffer[] = [];
      const err: Buffer[] = [];
      child.stdout.on("data", (bytes: Buffer) => out.push(bytes));
      child.stderr.on("data", (bytes: Buffer) => err.push(bytes));
      // When git stops reading its input early, its exit code says why.
      child.stdin.on("error", () => stream?.destroy());
      if (!stream) child.stdin.end(input);
      stream?.on("error", (error) => {
        child.kill("SIGKILL");
        reject(error);
      });
      stream?.pipe(child.stdin);
      child.on("error", reject);
      child.on("close", (code) => {
        if (code === 0 || (code !== null && alsoFine.includes(code))) resolve(Buffer.concat(out));
        else reject(new GitFailed(`git ${args[0]}: ${Buffer.concat(err).toString().trim() || `ended with ${code}`}`));
      });
    });
}

/** Splits the output of `-z` into names with one character for each byte. */
export function zeroSeparated(output: Buffer): string[] {
  return output.toString("latin1").split("\0").filter(Boolean);
}
