import { decodeFrame, type Reply } from "../core/frame.ts";
import { type CrashPoint, crashPoint } from "./crash-point.ts";
import { createEngine } from "./engine.ts";
import { system } from "./system.ts";

/** The answer must leave before the deadline even when the lock was never free. */
const MARGIN_MS = 300;

/** Used by the client when no daemon answers: the same engine, in the client's own process. */
export async function decideFrame(bytes: Buffer): Promise<Reply> {
  const frame = decodeFrame(bytes);
  const engine = createEngine({
    home: frame.home,
    build: frame.build,
    ports: system,
    busyMs: (deadline) => Math.max(50, deadline - MARGIN_MS - Date.now()),
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

export function reached(bytes: Buffer, point: CrashPoint): void {
  crashPoint(decodeFrame(bytes).home, point);
}
