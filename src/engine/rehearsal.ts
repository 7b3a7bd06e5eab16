import type { Frame } from "../core/frame.ts";
import { createEngine, type EngineOptions } from "./engine.ts";

/** Enough for every kind. */
const DECISIONS = 10;

/** Decides made-up events and leaves nothing behind, so that V8 knows what usual ones run through. */
export async function rehearse(options: EngineOptions): Promise<void> {
  const engine = createEngine(withoutTraces(options));
  for (let count = 0; count < DECISIONS; count++) await engine.decide(madeUpFrame(count, options));
  engine.close();
}

export function withoutTraces(options: EngineOptions): EngineOptions {
  return { ...options, databaseFile: ":memory:", readOnly: true, onJobs: () => undefined };
}

/** One of ten kinds of usual events: commands and edits, announced and reported, one of them denied. */
export function madeUpFrame(count: number, { home, build, ports }: EngineOptions): Frame {
  const isEdit = count % 2 === 0;
  const file_path = count % 10 === 2 ? `${home}/config.yml` : "/tmp/a.ts";
  const body = {
    hook_event_name: count % 5 === 4 ? "PostToolUse" : "PreToolUse",
    session_id: `warm-up-${count % 7}`,
    cwd: "/",
    tool_name: isEdit ? "Write" : "Bash",
    tool_use_id: `warm-up-${count}`,
    tool_input: isEdit ? { file_path, content: "x" } : { command: "git status && npm test" },
    tool_response: {},
  };
  return {
    nonce: `warm-up-${count}`,
    build,
    home,
    deadline: ports.now() + 1_000,
    cwd: "/",
    ppid: 1,
    cut: "",
    args: ["--profile", "safety,ntm,plan,session,teams,omc"],
    env: {},
    body: Buffer.from(JSON.stringify(body)),
  };
}
