import { describe, expect, test } from "vitest";
import { PASS, type Ruling } from "../../core/ruling.ts";
import { codex } from "./adapter.ts";

const CWD = "/home/dev/app";

function before(tool_name: string, tool_input: object) {
  const body = { session_id: "s", cwd: CWD, hook_event_name: "PreToolUse", tool_name, tool_input, tool_use_id: "1" };
  const decoded = codex.decode({ body: Buffer.from(JSON.stringify(body)), namedEvent: "PreToolUse", cwd: "/" });
  if (decoded.kind !== "event" || decoded.event.name !== "tool.before") throw new Error("it is no call");
  return decoded.event;
}

const patched = (...lines: string[]) =>
  before("apply_patch", { command: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n") });
const answered = (agentEvent: string, said: Partial<Ruling>): unknown => {
  const { exit, stdout, stderr } = codex.encode(
    { ...before("Bash", { command: "ls" }), agentEvent },
    { ...PASS, ...said },
    "exit",
  );
  expect([exit, stderr]).toEqual([0, ""]);
  return stdout === "" ? undefined : JSON.parse(stdout);
};

describe("a patch", () => {
  test.each([
    [
      "relative and absolute",
      ["*** Add File: a/b.ts", "+x", "*** Delete File: /etc/hosts"],
      [`${CWD}/a/b.ts`, "/etc/hosts"],
    ],
    ["out of the project", ["*** Add File: ../../x/.git/config", "+x"], ["/home/x/.git/config"]],
    [
      "moved: the old place and the new one",
      ["*** Update File: a", "*** Move to: b", "@@", "-x", "+y"],
      [`${CWD}/a`, `${CWD}/b`],
    ],
    ["the same file twice", ["*** Update File: a", "@@", "-x", "+y", "*** Update File: a", "@@", "-z"], [`${CWD}/a`]],
    [
      "names like options, markup and code",
      ["*** Add File: -rf", "+x", "*** Add File: $(id) `x` 'y'", "+x"],
      [`${CWD}/-rf`, `${CWD}/$(id) \`x\` 'y'`],
    ],
  ])("%s", (_name, lines, writes) => {
    expect(patched(...lines)).toMatchObject({ writes, malformed: [], tool: { kind: "edit", name: "apply_patch" } });
  });

  test("shows policies what each file loses and gets", () => {
    const { tool } = patched("*** Update File: a", "@@", " one", "-two", "+TWO", "*** Add File: b", "+new");
    expect(tool.input).toEqual({
      edits: [
        { file_path: "a", old_string: "one\ntwo", new_string: "one\nTWO" },
        { file_path: "b", content: "new" },
      ],
    });
  });

  test.each([["*** Begin Patch\n*** End Patch"], [""], [7], [undefined]])(
    "that names no file is malformed: %j",
    (command) => {
      expect(before("apply_patch", { command }).malformed).not.toEqual([]);
    },
  );
});

test("a patch on a command line stays a command, which the readers of command lines understand", () => {
  const command = "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: a\n+x\n*** End Patch\nEOF\n";
  expect(before("Bash", { command })).toMatchObject({ writes: [], tool: { kind: "shell", input: { command } } });
});

describe("an answer", () => {
  const notes = [{ policy: "a/b", text: "Look." }];
  const own = (fields: object) => ({ hookSpecificOutput: fields });

  test("denies with the reason and nothing else, since Codex drops an answer with a key that it does not know", () => {
    const denial = { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: "No." };
    expect(answered("PreToolUse", { outcome: "deny", reason: "No.", policy: "a/b", notes })).toEqual(own(denial));
  });

  test.each(["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "SubagentStart"])(
    "%s takes context",
    (event) => {
      expect(answered(event, { notes })).toEqual(own({ hookEventName: event, additionalContext: "Look." }));
      expect(answered(event, {})).toBeUndefined();
    },
  );

  test.each(["Stop", "SubagentStop"])("%s is held by a block", (event) => {
    expect(answered(event, { outcome: "hold", strength: "soft", reason: "Go on." })).toEqual({
      decision: "block",
      reason: "Go on.",
    });
  });

  test.each(["PreCompact", "PostCompact", "SessionEnd"])("%s is never answered", (event) => {
    expect(answered(event, { notes, outcome: "deny", reason: "No." })).toBeUndefined();
  });

  test("a permission is given or refused", () => {
    const decision = (said: Partial<Ruling>): unknown => answered("PermissionRequest", said);
    expect(decision({ outcome: "approve" })).toEqual(
      own({ hookEventName: "PermissionRequest", decision: { behavior: "allow" } }),
    );
    const refused = { behavior: "deny", message: "No." };
    expect(decision({ outcome: "deny", reason: "No." })).toEqual(
      own({ hookEventName: "PermissionRequest", decision: refused }),
    );
  });
});
