import { describe, expect, test } from "vitest";
import type { AnyEvent, JsonObject } from "../../core/event.ts";
import { PASS, type Ruling } from "../../core/ruling.ts";
import { copilotCli } from "./adapter.ts";
import { isFromCopilot } from "./cross-reading.ts";

const CWD = "/home/dev/app";
const BASE = { sessionId: "s", timestamp: 1, cwd: CWD };

const decode = (namedEvent: string, payload: object) =>
  copilotCli.decode({ body: Buffer.from(JSON.stringify(payload)), namedEvent, cwd: "/" });

function read(namedEvent: string, fields: object): AnyEvent {
  const decoded = decode(namedEvent, { ...BASE, ...fields });
  if (decoded.kind !== "event") throw new Error(`it is ${decoded.kind}`);
  return decoded.event;
}

const called = (toolName: string, toolArgs: unknown) => read("preToolUse", { toolName, toolArgs });

describe("a call", () => {
  test.each<[string, string, JsonObject, JsonObject, readonly string[]]>([
    ["bash", "shell", { command: "ls", description: "d" }, { command: "ls", description: "d" }, []],
    ["view", "read", { path: "a.txt" }, { file_path: "a.txt" }, []],
    ["create", "edit", { path: "a.txt", file_text: "x" }, { file_path: "a.txt", content: "x" }, [`${CWD}/a.txt`]],
    [
      "edit",
      "edit",
      { path: "/etc/hosts", old_str: "a", new_str: "b" },
      { file_path: "/etc/hosts", old_string: "a", new_string: "b" },
      ["/etc/hosts"],
    ],
    ["task", "spawn", { prompt: "look" }, { prompt: "look" }, []],
    ["fetch", "other", { url: "x" }, { url: "x" }, []],
  ])("of %s is of the kind %s, as an object and as a text", (name, kind, given, input, writes) => {
    for (const args of [given, JSON.stringify(given)]) {
      expect(called(name, args)).toMatchObject({ tool: { name, kind, input, useId: "" }, writes, malformed: [] });
    }
  });

  test("of apply_patch comes with the bare text of the patch", () => {
    const patch = "*** Begin Patch\n*** Add File: a/b.ts\n+x\n*** End Patch\n";
    for (const args of [patch, { input: patch }]) {
      expect(called("apply_patch", args)).toMatchObject({ writes: [`${CWD}/a/b.ts`], malformed: [] });
    }
  });

  test.each([["bash"], ["edit"], ["apply_patch"]])("of %s whose arguments are none is malformed", (name) => {
    for (const args of [undefined, 7, [], "{", {}]) expect(called(name, args).malformed).not.toEqual([]);
  });

  test("in Claude Code's spelling has its own arguments all the same", () => {
    const tool_input = { path: "a.txt", old_str: "a", new_str: "b" };
    const payload = { hook_event_name: "PreToolUse", session_id: "s", cwd: CWD, tool_name: "Edit", tool_input };
    expect(decode("PreToolUse", payload)).toMatchObject({
      event: {
        agent: "copilot-cli",
        agentEvent: "PreToolUse",
        session: "s",
        writes: [`${CWD}/a.txt`],
        tool: { input: { file_path: "a.txt", old_string: "a", new_string: "b" } },
      },
    });
  });
});

describe("a subagent", () => {
  const inside = { sessionId: "child", agentId: "child", agentType: "task", parentAgentId: "s" };

  test("belongs to the session that started it", () => {
    const args = { toolName: "bash", toolArgs: { command: "ls" } };
    expect(read("preToolUse", { ...args, ...inside })).toMatchObject({ session: "s", agentId: "child" });
  });

  test("is asked by a machine", () => {
    expect(read("userPromptSubmitted", { prompt: "ralph: do it", ...inside })).toMatchObject({ fromPerson: false });
  });

  test("ends once, although its end is also reported as that of a turn", () => {
    expect(decode("agentStop", { ...BASE, ...inside, stopReason: "end_turn" })).toMatchObject({
      kind: "unknown",
      session: "s",
    });
    expect(read("subagentStop", { ...inside, sessionId: "s", response: "Done." })).toMatchObject({
      name: "subagent.stop",
      lastMessage: "Done.",
      agentId: "child",
    });
  });
});

test("the reason of a held stop, which comes back as a prompt, is not from a person", () => {
  const stop = read("agentStop", { stop_hook_active: true });
  expect(stop).toMatchObject({ name: "turn.stop", continued: true });
  const held = answered(stop, { outcome: "hold", reason: "2 tasks are open. [plan/stop-guard]" }) as { reason: string };
  expect(read("userPromptSubmitted", { prompt: held.reason })).toMatchObject({ fromPerson: false });
  expect(read("userPromptSubmitted", { prompt: "2 tasks are open. [plan/stop-guard]" })).toMatchObject({
    fromPerson: true,
  });
});

describe("the end of a command", () => {
  const ended = (textResultForLlm: unknown, event = "postToolUse") =>
    read(event, {
      toolName: "bash",
      toolArgs: { command: "x" },
      toolResult: { resultType: "success", textResultForLlm },
    });

  test("with another exit code than 0 is a failure", () => {
    expect(ended("hi\n<shellId: 0 completed with exit code 127>")).toMatchObject({
      name: "tool.failed",
      agentEvent: "postToolUse",
      error: "Exit code 127\nhi",
    });
  });

  test.each([
    "hi\n<shellId: 0 completed with exit code 0>",
    "<shellId: 0 completed with exit code 1>\nis what it printed\n<shellId: 0 completed with exit code 0>",
    "",
  ])("is a success otherwise: %j", (text) => {
    expect(ended(text)).toMatchObject({ name: "tool.after", response: text });
  });

  test("whose result is none is a success without one", () => {
    expect(ended(7)).toMatchObject({ name: "tool.after" });
  });
});

function answered(event: AnyEvent, said: Partial<Ruling>): unknown {
  const { exit, stdout, stderr } = copilotCli.encode(event, { ...PASS, ...said }, "exit");
  expect([exit, stderr]).toEqual([0, ""]);
  return stdout === "" ? undefined : JSON.parse(stdout);
}

describe("an answer", () => {
  const notes = [{ policy: "a/b", text: "Look." }];
  const edit = called("edit", { path: "a", old_str: "x", new_str: "y" });

  test("changes a call in the names of its tool, with context beside", () => {
    const value = { file_path: "b", old_string: "x", new_string: "z" };
    expect(answered(edit, { rewrite: { policy: "a/b", value }, notes })).toEqual({
      modifiedArgs: { path: "b", old_str: "x", new_str: "z" },
      additionalContext: "Look.",
    });
    expect(answered({ ...edit, agentEvent: "PreToolUse" }, { rewrite: { policy: "a/b", value } })).toEqual({
      hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput: { path: "b", old_str: "x", new_str: "z" } },
    });
  });

  test("never changes a patch, whose arguments cannot be put together again", () => {
    const patch = called("apply_patch", "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch");
    expect(answered(patch, { rewrite: { policy: "a/b", value: { edits: [] } } })).toBeUndefined();
  });

  test.each(["turn over", { lines: 3 }])("replaces a result by a text: %j", (value) => {
    const after = read("postToolUse", { toolName: "view", toolArgs: { path: "a" } });
    const text = typeof value === "string" ? value : JSON.stringify(value);
    expect(answered(after, { rewrite: { policy: "a/b", value } })).toEqual({
      modifiedResult: { resultType: "success", textResultForLlm: text },
    });
  });

  test.each(["sessionEnd", "notification", "preCompact", "PermissionRequest"])("%s is never answered", (agentEvent) => {
    expect(answered({ ...edit, agentEvent }, { notes, outcome: "deny", reason: "No." })).toBeUndefined();
  });
});

describe("an event that was registered for Claude Code", () => {
  const body = (payload: object): Buffer => Buffer.from(JSON.stringify(payload));

  test.each([
    ["with its variable and its time", { COPILOT_CLI: "1" }, { timestamp: "2026-11-18T04:46:11.050Z" }, true],
    // Claude Code that was started from a shell of Copilot CLI, or told so by a project's settings.
    ["without a time", { COPILOT_CLI: "1" }, { tool_use_id: "toolu_1" }, false],
    ["without the variable", {}, { timestamp: 1 }, false],
    ["with the variable off", { COPILOT_CLI: "0" }, { timestamp: 1 }, false],
  ])("%s", (_name, env, payload, isFrom) => {
    expect(isFromCopilot(env as Record<string, string>, body(payload))).toBe(isFrom);
  });

  test("that cannot be read is Claude Code's", () => {
    expect(isFromCopilot({ COPILOT_CLI: "1" }, Buffer.from("{"))).toBe(false);
  });
});
