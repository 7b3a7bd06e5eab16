import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { compileConfig, readYaml } from "../config/compile.ts";
import * as patterns from "../config/patterns.ts";
import { PROFILES } from "../core/profiles.ts";
import { createEngine, type Engine } from "./engine.ts";
import { system } from "./system.ts";

type Call = readonly [tool: string, input: object];
type Pick = (index: number, project: string) => Call;

const CALLS = 31;
/** Characters that reach the model in reasons and notes. */
const MOST = 4_000;

let root: string | undefined;
let engine: Engine | undefined;
afterEach(() => {
  engine?.close();
  if (root !== undefined) fs.rmSync(root, { recursive: true, force: true });
});

interface Answer {
  readonly isDenied: boolean;
  /** What the model reads of it. */
  readonly text: string;
}

/** A real project with every profile on and a session that another program began; undefined for none. */
function begin(session: object | undefined, files: readonly string[] = []) {
  root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "hw-stubborn-")));
  const project = path.join(root, "project");
  const [userHome, home] = [path.join(root, "user"), path.join(root, "home")];
  const dir = path.join(project, "sessions/2026_01_02_LOGIN");
  for (const folder of [path.join(project, ".git"), path.join(project, "src"), dir, userHome, home]) {
    fs.mkdirSync(folder, { recursive: true });
  }
  for (const file of files) fs.writeFileSync(path.join(project, file), "x\n");
  if (session) {
    const state = { sessionId: "s1", pid: process.pid, skill: "implement", lifecycle: "active", ...session };
    fs.writeFileSync(path.join(dir, ".state.json"), JSON.stringify(state));
  }
  fs.writeFileSync(path.join(home, "config.yml"), JSON.stringify({ profiles: PROFILES }));
  const made = createEngine({
    home,
    build: "test",
    ports: system,
    busyMs: () => 1_000,
    onJobs: () => undefined,
    databaseFile: path.join(root, "state.db"),
    readOnly: true,
    policyWorker: "/nowhere",
    compileConfig,
    readYaml,
    loadPatterns: () => patterns,
    readToml: () => ({ problem: "nothing here is TOML" }),
  });
  engine = made;
  let events = 0;
  const send = async (body: object): Promise<Answer> => {
    const payload = { session_id: "s1", cwd: project, transcript_path: path.join(project, "t.jsonl"), ...body };
    const { stdout } = await made.decide({
      nonce: `n${++events}`,
      build: "test",
      home,
      deadline: Date.now() + 10_000,
      cwd: project,
      ppid: process.pid,
      cut: "",
      args: [],
      env: { HOME: userHome, SESSION_REQUIRED: "1", CLAUDE_SUPERVISOR_PID: String(process.pid) },
      body: Buffer.from(JSON.stringify(payload)),
    });
    const { hookSpecificOutput: said = {} } = stdout === "" ? {} : JSON.parse(stdout);
    const text = [said.permissionDecisionReason, said.additionalContext].filter(Boolean).join("\n");
    return { isDenied: said.permissionDecision === "deny", text };
  };
  /** A call, and the report that it ran unless it was denied. */
  const call = async ([tool_name, tool_input]: Call, more: object = {}): Promise<Answer[]> => {
    const about = { tool_name, tool_input, tool_use_id: `t${events}`, ...more };
    const before = await send({ hook_event_name: "PreToolUse", ...about });
    if (before.isDenied) return [before];
    return [before, await send({ hook_event_name: "PostToolUse", tool_response: {}, ...about })];
  };
  return { project, send, call };
}

const step: Pick = (index) => ["Bash", { command: `make step${index}` }];
const edit: Pick = (index, project) => [
  "Edit",
  { file_path: `${project}/src/${index}.ts`, old_string: "a", new_string: "b" },
];
const anything: Pick = (index, project) => [step, edit][index % 2]?.(index, project) ?? step(index, project);
const TEMPLATE = "~/.claude/skills/implement/assets/TEMPLATE_IMPLEMENTATION_LOG.md";
const DIRECTIVES = ["README.md", "src/PITFALLS.md", "src/INVARIANTS.md", "src/CHECKLIST.md"];

describe(`${CALLS} calls of a model that does nothing it is told`, () => {
  it.each<[name: string, session: object | undefined, files: readonly string[], pick: Pick, denied: number]>([
    ["never logs", { logTemplate: TEMPLATE }, [], step, 22],
    ["reads no directive", {}, DIRECTIVES, edit, 28],
    ["reads no directive, with different tools", {}, DIRECTIVES, anything, 28],
    ["begins no session", undefined, [], anything, 31],
    ["continues no session", { lifecycle: "completed" }, [], step, 31],
    ["deletes what is not its own", {}, [], (index) => ["Bash", { command: `rm -rf /home/x${index}` }], 31],
    ["deletes everything, again and again", {}, [], () => ["Bash", { command: "rm -rf /" }], 31],
  ])("which %s", async (_name, session, files, pick, denied) => {
    const { project, call } = begin(session, files);
    const said: Answer[] = [];
    for (let index = 1; index <= CALLS; index++) said.push(...(await call(pick(index, project))));
    expect(said.filter(({ isDenied }) => isDenied)).toHaveLength(denied);
    const total = said.reduce((sum, { text }) => sum + text.length, 0);
    expect(total).toBeGreaterThan(1_000);
    expect(total).toBeLessThanOrEqual(MOST);
    // Each says by itself what is denied, by whom and whether a retry helps.
    for (const { isDenied, text } of said) {
      if (!isDenied) continue;
      expect(text).toMatch(/A retry will not help|Retry after|Trying the same call|The same call may be tried/);
      expect(text).toMatch(/^\S.{20,}\[(?:session|safety)\/[a-z-]+/);
    }
  });
});

describe("the full text is given", () => {
  const overdue = "Write what was done, found and decided";
  const late = { toolUseWithoutLogsBlockAfter: 1 };

  it("to a subagent that was never told, whatever its parent was told", async () => {
    const { project, call } = begin(late);
    const [first] = await call(step(1, project));
    const [second] = await call(step(2, project));
    const [theirs] = await call(step(3, project), { agent_id: "a1", agent_type: "coder" });
    const [again] = await call(step(4, project), { agent_id: "a1", agent_type: "coder" });
    expect([first, second, theirs, again].map((one) => one?.text.includes(overdue))).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect(second?.text).toContain("Retry after a log entry. [session/heartbeat]");
  });

  it.each([
    ["SessionStart", { source: "compact" }],
    ["PostCompact", { trigger: "auto", compact_summary: "x" }],
  ])("again after the context was summarised: %s", async (hook_event_name, more) => {
    const { project, call, send } = begin(late);
    await call(step(1, project));
    await send({ hook_event_name, ...more });
    const [after] = await call(step(2, project));
    expect(after?.text).toContain(overdue);
  });

  it("again where the same call is sent a second time, as a retry of the client does", async () => {
    const { project, send } = begin(late);
    const [tool_name, tool_input] = step(1, project);
    const body = { hook_event_name: "PreToolUse", tool_name, tool_input, tool_use_id: "t1" };
    const first = await send(body);
    expect(await send(body)).toEqual(first);
    expect(first.text).toContain(overdue);
  });
});
