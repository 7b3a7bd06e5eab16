import { describe, expect, test } from "vitest";
import type { AnyEvent } from "../../core/event.ts";
import { PASS, type Ruling } from "../../core/ruling.ts";
import { asContinuation } from "../answer.ts";
import { geminiCli } from "./adapter.ts";

const CWD = "/home/dev/app";

function decoded(hook_event_name: string, fields: object): AnyEvent {
  const body = Buffer.from(JSON.stringify({ session_id: "s", cwd: CWD, hook_event_name, ...fields }));
  const result = geminiCli.decode({ body, namedEvent: hook_event_name, cwd: "/" });
  if (result.kind !== "event") throw new Error(`not an event of ours: ${hook_event_name}`);
  return result.event;
}

const called = (tool_name: string, tool_input: object) => decoded("BeforeTool", { tool_name, tool_input });
const ended = (tool_response: unknown) =>
  decoded("AfterTool", { tool_name: "run_shell_command", tool_input: { command: "x" }, tool_response });
const said = (llmContent: string) => ended({ llmContent, returnDisplay: "" });

function answered(event: AnyEvent, ruling: Partial<Ruling>): unknown {
  const { exit, stdout, stderr } = geminiCli.encode(event, { ...PASS, ...ruling }, "exit");
  expect([exit, stderr]).toEqual([0, ""]);
  return stdout === "" ? undefined : JSON.parse(stdout);
}

describe("a call", () => {
  test.each([
    ["run_shell_command", { command: "ls" }, "shell", []],
    ["replace", { file_path: "a/b.txt", old_string: "x", new_string: "y" }, "edit", [`${CWD}/a/b.txt`]],
    ["write_file", { file_path: "../other/c.txt", content: "x" }, "edit", ["/home/dev/other/c.txt"]],
    ["write_file", { file_path: "/etc/hosts", content: "x" }, "edit", ["/etc/hosts"]],
    ["read_file", { file_path: "a" }, "read", []],
    ["invoke_agent", { agent_name: "generalist", prompt: "go" }, "spawn", []],
    ["Bash", { command: "ls" }, "other", []],
    ["mcp_files_write", { path: "a" }, "other", []],
  ] as const)("of %s with %j", (tool, input, kind, writes) => {
    expect(called(tool, input)).toMatchObject({
      name: "tool.before",
      tool: { name: tool, kind },
      writes,
      malformed: [],
    });
  });

  test("has our names for its arguments", () => {
    expect(called("invoke_agent", { agent_name: "generalist", prompt: "go" }).tool?.input).toEqual({
      subagent_type: "generalist",
      prompt: "go",
    });
    const replaced = called("replace", { file_path: "a", old_string: "x", new_string: "y", allow_multiple: true });
    expect(replaced.tool?.input).toMatchObject({ replace_all: true });
    const background = called("run_shell_command", { command: "npm start", is_background: true });
    expect(background.tool?.input).toEqual({ command: "npm start", run_in_background: true });
  });

  test.each([
    ["sub", `${CWD}/sub`],
    ["..", "/home/dev"],
    ["/srv", "/srv"],
    ["", CWD],
    [7, CWD],
  ])("of a command with dir_path %j happens in %s", (dir_path, cwd) => {
    expect(called("run_shell_command", { command: "rm -rf data", dir_path })).toMatchObject({ cwd, malformed: [] });
  });

  test("of another tool stays in the folder of the session", () => {
    expect(called("list_directory", { dir_path: "/srv" })).toMatchObject({ cwd: CWD });
  });

  test.each([
    [{ tool_name: "run_shell_command", tool_input: {} }, "tool_input.command"],
    [{ tool_name: "replace", tool_input: { file_path: 7 } }, "tool_input.file_path"],
    [{ tool_name: "write_file" }, "tool_input"],
    [{ tool_input: {} }, "tool_name"],
  ])("that cannot be read is malformed: %j", (fields, name) => {
    expect(decoded("BeforeTool", fields).malformed).toContain(name);
  });
});

describe("the end of a call", () => {
  const marked = (text: string): string => `<untrusted_context>\n${text}\n</untrusted_context>`;
  test.each([
    [marked("Output: hi\nExit Code: 3\nProcess Group PGID: 77"), "Exit code 3\nhi"],
    ["Output: (empty)\nExit Code: 1", "Exit code 1\n(empty)"],
    ["Output: a\nb\nExit Code: 2\nBackground PIDs: 5, 6\nProcess Group PGID: 77", "Exit code 2\na\nb"],
    ["Output: x\nExit Code: 137\nSignal: 9\nProcess Group PGID: 77", "Command was interrupted by signal 9\nx"],
    ["Output: x\nSignal: SIGKILL\nProcess Group PGID: 77", "Command was interrupted by signal SIGKILL\nx"],
  ])("%j is an error", (text, error) => {
    expect(said(text)).toMatchObject({ name: "tool.failed", error, interrupted: false, malformed: [] });
  });

  test.each([
    [
      "Command was automatically cancelled because it exceeded the timeout of 5.0 minutes without output.",
      /^Command timed out\n/,
    ],
    ["Command was cancelled by user before it could complete.", /^Command was interrupted\n/],
  ])("%s is an error", (text, error) => {
    expect(said(text)).toMatchObject({ name: "tool.failed", error: expect.stringMatching(error) });
  });

  test.each([
    marked("Output: hello\nProcess Group PGID: 77"),
    // What a command prints is not what became of it.
    marked("Output: log\nExit Code: 1\nall fine\nProcess Group PGID: 77"),
    "Output: Exit Code: 1",
    "Output: x\nExit Code: 0\nProcess Group PGID: 77",
    "",
  ])("%j is none", (text) => {
    expect(said(text)).toMatchObject({ name: "tool.after", response: { llmContent: text } });
  });

  test("that Gemini CLI calls an error is one", () => {
    expect(ended({ llmContent: "x", error: { message: "File not found", type: "t" } })).toMatchObject({
      name: "tool.failed",
      error: "File not found",
    });
    expect(ended({ llmContent: "x", error: {} })).toMatchObject({ name: "tool.failed", error: "It failed." });
  });

  test("is not known of a command that goes on in the background", () => {
    const text = "Command moved to background (PID: 4711). Output hidden. Press Ctrl+B to view.";
    expect(said(text)).toMatchObject({ name: "tool.after", response: { llmContent: text, backgroundTaskId: "4711" } });
  });

  test.each([undefined, null, "text", [], { llmContent: [{ text: "parts" }] }])(
    "may have any response: %j",
    (response) => {
      expect(ended(response)).toMatchObject({ name: "tool.after", response: response ?? null, malformed: [] });
    },
  );
});

describe("a prompt", () => {
  const fromPerson = (prompt: string) => decoded("BeforeAgent", { prompt });

  test("that Gemini CLI makes of a held stop is not a person's, also between reasons of other hooks", () => {
    expect(fromPerson("go on")).toMatchObject({ name: "prompt.submit", fromPerson: true });
    expect(fromPerson(asContinuation("go on"))).toMatchObject({ fromPerson: false });
    expect(fromPerson(`lint first\n${asContinuation("go on")}\nand commit`)).toMatchObject({ fromPerson: false });
  });

  test("is what a held stop was answered with", () => {
    const stop = decoded("AfterAgent", { prompt: "p", prompt_response: "done", stop_hook_active: true });
    expect(stop).toMatchObject({ name: "turn.stop", lastMessage: "done", continued: true });
    const answer = answered(stop, { outcome: "hold", reason: "2 tasks are open" });
    expect(answer).toMatchObject({ decision: "deny", reason: expect.stringContaining("2 tasks are open") });
    expect(fromPerson((answer as { reason: string }).reason)).toMatchObject({ fromPerson: false });
  });
});

describe("an answer", () => {
  const call = called("invoke_agent", { agent_name: "generalist", prompt: "go" });

  test("denies with the reason and nothing else", () => {
    expect(answered(call, { outcome: "deny", reason: "because" })).toEqual({ decision: "deny", reason: "because" });
  });

  test("has changed arguments under the names that the tool has", () => {
    const value = { subagent_type: "codebase_investigator", prompt: "look" };
    expect(answered(call, { rewrite: { policy: "p/x", value } })).toEqual({
      hookSpecificOutput: { tool_input: { agent_name: "codebase_investigator", prompt: "look" } },
    });
    expect(answered(call, { rewrite: { policy: "p/x", value: "text" } })).toBeUndefined();
  });

  test("that ends the run says why", () => {
    expect(answered(call, { end: { policy: "p/x", text: "Over." } })).toEqual({
      continue: false,
      stopReason: "Over. [p/x]",
    });
  });
});

test("a compression that is announced before every request is an event that we do not know", () => {
  const body = Buffer.from(JSON.stringify({ hook_event_name: "PreCompress", session_id: "s", cwd: CWD }));
  expect(geminiCli.decode({ body, namedEvent: "PreCompress", cwd: "/" })).toMatchObject({ kind: "unknown" });
});

test("its settings are the same list every time, and name the extension", () => {
  const files = () => geminiCli.settingsFiles({}, "/home/dev", CWD, CWD);
  expect(files()).toBe(files());
  expect(files()).toContain("/home/dev/.gemini/extensions/hookwright");
  expect(geminiCli.settingsFiles({ GEMINI_CLI_HOME: "/else" }, "/home/dev", CWD, CWD)[0]).toBe(
    "/else/.gemini/settings.json",
  );
});
