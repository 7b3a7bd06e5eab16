import path from "node:path";
import { decodeFrame, encodeFrame, type Frame } from "../core/frame.ts";
import { createEngine, type EngineOptions } from "./engine.ts";

/** Which sample events compile the functions of the code cache: a command, its report, and an edit that is denied. */
export const CODE_CACHE_SAMPLES: readonly number[] = [2, 3, 4];

/**
 * Decides a sample event of each kind and leaves nothing behind, so that V8 has compiled the functions that most events
 * run through. Each kind once: a code cache marks a function that ran often, and every process that loads the cache
 * would optimise that function again.
 */
export async function compileForCache(options: EngineOptions): Promise<void> {
  const engine = createEngine(withoutTraces(options));
  for (const count of CODE_CACHE_SAMPLES) await engine.decide(sampleFrame(count, options));
  engine.close();
}

export function withoutTraces(options: EngineOptions): EngineOptions {
  return { ...options, databaseFile: ":memory:", readOnly: true, onJobs: () => undefined };
}

const LINES: readonly ((number: number) => string)[] = [
  (number) => `git status -sb && npm run assets && npm test -- --reporter=dot 2>&1 | tail -${number}`,
  (number) => `set -e; cd src; grep -rn "export function" . | wc -l # ${number}`,
  (number) => `for file in main index; do cat "$file.ts" > "/tmp/$file.${number}"; done`,
  (number) => `npx eslint src --quiet && echo "checked ${number}: nothing to see"`,
  (number) => `set -e; npm ci && npm run words -- --at-most=${number}; echo "all of it is fine"`,
  (number) =>
    `cd packages/app && NODE_ENV=sample npm run unit && git add src/step.ts && git commit --message="Step ${number}"`,
  (number) => `git diff --numstat HEAD~1; git log -${number} --format=%s | head`,
  (number) => `mkdir -p build/out && cp src/a.json build/out/${number}.json; ls -la build/out`,
  (number) => `find . -name "*.ts" -not -path "./node_modules/*" | xargs grep -l "chapter ${number}" | sort`,
  (number) => `python3 -c 'print(${number})' && make test 2>/dev/null || echo "it failed"`,
  (number) => `sed -n '${number},+20p' src/main.ts; cat package.json | jq .scripts`,
  (number) => `echo "part ${number}" >> notes.md && node scripts/check.mjs --quick`,
];
const PROFILES = ["--profile", "safety,ntm,plan,session,teams,omc"];

/**
 * Calls as agents make them, each announced and reported: commands and edits in turn, every second edit is denied. The
 * events differ in their optional fields, as real ones do: code that V8 optimised for one shape of event is thrown away
 * at the first event of another shape.
 */
export function sampleFrame(count: number, { home, build, ports, policyWorker }: EngineOptions): Frame {
  const call = count >> 1;
  /** Commands and edits alternate, so what varies within them goes by every second call. */
  const turn = call >> 1;
  const isReport = count % 2 === 1;
  const hook_event_name = isReport ? "PostToolUse" : "PreToolUse";
  const line = call % 2 === 1 ? LINES[turn % LINES.length]?.(turn >> 5) : undefined;
  // Folders that exist and in which nobody works. Several events in a row come from the same one.
  const cwd = [path.dirname(policyWorker), home, "/usr/lib"][(turn >> 2) % 3] ?? home;
  // Sometimes a person without any state yet.
  const person = turn % 64 === 2 ? `/tmp/sample/${call}` : path.dirname(home);
  const session_id = `0c6e1b5a-3f52-4d7c-9a41-${String(turn % 7).padStart(12, "0")}`;
  const file_path = call % 4 === 2 ? `${home}/config.yml` : `/tmp/sample/src/${call}.ts`;
  const description = turn % 2 === 0 ? { description: "Look at what is there" } : {};
  const body = {
    session_id,
    ...(turn % 4 === 3 ? {} : { transcript_path: `/tmp/projects/sample/${session_id}.jsonl` }),
    cwd,
    ...(turn % 3 === 0 ? {} : { prompt_id: `6f0c9d6e-8a53-4f1b-9f2c-${String(turn % 11).padStart(12, "0")}` }),
    permission_mode: "default",
    ...(turn % 6 === 4 ? { agent_id: `a4d2c8f1e0b3a29${turn % 7}`, agent_type: "Explore" } : {}),
    hook_event_name,
    ...(turn % 8 === 6 ? { effort: { level: "high" } } : {}),
    tool_name: line === undefined ? "Write" : "Bash",
    tool_input:
      line === undefined
        ? { file_path, content: "export const x = 1;\n".repeat(20) }
        : { command: line, ...description },
    ...(isReport ? { tool_response: { stdout: "done\n".repeat(20), stderr: "", interrupted: false } } : {}),
    tool_use_id: `toolu_sample_${String(call).padStart(10, "0")}`,
  };
  const env = {
    PATH: "/usr/bin:/bin",
    HOME: person,
    ...(turn % 2 === 0 ? { CLAUDE_PROJECT_DIR: cwd, CLAUDE_PID: "1" } : {}),
    ...(turn % 3 === 0 ? { XDG_RUNTIME_DIR: "/run/user/sample", CLAUDE_CONFIG_DIR: `${person}/.claude` } : {}),
  };
  const frame: Frame = {
    nonce: `warm-up-${count}`,
    build,
    home,
    deadline: ports.now() + 1_000,
    cwd,
    ppid: 1,
    cut: "",
    args: [
      ...PROFILES,
      ...(turn % 3 === 0
        ? []
        : ["--reply", "json", "--via", turn % 64 === 1 ? `sample-${call}` : "user", "--event", hook_event_name]),
    ],
    env,
    body: Buffer.from(JSON.stringify(body)),
  };
  return decodeFrame(encodeFrame(frame));
}
