import os from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { PASS } from "../../core/ruling.ts";
import { pi } from "./adapter.ts";

const eventOf = (payload: object) => {
  const body = Buffer.from(JSON.stringify({ sessionId: "s", sessionFile: "/s.jsonl", cwd: "/p", ...payload }));
  const decoded = pi.decode({ body, namedEvent: "", cwd: "/" });
  return decoded.kind === "event" ? decoded.event : expect.fail("no event");
};
const call = (toolName: string, input: object) => eventOf({ hook: "tool_call", toolName, toolCallId: "c", input });
const home = (name: string): string => path.join(os.homedir(), name);

describe("pi, decoding", () => {
  it.each([
    ["a.txt", "/p/a.txt"],
    ["/q/a.txt", "/q/a.txt"],
    ["@a.txt", "/p/a.txt"],
    ["~/.ssh/config", home(".ssh/config")],
    ["@~/.ssh/config", home(".ssh/config")],
    ["file:///q/a%20b.txt", "/q/a b.txt"],
    ["a\u00A0b.txt", "/p/a b.txt"],
  ])("takes the path %s as pi does", (given, file) => {
    expect(call("write", { path: given, content: "" })).toMatchObject({ writes: [file] });
    expect(call("edit", { path: given, edits: [] })).toMatchObject({ writes: [file] });
  });

  it("reads the replacements of an edit", () => {
    const event = call("edit", { path: "a.txt", edits: [{ oldText: "two", newText: "TWO" }] });
    expect(event.tool?.input.edits).toEqual([{ file_path: "a.txt", old_string: "two", new_string: "TWO" }]);
  });

  it("says that it could not read an edit of no file", () => {
    expect(call("write", { path: 7, content: "" }).malformed).toEqual(["input.file_path"]);
    expect(call("write", { path: "file://host/a", content: "" }).malformed).toEqual(["input.file_path"]);
  });

  it("takes a result with an error for a call that failed, and words it as policies read it", () => {
    const text = "out\n\n\nCommand exited with code 3";
    const result = {
      hook: "tool_result",
      toolName: "bash",
      input: { command: "x" },
      content: [{ type: "text", text }],
    };
    expect(eventOf({ ...result, isError: true })).toMatchObject({ name: "tool.failed", error: "Exit code 3\nout" });
    expect(eventOf({ ...result, isError: false }).name).toBe("tool.after");
  });

  it.each([
    ["session_start", { reason: "new" }, { source: "clear" }],
    ["session_start", { reason: "fork" }, { source: "resume" }],
    ["session_start", { reason: "compact" }, { source: "compact" }],
    ["session_before_compact", { reason: "overflow" }, { trigger: "auto" }],
    ["session_compact", { reason: "manual", summary: "S." }, { trigger: "manual", summary: "S." }],
    ["input", { text: "do it", source: "interactive" }, { prompt: "do it", fromPerson: true }],
    ["input", { text: "do it", source: "extension" }, { prompt: "do it", fromPerson: false }],
    ["agent_end", { text: "Done.", held: true }, { lastMessage: "Done.", continued: true }],
  ])("reads %s %o", (hook, fields, expected) => {
    expect(eventOf({ hook, ...fields })).toMatchObject({ ...expected, transcript: "/s.jsonl", malformed: [] });
  });
});

describe("pi, encoding", () => {
  it("denies what a person would be asked about", () => {
    const { stdout } = pi.encode(call("bash", { command: "x" }), { ...PASS, outcome: "ask", reason: "Sure?" }, "exit");
    expect(JSON.parse(stdout)).toEqual({ deny: "Sure?" });
  });

  it("gives changed arguments their own names again", () => {
    const rewrite = { policy: "p/x", value: { file_path: "/p/a", content: "b" } };
    const { stdout } = pi.encode(call("write", { path: "/p/a" }), { ...PASS, rewrite }, "exit");
    expect(JSON.parse(stdout)).toEqual({ args: { path: "/p/a", content: "b" } });
  });
});

it.each([
  [{}, "/home/dev/.pi/agent"],
  [{ PI_CODING_AGENT_DIR: "/x" }, "/x"],
  [{ PI_CODING_AGENT_DIR: "~/y" }, "/home/dev/y"],
])("with %o its extension is in %s", (env, folder) => {
  expect(pi.settingsFiles(env, "/home/dev", "/p", "/p")).toContain(`${folder}/extensions/hookwright.js`);
});
