import { describe, expect, test } from "vitest";
import type { AnyEvent } from "../../core/event.ts";
import { PASS, type Ruling } from "../../core/ruling.ts";
import { qwenCode } from "./adapter.ts";

const CWD = "/home/dev/app";

function decoded(hook_event_name: string, fields: object): AnyEvent {
  const body = Buffer.from(JSON.stringify({ session_id: "s", cwd: CWD, hook_event_name, ...fields }));
  const result = qwenCode.decode({ body, namedEvent: hook_event_name, cwd: "/" });
  if (result.kind !== "event") throw new Error(`not an event of ours: ${hook_event_name}`);
  return result.event;
}

const called = (tool_name: string, tool_input: object) =>
  decoded("PreToolUse", { tool_name, tool_input, tool_use_id: "toolu_1", tool_call_id: "call_0" });

function answered(agentEvent: string, ruling: Partial<Ruling>): unknown {
  const event = decoded(agentEvent, { tool_name: "edit", tool_input: { file_path: "a" }, tool_calls: [] });
  const { exit, stdout, stderr } = qwenCode.encode(event, { ...PASS, ...ruling }, "exit");
  expect([exit, stderr]).toEqual([0, ""]);
  return stdout === "" ? undefined : JSON.parse(stdout);
}

describe("a call", () => {
  test.each([
    ["run_shell_command", { command: "ls" }, "shell", []],
    ["monitor", { command: "tail -f log" }, "shell", []],
    ["edit", { file_path: "a.txt", old_string: "x", new_string: "y" }, "edit", [`${CWD}/a.txt`]],
    ["write_file", { file_path: "/etc/hosts", content: "x" }, "edit", ["/etc/hosts"]],
    ["notebook_edit", { notebook_path: "n.ipynb" }, "edit", [`${CWD}/n.ipynb`]],
    ["read_file", { file_path: "a" }, "read", []],
    ["agent", { subagent_type: "general-purpose", prompt: "go" }, "spawn", []],
    ["Bash", { command: "ls" }, "other", []],
  ] as const)("of %s with %j", (tool, input, kind, writes) => {
    expect(called(tool, input)).toMatchObject({ tool: { name: tool, kind, useId: "toolu_1" }, writes, malformed: [] });
  });

  test("of a command happens in the folder that it names", () => {
    expect(called("run_shell_command", { command: "rm -rf data", directory: "/srv/app" })).toMatchObject({
      cwd: "/srv/app",
    });
    expect(called("monitor", { command: "tail -f log", directory: "sub" })).toMatchObject({ cwd: `${CWD}/sub` });
  });

  test("that failed has the error in the words that policies read", () => {
    const failed = (error: string) =>
      decoded("PostToolUseFailure", {
        tool_name: "run_shell_command",
        tool_input: { command: "x" },
        error,
        is_interrupt: false,
      });
    const text =
      "Command: x\nDirectory: (root)\nOutput: no such test\nError: (none)\nExit Code: 1\nSignal: (none)\nProcess Group PGID: (none)";
    expect(failed(text)).toMatchObject({ name: "tool.failed", error: "Exit code 1\nno such test" });
    expect(failed("File not found: /x")).toMatchObject({ error: "File not found: /x" });
    expect(failed("Command timed out after 10ms before it could complete. There was no output.")).toMatchObject({
      error: expect.stringMatching(/^Command timed out\n/),
    });
  });

  test("that only watches a command has not ended it", () => {
    const ended = decoded("PostToolUse", {
      tool_name: "monitor",
      tool_input: { command: "npm test -- --watch" },
      tool_response: { llmContent: "started" },
    });
    expect(ended).toMatchObject({ name: "tool.after", response: { backgroundTaskId: "monitor" } });
  });
});

describe("a prompt", () => {
  test.each([
    [{ prompt: "ultrawork: go", submitted_prompt: "ultrawork: go" }, true],
    [{ prompt: "" }, false],
    [{ prompt: "2 tasks are open" }, false],
    [{ prompt: "go", submitted_prompt: "" }, false],
  ])("%j is a person's: %s", (fields, fromPerson) => {
    expect(decoded("UserPromptSubmit", { prompt_id: "p", ...fields })).toMatchObject({
      name: "prompt.submit",
      promptId: "p",
      fromPerson,
      malformed: [],
    });
  });
});

describe("an answer", () => {
  test("denies or asks in the shape of Claude Code", () => {
    expect(answered("PreToolUse", { outcome: "ask", reason: "sure?" })).toEqual({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "ask",
        permissionDecisionReason: "sure?",
      },
    });
    expect(answered("UserPromptSubmit", { outcome: "deny", reason: "no" })).toEqual({
      decision: "block",
      reason: "no",
    });
  });

  test("says nothing where Qwen Code would not listen", () => {
    const notes = [{ policy: "p/x", text: "know this" }];
    expect(answered("PreToolUse", { notes, rewrite: { policy: "p/x", value: {} } })).toBeUndefined();
    expect(answered("SubagentStart", { notes })).toBeUndefined();
    expect(answered("Notification", { notes })).toBeUndefined();
  });
});

test("stops with agents in the background, and wake-ups, are told from others", () => {
  const background_tasks = [
    { id: "a", status: "running", agent_type: "general-purpose" },
    { id: "b", status: "completed" },
  ];
  expect(decoded("Stop", { background_tasks, crons: [{}] })).toMatchObject({ backgroundTasks: 1, wakeUps: 1 });
});

test("its settings are the same list every time", () => {
  const files = () => qwenCode.settingsFiles({}, "/home/dev", CWD, CWD);
  expect(files()).toBe(files());
  expect(files()).toEqual(["/home/dev/.qwen/settings.json", `${CWD}/.qwen/settings.json`]);
});
