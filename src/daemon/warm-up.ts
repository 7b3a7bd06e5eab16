import type { Frame } from "../core/frame.ts";
import { createEngine, type EngineOptions } from "../engine/engine.ts";

/** Enough for V8 to compile what decisions run through; measured, more brings nothing. */
const DECISIONS = 2_000;
const AT_ONCE = 10;
/** Where one real event came, the next is probably near. */
const PAUSE_MS = 20;

/**
 * Decides made-up events on a database in memory right after the start, a few at a time so that real events never
 * wait: the first real one then meets compiled code.
 */
export async function warmUp(options: EngineOptions, realEvents: () => number): Promise<void> {
  const engine = createEngine({
    ...options,
    databaseFile: ":memory:",
    readOnly: true,
    onJobs: () => undefined,
  });
  let seen = realEvents();
  for (let count = 0; count < DECISIONS; count++) {
    if (count % AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve));
    if (realEvents() !== seen) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    seen = realEvents();
    await engine.decide(madeUpFrame(count, options));
  }
  engine.close();
}

function madeUpFrame(count: number, { home, build, ports }: EngineOptions): Frame {
  const isEdit = count % 2 === 0;
  const body = {
    hook_event_name: count % 5 === 4 ? "PostToolUse" : "PreToolUse",
    session_id: `warm-up-${count % 7}`,
    cwd: "/",
    tool_name: isEdit ? "Write" : "Bash",
    tool_use_id: `warm-up-${count}`,
    tool_input: isEdit ? { file_path: "/tmp/a.ts", content: "x" } : { command: "git status && npm test" },
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
