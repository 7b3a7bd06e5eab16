import { decodeFrame, type Reply } from "../core/frame.ts";
import { crashPoint } from "./crash-point.ts";
import { createEngine } from "./engine.ts";
import { system } from "./system.ts";

/** The answer must leave before the deadline even when the lock was never free. */
const MARGIN_MS = 300;

/** Jobs that this process has left behind; see `afterReply`. */
const started: number[] = [];

/** Used by the client when no daemon answers: the same engine, in the client's own process. */
export async function decideFrame(bytes: Buffer): Promise<Reply> {
  const frame = decodeFrame(bytes);
  const engine = createEngine({
    home: frame.home,
    build: frame.build,
    ports: system,
    busyMs: (deadline) => Math.max(50, deadline - MARGIN_MS - Date.now()),
    onJobs: (ids) => started.push(...ids),
    // The chunk with the YAML reader and the validator lies beside this bundle and is loaded only when needed.
    compileConfig: (sources) =>
      (require("./config.cjs") as typeof import("../config/compile.ts")).compileConfig(sources),
  });
  try {
    return await engine.decide(frame);
  } finally {
    engine.close();
  }
}

/** Called when the agent has its answer: what it must not wait for. */
export function afterReply(bytes: Buffer): void {
  const { home, env } = decodeFrame(bytes);
  crashPoint(home, "after-reply");
  if (started.length === 0) return;
  const { spawn } = process.getBuiltinModule("node:child_process");
  const command = [`${__dirname}/cli.mjs`, "job", ...started.map(String)];
  spawn(process.execPath, command, {
    cwd: "/",
    detached: true,
    stdio: "ignore",
    env: { ...env, HOOKWRIGHT_HOME: home },
  }).unref();
}
