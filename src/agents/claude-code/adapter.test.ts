import { describe, expect, it } from "vitest";
import { EVENTS, eventNames } from "../../core/event.ts";
import { PASS, type Ruling } from "../../core/ruling.ts";
import { claudeEvent, prompt, shell, stop, writes } from "../../testing/events.ts";
import { claudeCode } from "./adapter.ts";
import { CLAUDE_EVENTS } from "./events.ts";

const decode = (text: string | Buffer, namedEvent = "") =>
  claudeCode.decode({ body: Buffer.from(text), namedEvent, cwd: "/here" });

const ruling = (more: Partial<Ruling>): Ruling => ({ ...PASS, ...more });
const denial = ruling({ outcome: "deny", reason: "because", policy: "p/x" });
const parsed = (stdout: string): unknown => (stdout === "" ? undefined : JSON.parse(stdout));

describe("Claude Code, decoding", () => {
  it("has a name for each of the 33 events, and no two alike", () => {
    expect(Object.keys(CLAUDE_EVENTS)).toHaveLength(33);
    expect(new Set(Object.values(CLAUDE_EVENTS))).toEqual(new Set(eventNames));
  });

  it.each(Object.entries(CLAUDE_EVENTS))("reads %s", (agentEvent, name) => {
    const decoded = decode(
      JSON.stringify({ hook_event_name: agentEvent, session_id: "s", cwd: "/p", tool_name: "X", tool_input: {} }),
    );
    expect(decoded).toMatchObject({
      kind: "event",
      event: { name, agentEvent, session: "s", cwd: "/p", malformed: [] },
    });
  });

  it.each([
    ["empty", "", "empty"],
    ["cut", '{"hook_event_name":"Stop"', "not valid JSON"],
    ["a list", "[]", "not a JSON object"],
    ["null", "null", "not a JSON object"],
    ["a number", "7", "not a JSON object"],
    ["an event name that is no text", '{"hook_event_name":7}', "hook_event_name"],
  ])("calls input unreadable that is %s", (_name, text, detail) => {
    const decoded = decode(text);
    expect(decoded.kind).toBe("unreadable");
    expect(decoded).toMatchObject({ detail: expect.stringContaining(detail) });
  });

  it("never quotes unreadable input, which may hold a secret", () => {
    expect(JSON.stringify(decode('{"token": sk-ant-REDACTED}'))).not.toContain("sk-ant");
  });

  it("takes a payload with a tool but no event name as a call about to run", () => {
    expect(decode('{"tool_name":"Bash","tool_input":{"command":"ls"}}')).toMatchObject({
      event: { name: "tool.before", session: "", cwd: "/here", tool: { kind: "shell" }, malformed: [] },
    });
  });

  it("takes the event from the registration when the payload has none, and the payload's when both name one", () => {
    expect(decode("{}", "Stop")).toMatchObject({ event: { name: "turn.stop" } });
    expect(decode('{"hook_event_name":"Stop"}', "PreToolUse")).toMatchObject({ event: { name: "turn.stop" } });
  });

  it("passes an event it does not know", () => {
    expect(decode('{"hook_event_name":"Tomorrow","session_id":"s"}')).toMatchObject({
      kind: "unknown",
      agentEvent: "Tomorrow",
    });
    expect(decode("{}")).toMatchObject({ kind: "unknown", agentEvent: "" });
    expect(decode('{"hook_event_name":"toString"}')).toMatchObject({ kind: "unknown" });
  });

  it.each([
    [{ tool_name: 5, tool_input: {} }, ["tool_name"]],
    [{ tool_input: {} }, ["tool_name"]],
    [{ tool_name: "Bash" }, ["tool_input"]],
    [{ tool_name: "Bash", tool_input: "ls" }, ["tool_input"]],
    [{ tool_name: "Bash", tool_input: [] }, ["tool_input"]],
    [{ tool_name: "Edit", tool_input: {} }, ["tool_input.file_path"]],
    [{ tool_name: "Write", tool_input: { file_path: 5 } }, ["tool_input.file_path"]],
    [{ tool_name: "Bash", tool_input: {}, session_id: {} }, ["session_id"]],
    [{ tool_name: "Bash", tool_input: {}, cwd: 1 }, ["cwd"]],
    [{ tool_name: "Bash", tool_input: {}, tool_use_id: [] }, ["tool_use_id"]],
  ])("notes malformed fields of %j", (payload, malformed) => {
    const decoded = decode(JSON.stringify({ hook_event_name: "PreToolUse", ...payload }));
    expect(decoded).toMatchObject({ kind: "event", event: { malformed } });
  });

  it("repairs a lone surrogate instead of failing on it", () => {
    const decoded = decode('{"hook_event_name":"Stop","session_id":"a\\ud800b"}');
    expect(decoded).toMatchObject({ event: { session: "a\ufffdb", malformed: [] } });
  });

  it("resolves written paths against the event's directory", () => {
    expect(writes("../x/./y.txt")).toMatchObject({ writes: ["/home/dev/x/y.txt"] });
    expect(shell("echo > x")).toMatchObject({ writes: [] });
  });

  it.each([
    [{ prompt: "hello" }, true],
    [{ prompt: "hello", source: "user" }, true],
    [{ prompt: "hello", source: "schedule_wakeup" }, false],
    [{ prompt: "<task-notification>done</task-notification>" }, false],
    [{ prompt: "what is a <task-notification>?" }, true],
  ])("knows whether a person wrote %j", (payload, fromPerson) => {
    expect(prompt("", payload)).toMatchObject({ fromPerson });
  });
});

describe("Claude Code, encoding", () => {
  it("says nothing when everything passes, for every event", () => {
    for (const agentEvent of Object.keys(CLAUDE_EVENTS)) {
      const event = claudeEvent({ hook_event_name: agentEvent, tool_name: "Bash", tool_input: {} });
      expect(claudeCode.encode(event, PASS, "exit")).toEqual({ exit: 0, stdout: "", stderr: "" });
    }
  });

  it("denies a call by JSON, with exit code 2 and the reason on stderr in the exit form only", () => {
    const output = {
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: "because",
      },
    };
    const byExit = claudeCode.encode(shell("ls"), denial, "exit");
    expect(byExit).toMatchObject({ exit: 2, stderr: "because\n" });
    expect(parsed(byExit.stdout)).toEqual(output);
    const byJson = claudeCode.encode(shell("ls"), denial, "json");
    expect(byJson).toMatchObject({ exit: 0, stderr: "" });
    expect(parsed(byJson.stdout)).toEqual(output);
  });

  it("asks with exit code 0 in both forms", () => {
    for (const form of ["exit", "json"] as const) {
      const reply = claudeCode.encode(shell("ls"), ruling({ outcome: "ask", reason: "sure?" }), form);
      expect(reply).toMatchObject({ exit: 0, stderr: "" });
      expect(parsed(reply.stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: "ask" } });
    }
  });

  it("blocks a stop for a hard hold and continues it by context for a soft one", () => {
    const hard = claudeCode.encode(stop(), ruling({ outcome: "hold", reason: "go on" }), "exit");
    expect(hard).toMatchObject({ exit: 2, stderr: "go on\n" });
    expect(parsed(hard.stdout)).toEqual({ decision: "block", reason: "go on" });
    const soft = claudeCode.encode(stop(), ruling({ outcome: "hold", reason: "go on", strength: "soft" }), "exit");
    expect(soft).toMatchObject({ exit: 0, stderr: "" });
    expect(parsed(soft.stdout)).toEqual({ hookSpecificOutput: { hookEventName: "Stop", additionalContext: "go on" } });
  });

  it("refuses a prompt by decision, and a permission request by its answer only", () => {
    expect(parsed(claudeCode.encode(prompt("x"), denial, "json").stdout)).toEqual({
      decision: "block",
      reason: "because",
    });
    const request = claudeEvent({ hook_event_name: "PermissionRequest", tool_name: "Bash", tool_input: {} });
    for (const form of ["exit", "json"] as const) {
      const reply = claudeCode.encode(request, denial, form);
      expect(reply.exit).toBe(0);
      expect(parsed(reply.stdout)).toEqual({
        hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "deny", message: "because" } },
      });
    }
  });

  it.each(["TaskCompleted", "TeammateIdle"])("blocks %s by exit code even in the JSON form", (agentEvent) => {
    const event = claudeEvent({ hook_event_name: agentEvent });
    const reply = claudeCode.encode(event, ruling({ outcome: "hold", reason: "not yet" }), "json");
    expect(reply).toMatchObject({ exit: 2, stderr: "not yet\n" });
  });

  it("carries notes to the model, notices to the person, and rewrites", () => {
    const said = ruling({
      notes: [
        { policy: "p/a", text: "one" },
        { policy: "p/b", text: "two" },
      ],
      notices: [{ policy: "p/c", text: "look" }],
      rewrite: { policy: "p/d", value: { command: "ls -l" } },
    });
    expect(parsed(claudeCode.encode(shell("ls"), said, "json").stdout)).toEqual({
      systemMessage: "look [p/c]",
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        updatedInput: { command: "ls -l" },
        additionalContext: "one\n\ntwo",
      },
    });
  });

  it.each([
    ["PreToolUse", "exit", 2, true],
    ["PreToolUse", "json", 0, true],
    ["Stop", "exit", 0, false],
    ["", "exit", 0, false],
  ] as const)("answers an unreadable %s in the %s form with exit code %d", (agentEvent, form, exit, isDenied) => {
    const reply = claudeCode.encodeUnreadable(agentEvent, "unreadable", form);
    expect(reply.exit).toBe(exit);
    expect(reply.stdout.includes('"permissionDecision":"deny"')).toBe(isDenied);
  });

  it("lets every verdict that is legal at an event be expressed by its blocking form", () => {
    for (const [name, { blocking, verdicts }] of Object.entries(EVENTS)) {
      const kinds: readonly string[] = verdicts;
      if (blocking === "none") expect([name, kinds.includes("deny") || kinds.includes("hold")]).toEqual([name, false]);
      if (blocking === "continue") expect([name, kinds.includes("hold")]).toEqual([name, true]);
      if (blocking === "permission" || blocking === "prompt" || blocking === "refuse") {
        expect([name, kinds.includes("deny")]).toEqual([name, true]);
      }
    }
  });
});
