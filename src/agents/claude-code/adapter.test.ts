import { describe, expect, it } from "vitest";
import { EVENTS, eventNames } from "../../core/event.ts";
import { PASS, type Ruling } from "../../core/ruling.ts";
import { fingerprint } from "../../core/text/fingerprint.ts";
import type { VerdictKind } from "../../core/verdict.ts";
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
      JSON.stringify({
        hook_event_name: agentEvent,
        session_id: "s",
        cwd: "/p",
        tool_name: "X",
        tool_input: {},
        tool_calls: [],
      }),
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

  it("shortens ids that no row should hold, and keeps different ones apart", () => {
    const fields = ["session_id", "agent_id", "tool_use_id", "tool_name"] as const;
    const idsOf = (id: string): string[] => {
      const raw = Object.fromEntries(fields.map((name) => [name, id]));
      const decoded = decode(JSON.stringify({ hook_event_name: "PreToolUse", tool_input: {}, ...raw }));
      if (decoded.kind !== "event" || decoded.event.name !== "tool.before") throw new Error(decoded.kind);
      const { session, agentId, tool } = decoded.event;
      return [session, agentId, tool.useId, tool.name];
    };
    const usual = "u".repeat(256);
    expect(idsOf(usual)).toEqual(fields.map(() => usual));
    const long = "u".repeat(257);
    const kept = `${"u".repeat(200)}~${fingerprint(long)}`;
    expect(idsOf(long)).toEqual(fields.map(() => kept));
    expect(idsOf(`${long}x`)[0]).not.toBe(kept);
    // Cut between two characters; the same id gives the same result.
    const wide = `x${"\u{1f600}".repeat(1_000)}`;
    expect(idsOf(wide).every((id) => id.isWellFormed() && id.length < 256)).toBe(true);
    expect(idsOf(wide)).toEqual(idsOf(wide));
  });

  it("takes no working directory that cannot exist", () => {
    const at = (cwd: string) => decode(JSON.stringify({ hook_event_name: "Stop", cwd }));
    expect(at(`/${"x".repeat(4_000)}`)).toMatchObject({ event: { cwd: `/${"x".repeat(4_000)}` } });
    expect(at(`/${"x".repeat(5_000)}`)).toMatchObject({ event: { cwd: "/here" } });
  });

  it("takes a payload with a tool but no event name as a call about to run", () => {
    expect(decode('{"tool_name":"Bash","tool_input":{"command":"ls"}}')).toMatchObject({
      event: { name: "tool.before", session: "", cwd: "/here", tool: { kind: "shell" }, malformed: [] },
    });
  });

  it("tells the language of a shell that is not bash", () => {
    const of = (tool: string) =>
      decode(JSON.stringify({ hook_event_name: "PreToolUse", tool_name: tool, tool_input: { command: "ls" } }));
    expect(of("PowerShell")).toMatchObject({ event: { tool: { kind: "shell", dialect: "powershell" } } });
    expect(of("Bash")).not.toHaveProperty("event.tool.dialect");
    expect(of("powershell")).toMatchObject({ event: { tool: { kind: "other" } } });
  });

  it.each(["toString", "constructor", "__proto__", "mcp__x__y"])("takes %s for a tool like any other", (name) => {
    const decoded = decode(JSON.stringify({ hook_event_name: "PreToolUse", tool_name: name, tool_input: {} }));
    expect(decoded).toMatchObject({ event: { tool: { name, kind: "other" } } });
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
    [{ tool_name: "Bash", tool_input: {} }, ["tool_input.command"]],
    [{ tool_name: "Bash", tool_input: { command: 7 } }, ["tool_input.command"]],
    [{ tool_name: "PowerShell", tool_input: { command: ["ls"] } }, ["tool_input.command"]],
    [{ tool_name: "Edit", tool_input: {} }, ["tool_input.file_path"]],
    [{ tool_name: "Write", tool_input: { file_path: 5 } }, ["tool_input.file_path"]],
    [{ tool_name: "Bash", tool_input: { command: "ls" }, session_id: {} }, ["session_id"]],
    [{ tool_name: "Bash", tool_input: { command: "ls" }, cwd: 1 }, ["cwd"]],
    [{ tool_name: "Bash", tool_input: { command: "ls" }, tool_use_id: [] }, ["tool_use_id"]],
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
    const hard = claudeCode.encode(stop(), ruling({ outcome: "hold", strength: "hard", reason: "go on" }), "exit");
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

  const RULINGS: Readonly<Record<VerdictKind, Ruling>> = {
    deny: denial,
    ask: ruling({ outcome: "ask", reason: "sure?" }),
    note: ruling({ notes: [{ policy: "p/x", text: "know this" }] }),
    notice: ruling({ notices: [{ policy: "p/x", text: "look" }] }),
    hold: ruling({ outcome: "hold", reason: "go on" }),
    release: PASS,
    rewrite: ruling({ rewrite: { policy: "p/x", value: { action: "accept", content: {} } } }),
    approve: ruling({ outcome: "approve" }),
    wait: ruling({ wait: { policy: "p/x", text: "" } }),
    end: ruling({ end: { policy: "p/x", text: "over" } }),
    watch: ruling({ watch: ["/p/.env"] }),
    environment: ruling({ environment: { A: "1" } }),
  };
  const legal = Object.entries(CLAUDE_EVENTS).flatMap(([agentEvent, name]) =>
    EVENTS[name].verdicts.map((kind: VerdictKind) => ({ agentEvent, kind })),
  );

  // Environment variables go into a file, a release only cancels a hold, and a wait comes before the answer.
  const UNSEEN: readonly VerdictKind[] = ["environment", "release", "wait"];
  it.each(legal.filter(({ kind }) => !UNSEEN.includes(kind)))(
    "has a form for $kind at $agentEvent, under the event's own name",
    ({ agentEvent, kind }) => {
      const event = claudeEvent({ hook_event_name: agentEvent, tool_name: "Bash", tool_input: {}, tool_calls: [] });
      const isPath = agentEvent === "WorktreeCreate";
      const said = isPath ? ruling({ rewrite: { policy: "p/x", value: "/p/wt" } }) : RULINGS[kind];
      const reply = claudeCode.encode(event, said, "json");
      expect(reply.stdout + reply.stderr).not.toBe("");
      if (!reply.stdout.startsWith("{")) return;
      const output = parsed(reply.stdout) as { hookSpecificOutput?: { hookEventName: string } };
      expect(output.hookSpecificOutput?.hookEventName ?? agentEvent).toBe(agentEvent);
    },
  );

  it.each(legal)("tells $kind at $agentEvent, stored in one form, in the other", ({ agentEvent, kind }) => {
    const event = claudeEvent({ hook_event_name: agentEvent, tool_name: "Bash", tool_input: {}, tool_calls: [] });
    const [byExit, byJson] = (["exit", "json"] as const).map((form) => claudeCode.encode(event, RULINGS[kind], form));
    if (!byExit || !byJson) throw new Error("there are two forms");
    expect(claudeCode.inForm?.(event, byExit, "json")).toEqual(byJson);
    expect(claudeCode.inForm?.(event, byJson, "exit")).toEqual(byExit);
  });

  it("leaves plain text that looks like an answer as it is", () => {
    const reply = { exit: 0, stdout: '{"decision": keep\n', stderr: "" };
    expect(claudeCode.inForm?.(claudeEvent({ hook_event_name: "PreCompact" }), reply, "json")).toEqual(reply);
    const notes = { exit: 0, stdout: "{keep}\n", stderr: "" };
    expect(claudeCode.inForm?.(claudeEvent({ hook_event_name: "PreCompact" }), notes, "exit")).toEqual(notes);
  });

  it.each([
    ["PreCompact", RULINGS.note, "know this\n"],
    ["WorktreeCreate", ruling({ rewrite: { policy: "p/x", value: "/p/wt" } }), "/p/wt\n"],
  ])("answers %s in plain text", (agentEvent, said, stdout) => {
    expect(claudeCode.encode(claudeEvent({ hook_event_name: agentEvent }), said, "json")).toEqual({
      exit: 0,
      stdout,
      stderr: "",
    });
  });

  it.each([
    ["Elicitation", RULINGS.deny, { action: "decline" }],
    ["ElicitationResult", RULINGS.rewrite, { action: "accept", content: {} }],
    ["PermissionRequest", RULINGS.approve, { decision: { behavior: "allow" } }],
    ["PermissionDenied", RULINGS.approve, { retry: true }],
    ["MessageDisplay", ruling({ rewrite: { policy: "p/x", value: "shown" } }), { displayContent: "shown" }],
    ["CwdChanged", RULINGS.watch, { watchPaths: ["/p/.env"] }],
    ["PreModelSwitch", RULINGS.ask, { permissionDecision: "ask", permissionDecisionReason: "sure?" }],
  ])("answers %s in its own fields", (agentEvent, said, fields) => {
    const event = claudeEvent({ hook_event_name: agentEvent, tool_name: "Bash", tool_input: {} });
    expect(parsed(claudeCode.encode(event, said, "exit").stdout)).toEqual({
      hookSpecificOutput: { hookEventName: agentEvent, ...fields },
    });
  });

  it("ends a turn with the reason for the person", () => {
    const event = claudeEvent({ hook_event_name: "PostToolBatch", tool_calls: [] });
    expect(parsed(claudeCode.encode(event, RULINGS.end, "json").stdout)).toEqual({
      continue: false,
      stopReason: "over [p/x]",
    });
  });
});
