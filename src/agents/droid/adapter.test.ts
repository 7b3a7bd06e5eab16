import { describe, expect, test } from "vitest";
import type { AnyEvent, JsonObject } from "../../core/event.ts";
import { PASS, type Ruling } from "../../core/ruling.ts";
import { droid } from "./adapter.ts";

const CWD = "/home/dev/app";

function read(hook_event_name: string, fields: object): AnyEvent {
  const payload = { session_id: "s", cwd: CWD, permission_mode: "auto-low", hook_event_name, ...fields };
  const body = Buffer.from(JSON.stringify(payload));
  const decoded = droid.decode({ body, namedEvent: hook_event_name, cwd: "/" });
  if (decoded.kind !== "event") throw new Error(`it is ${decoded.kind}`);
  return decoded.event;
}

const called = (tool_name: string, tool_input: unknown) => read("PreToolUse", { tool_name, tool_input });

function answered(event: AnyEvent, said: Partial<Ruling>): unknown {
  const { exit, stdout, stderr } = droid.encode(event, { ...PASS, ...said }, "exit");
  expect([exit, stderr]).toEqual([0, ""]);
  return stdout === "" ? undefined : JSON.parse(stdout);
}

describe("a call", () => {
  test.each<[string, string, JsonObject, JsonObject, readonly string[]]>([
    ["Execute", "shell", { command: "ls", summary: "s" }, { command: "ls", summary: "s" }, []],
    ["Execute", "shell", { command: "serve", fireAndForget: true }, { command: "serve", run_in_background: true }, []],
    ["Read", "read", { file_path: "a" }, { file_path: "a" }, []],
    ["Create", "edit", { file_path: "a", content: "x" }, { file_path: "a", content: "x" }, [`${CWD}/a`]],
    [
      "Edit",
      "edit",
      { file_path: "/etc/hosts", old_str: "a", new_str: "b", change_all: true },
      { file_path: "/etc/hosts", old_string: "a", new_string: "b", replace_all: true },
      ["/etc/hosts"],
    ],
    [
      "ApplyPatch",
      "edit",
      { input: "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch" },
      { edits: [{ file_path: "a", content: "x" }] },
      [`${CWD}/a`],
    ],
    ["Task", "spawn", { prompt: "look" }, { prompt: "look" }, []],
  ])("of %s is of the kind %s", (name, kind, given, input, writes) => {
    expect(called(name, given)).toMatchObject({ tool: { name, kind, input, useId: "" }, writes, malformed: [] });
  });

  test.each(["Execute", "Edit", "Create", "ApplyPatch"])("of %s whose arguments are none is malformed", (name) => {
    for (const args of [undefined, "x", {}, { input: "no patch" }]) {
      expect(called(name, args).malformed).not.toEqual([]);
    }
  });
});

describe("the end of a call", () => {
  const ended = (tool_name: string, tool_response: unknown) =>
    read("PostToolUse", { tool_name, tool_input: { command: "x", file_path: "a" }, tool_response });

  test("of a command with another exit code than 0 is a failure", () => {
    expect(ended("Execute", "hi\n\n\n[Process exited with code 2]")).toMatchObject({
      name: "tool.failed",
      agentEvent: "PostToolUse",
      error: "Exit code 2\nhi",
    });
  });

  test.each([
    ["Execute", "hi\n\n\n[Process exited with code 0]"],
    ["Execute", "[Process exited with code 1]\nwas printed\n\n[Process exited with code 0]"],
    ["Read", "a log that ends like this\n[Process exited with code 2]"],
  ])("of %s is a success otherwise: %j", (tool, text) => {
    expect(ended(tool, text)).toMatchObject({ name: "tool.after", response: text });
  });
});

describe("a stop", () => {
  test.each([
    ["spec", true],
    ["auto-high", false],
    ["off", false],
  ])("in the mode %s is one while planning: %s", (permission_mode, planMode) => {
    expect(read("Stop", { permission_mode, stop_hook_active: true })).toMatchObject({ planMode, continued: true });
  });

  test("is held by a reason that is not taken for a person's prompt", () => {
    const { reason } = answered(read("Stop", {}), { outcome: "hold", reason: "Go on." }) as { reason: string };
    expect(read("UserPromptSubmit", { prompt: reason })).toMatchObject({ fromPerson: false });
    expect(read("UserPromptSubmit", { prompt: "Go on." })).toMatchObject({ fromPerson: true });
  });
});

describe("an answer", () => {
  const notes = [{ policy: "a/b", text: "Look." }];
  const rewrite = { policy: "a/b", value: { file_path: "b", old_string: "x", new_string: "z" } };

  test("changes a call in the names of its tool", () => {
    expect(answered(called("Edit", { file_path: "a", old_str: "x", new_str: "y" }), { rewrite })).toEqual({
      hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput: { file_path: "b", old_str: "x", new_str: "z" } },
    });
  });

  test("never changes a patch, whose arguments cannot be put together again", () => {
    const patch = called("ApplyPatch", { input: "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch" });
    expect(answered(patch, { rewrite })).toBeUndefined();
  });

  test("ends the turn after a call", () => {
    const after = read("PostToolUse", { tool_name: "Read", tool_input: { file_path: "a" }, tool_response: "x" });
    expect(answered(after, { end: { policy: "a/b", text: "Over." }, notes })).toEqual({
      continue: false,
      stopReason: "Over. [a/b]",
    });
  });

  test.each(["UserPromptSubmit", "SubagentStop", "PreCompact", "Notification", "SessionEnd"])(
    "%s is never answered",
    (agentEvent) => {
      const event = { ...called("Read", { file_path: "a" }), agentEvent } as AnyEvent;
      expect(answered(event, { notes, outcome: "deny", reason: "No." })).toBeUndefined();
    },
  );
});
