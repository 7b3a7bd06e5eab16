/** Every payload that the real client sends is one we read in full, on each version that we support. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { claudeCode } from "../../src/agents/claude-code/adapter.ts";
import { knowsEvent } from "../../src/agents/claude-code/client-version.ts";
import { CLAUDE_EVENTS, type ClaudeEvent } from "../../src/agents/claude-code/events.ts";
import { clientUnderTest, NO_PERMISSION_CHECKS, runClaude } from "./client.ts";
import { queueMarker, type Turn } from "./model-script.ts";
import { Scratch } from "./scratch.ts";

let scratch: Scratch;
beforeEach(async () => {
  scratch = new Scratch();
  await scratch.run("git", ["init", "--quiet"]);
});
afterEach(() => scratch.dispose());

/** What this scenario makes the client report; the events that need a person at the keyboard are not among them. */
const EXPECTED: readonly ClaudeEvent[] = [
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
];

it("reads what the client really sends, without a malformed field", async () => {
  const record = join(scratch.home, "payloads.jsonl");
  const events = (Object.keys(CLAUDE_EVENTS) as ClaudeEvent[]).filter(
    (event) => event !== "WorktreeCreate" && knowsEvent(event, clientUnderTest().version),
  );
  const group = [{ hooks: [{ type: "command", command: `cat >> ${record}` }] }];
  scratch.write(
    scratch.userSettings,
    JSON.stringify({ hooks: Object.fromEntries(events.map((event) => [event, group])) }),
  );
  scratch.write(join(scratch.project, "CLAUDE.md"), "Be brief.\n");
  const agent = {
    description: "look",
    prompt: `${queueMarker("scout")} Look.`,
    subagent_type: "general-purpose",
    run_in_background: false,
  };
  const turns: Turn[] = [
    { tool: "Bash", input: { command: "mkdir -p sub && cd sub" } },
    { tool: "Bash", input: { command: "exit 3" } },
    { tool: "Write", input: { file_path: join(scratch.project, "a.txt"), content: "a" } },
    { tool: "TaskCreate", input: { subject: "S", description: "D" } },
    { tool: "TaskUpdate", input: { taskId: "1", status: "completed" } },
    { tool: "Agent", input: agent },
    "Done.",
  ];
  await runClaude(scratch, {
    prompt: "go",
    script: { main: turns, queues: { scout: ["Trees."] } },
    ...NO_PERMISSION_CHECKS,
  });
  expect(existsSync(record)).toBe(true);
  const seen = new Set<string>();
  for (const line of readFileSync(record, "utf8")
    .split("\n")
    .filter((text) => text !== "")) {
    const decoded = claudeCode.decode({ body: Buffer.from(line), namedEvent: "", cwd: "/" });
    if (decoded.kind !== "event") throw new Error(`not read: ${line}`);
    expect({ line, malformed: decoded.event.malformed }).toEqual({ line, malformed: [] });
    expect(decoded.event.session).toMatch(/^[0-9a-f-]{36}$/);
    seen.add(decoded.event.agentEvent);
  }
  expect([...seen]).toEqual(expect.arrayContaining([...EXPECTED]));
});
