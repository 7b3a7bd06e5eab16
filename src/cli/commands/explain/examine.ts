import fs from "node:fs";
import path from "node:path";
import { type Frame, MAX_BODY } from "../../../core/frame.ts";
import { createEngine } from "../../../engine/engine.ts";
import type { Examination } from "../../../engine/examine.ts";
import type { Home } from "../../../system/home.ts";
import { system } from "../../../system/system.ts";
import { builtVersion } from "../../installation/current-build.ts";

/** The same deadline as for a hook that is called by hand. */
const BUDGET_MS = 4_000;
const BUSY_MS = 2_000;

export interface ExamineInput {
  readonly home: Home;
  readonly dist: string;
  /** A copy of the database; undefined when there is none, as for the very first hook. */
  readonly copy: string | undefined;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly event: string | undefined;
  readonly profiles: readonly string[];
  readonly body: Buffer;
}

/** Builds the frame that a client would send, and has the engine decide it without changing anything. */
export async function examineEvent(input: ExamineInput): Promise<Examination> {
  const { build } = builtVersion(input.dist);
  const frame: Frame = {
    nonce: "explain",
    build,
    home: input.home.root,
    deadline: Date.now() + BUDGET_MS,
    cwd: input.cwd,
    ppid: process.ppid,
    cut: input.body.length > MAX_BODY ? "too-large" : "",
    args: [
      ...(input.event ? ["--event", input.event] : []),
      ...(input.profiles.length > 0 ? ["--profile", input.profiles.join(",")] : []),
    ],
    env: input.env,
    body: input.body,
  };
  const [patterns, { readYaml }, { readToml }] = await Promise.all([
    import("../../../config/patterns.ts"),
    import("../../../config/read-yaml.ts"),
    import("../../../config/toml.ts"),
  ]);
  const engine = createEngine({
    home: input.home.root,
    build,
    ports: system,
    busyMs: () => BUSY_MS,
    onJobs: () => undefined,
    databaseFile: input.copy ?? ":memory:",
    readOnly: true,
    compileConfig: async (sources) => (await import("../../../config/compile.ts")).compileConfig(sources),
    readYaml,
    loadPatterns: () => patterns,
    readToml,
    policyWorker: path.join(input.dist, "outside-worker.cjs"),
  });
  try {
    return await engine.examine(frame);
  } finally {
    engine.close();
  }
}

/** The environment variables that a client sends, by the rules of env.list: NAME, PREFIX* and !NAME, which wins. */
export function hookEnvironment(dist: string, env: NodeJS.ProcessEnv): Record<string, string> {
  const rules = fs.readFileSync(path.join(dist, "env.list"), "utf8").split("\n").filter(Boolean);
  const fits = (name: string, rule: string): boolean =>
    rule.endsWith("*") ? name.startsWith(rule.slice(0, -1)) : name === rule;
  const isSent = (name: string): boolean =>
    rules.some((rule) => fits(name, rule)) && !rules.some((rule) => rule.startsWith("!") && fits(name, rule.slice(1)));
  return Object.fromEntries(
    Object.entries(env).filter((pair): pair is [string, string] => pair[1] !== undefined && isSent(pair[0])),
  );
}
