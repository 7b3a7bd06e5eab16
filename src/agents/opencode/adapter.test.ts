import { describe, expect, it } from "vitest";
import { PASS, type Ruling } from "../../core/ruling.ts";
import { opencode } from "./adapter.ts";

const decode = (payload: object | string) => {
  const body = Buffer.from(typeof payload === "string" ? payload : JSON.stringify(payload));
  return opencode.decode({ body, namedEvent: "tool.execute.before", cwd: "/p" });
};
const eventOf = (payload: object) => {
  const decoded = decode({ sessionID: "s", directory: "/p", callID: "c", ...payload });
  return decoded.kind === "event" ? decoded.event : expect.fail("no event");
};
const call = (tool: string, args: object) => eventOf({ hook: "tool.execute.before", tool, args });
const result = (metadata: object) =>
  eventOf({ hook: "tool.execute.after", tool: "bash", args: { command: "x" }, output: { output: "text", metadata } });
const answer = (event: ReturnType<typeof call>, ruling: Partial<Ruling>): unknown => {
  const { exit, stdout, stderr } = opencode.encode(event, { ...PASS, ...ruling }, "exit");
  expect([exit, stderr]).toEqual([0, ""]);
  return stdout === "" ? undefined : JSON.parse(stdout);
};

describe("opencode, decoding", () => {
  it("reads a command, and where it runs", () => {
    expect(call("bash", { command: "ls", workdir: "src" })).toMatchObject({
      name: "tool.before",
      cwd: "/p/src",
      tool: { kind: "shell", input: { command: "ls" }, useId: "c" },
    });
  });

  it.each([
    ["edit", { filePath: "a.txt", oldString: "a", newString: "b" }, ["/p/a.txt"]],
    ["write", { filePath: "/q/b.txt", content: "b" }, ["/q/b.txt"]],
    [
      "apply_patch",
      { patchText: "*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n*** Delete File: b\n*** End Patch" },
      ["/p/a", "/p/b"],
    ],
    ["read", { filePath: "a.txt" }, []],
  ])("knows what %s writes", (tool, args, writes) => {
    expect(call(tool, args)).toMatchObject({ writes });
  });

  it("says what could not be read of an edit that names no file", () => {
    expect(call("write", { content: "x" }).malformed).not.toEqual([]);
    expect(call("bash", {}).malformed).toEqual(["args.command"]);
  });

  it("takes a command with another exit code than 0 for one that failed", () => {
    expect(result({ exit: 0 }).name).toBe("tool.after");
    expect(result({ exit: 2 })).toMatchObject({ name: "tool.failed", error: "Exit code 2\ntext" });
  });

  it("knows a subagent by its session, which belongs to the main one", () => {
    const event = eventOf({ hook: "session.created.child", childID: "ses_2", agent: "general", source: "startup" });
    expect(event).toMatchObject({ name: "subagent.start", session: "s", agentId: "ses_2", agentType: "general" });
  });

  it("takes what is no event of its plugin for none", () => {
    expect(decode("{").kind).toBe("unreadable");
    expect(decode({ hook: "tool.definition", sessionID: "s" }).kind).toBe("unknown");
  });
});

describe("opencode, encoding", () => {
  const shell = call("bash", { command: "ls" });

  it("denies what a person would be asked about", () => {
    expect(answer(shell, { outcome: "ask", reason: "Sure?", policy: "p/x" })).toEqual({ deny: "Sure?" });
  });

  it("gives changed arguments their own names again", () => {
    const rewrite = { policy: "p/x", value: { file_path: "/p/a", content: "b" } };
    expect(answer(call("write", {}), { rewrite })).toEqual({ args: { filePath: "/p/a", content: "b" } });
  });

  it("changes no patch, whose arguments it has brought into another form", () => {
    expect(answer(call("apply_patch", {}), { rewrite: { policy: "p/x", value: { edits: [] } } })).toBeUndefined();
  });

  it("never holds a subagent, and never asks at a stop", () => {
    const stop = eventOf({ hook: "session.idle.child", childID: "ses_2", text: "" });
    expect(answer(stop, { outcome: "hold", reason: "Go on.", policy: "p/x" })).toBeUndefined();
    const idle = eventOf({ hook: "session.idle", text: "" });
    expect(answer(idle, { outcome: "hold", reason: "Go on.", policy: "p/x" })).toEqual({ hold: "Go on." });
  });
});

it("its plugin and its settings count as settings, in the project too", () => {
  const files = opencode.settingsFiles({ XDG_CONFIG_HOME: "/x" }, "/home/dev", "/p/sub", "/p");
  expect(files).toEqual(
    expect.arrayContaining([
      "/x/opencode/plugins/hookwright.js",
      "/x/opencode/opencode.json",
      "/p/.opencode/plugins/hookwright.js",
      "/p/opencode.jsonc",
    ]),
  );
});
