import fs from "node:fs";
import type { ConfigCompiler } from "../../../engine/chunks.ts";
import { runStatusline } from "./run.ts";

/** The entry point for the launcher. Other bundles are loaded only when they are needed. */
export async function main(): Promise<number> {
  const { env, stdin, stdout } = process;
  // The agent may close the pipe early.
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
  const { build } = JSON.parse(fs.readFileSync(`${__dirname}/build.json`, "utf8")) as { build: string };
  const context = { env, cwd: process.cwd(), out: (text: string) => stdout.write(`${text}\n`) };
  const compileConfig: ConfigCompiler = (sources) =>
    (require("./config.cjs") as typeof import("../../../config/compile.ts")).compileConfig(sources);
  const loadModes = () => require("./modes-text.cjs") as typeof import("./modes-text.ts");
  return runStatusline(context, stdin, { build, compileConfig, loadModes });
}
