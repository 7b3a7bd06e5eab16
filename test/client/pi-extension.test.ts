/** The extension for pi: what it reports of each event, and what it does with each answer. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FakePi, ScriptedDaemon } from "./plugin-world.ts";

let daemon: ScriptedDaemon;
let pi: FakePi;

beforeEach(async () => {
  daemon = await ScriptedDaemon.start();
  pi = new FakePi();
});
afterEach(() => daemon.stop());

const call = { toolName: "bash", toolCallId: "call_1", input: { command: "ls" } };
const result = { ...call, content: [{ type: "text", text: "a" }], isError: false };
const who = { sessionId: "s1", sessionFile: "/home/dev/.pi/agent/sessions/s1.jsonl", cwd: "/home/dev/project" };

describe("a call", () => {
  it("is reported with its arguments under pi's own names", async () => {
    expect(await pi.emit("tool_call", call)).toBeUndefined();
    expect(daemon.asked).toEqual([{ hook: "tool_call", ...who, ...call }]);
  });

  it("is blocked with the reason", async () => {
    daemon.answers = { tool_call: { deny: "No." } };
    expect(await pi.emit("tool_call", call)).toEqual({ block: true, reason: "No." });
  });

  it("is blocked when the answer is not understood", async () => {
    daemon.answers = { tool_call: '{"block":true}' };
    expect(await pi.emit("tool_call", call)).toMatchObject({
      block: true,
      reason: expect.stringContaining("stopped for safety"),
    });
  });

  it("gets other arguments in place of its own", async () => {
    daemon.answers = { tool_call: { args: { command: "ls -l" } } };
    const input = { command: "ls", timeout: 5 };
    await pi.emit("tool_call", { ...call, input });
    expect(input).toEqual({ command: "ls -l" });
  });

  it("carries what is said before and after it to the model with its result, which may be replaced", async () => {
    expect(await pi.emit("tool_result", result)).toBeUndefined();
    daemon.answers = { tool_call: { note: "One." }, tool_result: { note: "Two." } };
    await pi.emit("tool_call", call);
    expect(await pi.emit("tool_result", result)).toEqual({
      content: [...result.content, { type: "text", text: "One.\n\nTwo." }],
    });
    daemon.answers = { tool_result: { output: "hidden" } };
    expect(await pi.emit("tool_result", result)).toEqual({ content: [{ type: "text", text: "hidden" }] });
  });
});

describe("a prompt", () => {
  it("brings what the session and the prompt are told, once", async () => {
    daemon.answers = { session_start: { note: "Session." }, input: { note: "Prompt.", notice: "Look." } };
    await pi.emit("session_start", { reason: "startup" });
    await pi.emit("input", { text: "do it", source: "interactive" });
    expect(await pi.emit("before_agent_start")).toEqual({
      message: { customType: "hookwright", content: "Session.\n\nPrompt.", display: false },
    });
    expect(await pi.emit("before_agent_start")).toBeUndefined();
    expect(pi.notified).toEqual(["Hookwright: Look."]);
    expect(daemon.asked).toMatchObject([{ reason: "startup" }, { text: "do it", source: "interactive" }]);
  });

  it("that is refused goes no further, and the person is told", async () => {
    daemon.answers = { input: { deny: "Not now." } };
    expect(await pi.emit("input", { text: "deploy", source: "rpc" })).toEqual({ action: "handled" });
    expect(pi.notified).toEqual(["Hookwright: Not now."]);
  });
});

describe("the end of a turn", () => {
  const said = (stopReason: string) => ({ role: "assistant", stopReason, content: [{ type: "text", text: "Done." }] });
  const end = (stopReason = "stop"): Promise<unknown> => pi.emit("agent_end", { messages: [said(stopReason)] });

  it("is held by a message that is no prompt of a person", async () => {
    daemon.answers = { agent_end: { hold: "Go on." } };
    await end();
    expect(pi.sent).toEqual([{ text: "Go on.", options: { deliverAs: "followUp" } }]);
    await pi.emit("input", { text: "Go on.", source: "extension" });
    expect(daemon.asked).toMatchObject([{ hook: "agent_end", text: "Done.", held: false }]);
  });

  it("is held three times in a row without a call, then no more, and again after one", async () => {
    daemon.answers = { agent_end: { hold: "Go on." } };
    for (let at = 0; at < 5; at++) await end();
    expect(pi.sent).toHaveLength(3);
    expect(daemon.asked.at(-1)).toMatchObject({ held: true });
    await pi.emit("tool_result", result);
    await end();
    expect(pi.sent).toHaveLength(4);
  });

  it("is not held after the person broke off, after an error, or when more was written", async () => {
    daemon.answers = { agent_end: { hold: "Go on." } };
    await end("aborted");
    await end("error");
    pi.pending = true;
    await end();
    expect([pi.sent, daemon.events]).toEqual([[], ["agent_end.error"]]);
  });
});

it("a compaction is reported, and what the session is told comes again after it", async () => {
  daemon.answers = { session_start: { note: "Plan." } };
  await pi.emit("session_before_compact", { reason: "threshold" });
  await pi.emit("session_compact", { reason: "threshold", compactionEntry: { summary: "S." } });
  await pi.emit("session_shutdown", { reason: "quit" });
  expect(daemon.asked).toMatchObject([
    { hook: "session_before_compact", reason: "threshold" },
    { hook: "session_compact", summary: "S." },
    { hook: "session_start", reason: "compact" },
    { hook: "session_shutdown", reason: "quit" },
  ]);
  expect(await pi.emit("before_agent_start")).toMatchObject({ message: { content: "Plan." } });
});
