import { describe, expect, it } from "vitest";
import type { Frame } from "../../core/frame.ts";
import { claudeEvent, shell, stop } from "../../testing/events.ts";
import { isSecondRegistration, keyOf, prepare } from "./receive.ts";

const frame = (more: Partial<Frame> = {}): Frame => ({
  nonce: "n1",
  build: "b",
  home: "/h",
  deadline: 0,
  cwd: "/p",
  ppid: 1,
  cut: "",
  args: [],
  env: {},
  body: Buffer.from('{"hook_event_name":"Stop"}'),
  ...more,
});
const args = {
  agent: "claude-code",
  event: "",
  profiles: undefined,
  reply: "exit",
  isSupplement: false,
  waitMs: 0,
  via: "",
} as const;
const call = (more = {}) =>
  claudeEvent({ hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: {}, tool_use_id: "t1", ...more });

describe("the key of an event", () => {
  const base = keyOf(call(), frame(), args);
  it("is the same for a retried call, whatever its nonce", () => {
    expect(keyOf(call(), frame({ nonce: "n2" }), args)).toBe(base);
  });

  it.each([
    ["session", () => keyOf(call({ session_id: "other" }), frame(), args)],
    ["subagent", () => keyOf(call({ agent_id: "a1" }), frame(), args)],
    ["event", () => keyOf(call({ hook_event_name: "PostToolUse" }), frame(), args)],
    ["call id", () => keyOf(call({ tool_use_id: "t2" }), frame(), args)],
    ["body", () => keyOf(call(), frame({ body: Buffer.from("{}") }), args)],
    ["profiles", () => keyOf(call(), frame(), { profiles: ["ntm"] })],
  ])("differs by %s", (_name, other) => {
    expect(other()).not.toBe(base);
  });

  it("goes by the nonce where there is no call id, so that two equal stops are two events", () => {
    expect(keyOf(stop(), frame(), args)).toBe(keyOf(stop(), frame(), args));
    expect(keyOf(stop(), frame({ nonce: "n2" }), args)).not.toBe(keyOf(stop(), frame(), args));
  });
});

describe("a second registration", () => {
  it.each([
    ["another one for an event without call id", stop(), "project", "user", true],
    ["the first one again", stop(), "user", "user", false],
    ["a call by hand", stop(), "", "user", false],
    ["the first event of a session", stop(), "user", "", false],
    ["an event with a call id, which its key recognises", shell("ls"), "project", "user", false],
  ] as const)("is %s", (_name, event, via, first, expected) => {
    expect(isSecondRegistration(event, { ...args, via }, first)).toBe(expected);
  });
});

describe("preparing a frame", () => {
  it("answers wrong usage with exit code 1", () => {
    expect(prepare(frame({ args: ["--what"] }))).toMatchObject({ kind: "answered", reply: { exit: 1 } });
    expect(prepare(frame({ args: ["--agent", "nobody"] }))).toMatchObject({
      reply: { exit: 1, stderr: expect.stringContaining("known: claude-code") },
    });
  });

  it("decides a body that arrived whole although the pipe stayed open", () => {
    expect(prepare(frame({ cut: "timeout" }))).toMatchObject({ kind: "event" });
  });

  it.each([
    [{ cut: "timeout", body: Buffer.from('{"hook') }, "not closed in time"],
    [{ cut: "too-large" }, "larger than 64 MB"],
    [{ body: Buffer.from('{"hook') }, "not valid JSON"],
  ] as const)("says why %j cannot be read", (more, detail) => {
    expect(prepare(frame(more))).toMatchObject({ kind: "other", decoded: { detail: expect.stringContaining(detail) } });
  });
});
