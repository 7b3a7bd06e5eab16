import type { Frame } from "../core/frame.ts";
import { createEngine, type EngineOptions } from "./engine.ts";

/** Of the made-up ones: a command, its report, and an edit that is denied. */
export const REHEARSED: readonly number[] = [2, 3, 10];

/**
 * Decides made-up events and leaves nothing behind, so that V8 has compiled what usual ones run through. Each kind once:
 * of a function that ran often, a code cache says so, and every process that loads it compiles it again, for speed.
 */
export async function rehearse(options: EngineOptions): Promise<void> {
  const engine = createEngine(withoutTraces(options));
  for (const count of REHEARSED) await engine.decide(madeUpFrame(count, options));
  engine.close();
}

export function withoutTraces(options: EngineOptions): EngineOptions {
  return { ...options, databaseFile: ":memory:", readOnly: true, onJobs: () => undefined };
}

const LINES = [
  "git status -sb && npm test -- --reporter=dot 2>&1 | tail -20",
  'set -e; cd src; grep -rn "export function" . | wc -l',
  'for file in main index; do cat "$file.ts" > "/tmp/$file"; done',
  "echo 'nothing to see' # and nothing to stop",
];

/** Calls as agents make them, each announced and reported: edits and commands in turn, and one edit that is denied. */
export function madeUpFrame(count: number, { home, build, ports }: EngineOptions): Frame {
  const call = count >> 1;
  const isReport = count % 2 === 1;
  const line = LINES[(call % 5) - 1];
  const file_path = call % 10 === 5 ? `${home}/config.yml` : `/tmp/${call}.ts`;
  const body = {
    hook_event_name: isReport ? "PostToolUse" : "PreToolUse",
    session_id: `warm-up-${call % 7}`,
    cwd: "/",
    tool_name: line === undefined ? "Write" : "Bash",
    tool_use_id: `warm-up-${call}`,
    tool_input:
      line === undefined
        ? { file_path, content: "export const x = 1;\n".repeat(20) }
        : { command: `${line} # ${call}` },
    ...(isReport ? { tool_response: { stdout: "done\n".repeat(20), stderr: "", interrupted: false } } : {}),
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
