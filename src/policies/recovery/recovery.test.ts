import { describe, expect, it } from "vitest";
import type { AnyEvent, Json, JsonObject } from "../../core/event.ts";
import { claudeEvent, PROJECT, prompt, toolAfter } from "../../testing/events.ts";
import { FAKE_NOW } from "../../testing/fake-ports.ts";
import { createSandbox } from "../../testing/sandbox.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./recovery.ts";

const FILE = `${PROJECT}/src/a.ts`;
const NOT_FOUND = "String to replace not found in file.\nString: const a = 1;";
const SEVERAL = "Found 2 matches of the string to replace, but replace_all is false.\nString: a";
const SAME = "No changes to make: old_string and new_string are exactly the same.";
const UNREAD = "File has not been read yet. Read it first before writing to it.";
const CHANGED = "File has been modified since read, either by the user or by a linter. Read it again.";

interface Call {
  readonly tool?: string;
  readonly file?: string;
  readonly response: Json;
}

let calls = 0;
const batch = (of: readonly Call[], more: JsonObject = {}): AnyEvent => {
  const tool_calls = of.map(({ tool = "Edit", file = FILE, response }) => ({
    tool_name: tool,
    tool_input: tool === "Bash" ? { command: "cat a" } : { file_path: file, old_string: "a", new_string: "b" },
    tool_use_id: `toolu_batch_${++calls}`,
    tool_response: response,
  }));
  return claudeEvent({ hook_event_name: "PostToolBatch", tool_calls, ...more });
};
const reason = (text: string): string => `<tool_use_error>${text}</tool_use_error>`;
const rejected = (text: string, file = FILE, more: JsonObject = {}): AnyEvent =>
  batch([{ file, response: reason(text) }], more);
const failed = (error: string, more: JsonObject = {}): AnyEvent =>
  claudeEvent({
    hook_event_name: "PostToolUseFailure",
    tool_name: "Edit",
    tool_input: { file_path: FILE, old_string: "a", new_string: "b" },
    tool_use_id: `toolu_failed_${++calls}`,
    error,
    ...more,
  });
const read = (file = FILE, more: JsonObject = {}): AnyEvent =>
  toolAfter("Read", { file_path: file }, `toolu_read_${++calls}`, more);
const subagent = { agent_id: "a1", agent_type: "Explore" };

const turnFailed = (error: string, text: string, more: JsonObject = {}): AnyEvent =>
  claudeEvent({ hook_event_name: "StopFailure", error, last_assistant_message: text, ...more });
const TOO_LONG = turnFailed("invalid_request", "API Error: prompt is too long: 210000 tokens > 200000 maximum");
const compacted = claudeEvent({ hook_event_name: "PostCompact", trigger: "auto", compact_summary: "x" });
const goOn = prompt("go on");

testPolicy(policy, {
  hit: [
    {
      name: "the text to be replaced is not there",
      event: rejected(NOT_FOUND),
      says: "note",
      message: "missing",
      text: "Nothing was changed in src/a.ts, because the text to be replaced is not there.",
    },
    { name: "it is there twice", event: rejected(SEVERAL), says: "note", message: "several", text: "replace_all" },
    { name: "both texts are the same", event: rejected(SAME), says: "note", message: "same" },
    { name: "the file was not read", event: rejected(UNREAD), says: "note", message: "unread" },
    { name: "the file was changed", event: rejected(CHANGED), says: "note", message: "changed" },
    {
      name: "a Write over a file that was not read",
      event: batch([{ tool: "Write", response: reason(UNREAD) }]),
      says: "note",
      message: "unread",
    },
    {
      name: "the words of opencode",
      event: rejected("Error: oldString not found in content"),
      says: "note",
      message: "missing",
    },
    {
      name: "its words for several",
      event: rejected("oldString found multiple times and requires more code context"),
      says: "note",
      message: "several",
    },
    {
      name: "its words for the same",
      event: rejected("oldString and newString must be different"),
      says: "note",
      message: "same",
    },
    {
      name: "a response in parts",
      event: batch([{ response: [{ type: "text", text: reason(NOT_FOUND) }] }]),
      says: "note",
      message: "missing",
    },
    {
      name: "a file outside the project, by its whole path",
      event: rejected(NOT_FOUND, "/srv/x.ts"),
      says: "note",
      message: "missing",
      text: "in /srv/x.ts,",
    },
    {
      name: "an edit that was started and failed",
      event: failed(CHANGED),
      says: "note",
      message: "changed",
    },
    {
      name: "several files and errors of one batch, each error once",
      event: batch([
        { response: reason(UNREAD) },
        { response: reason(UNREAD) },
        { file: "b.ts", response: reason(UNREAD) },
        { file: "c.ts", response: reason(NOT_FOUND) },
        { file: "d.ts", response: "The file d.ts has been updated." },
      ]),
      says: "note",
      message: "missing",
      text: "in c.ts,",
      also: [{ says: "note", message: "unread" }],
    },
    {
      name: "five files, each by its name",
      event: batch(["1", "2", "3", "4", "5"].map((file) => ({ file, response: reason(UNREAD) }))),
      says: "note",
      message: "unread",
      text: "in 1, 2, 3, 4, 5, because",
    },
    {
      name: "many files by the first of them",
      event: batch(["1", "2", "3", "4", "5", "6", "7"].map((file) => ({ file, response: reason(UNREAD) }))),
      says: "note",
      message: "unread",
      text: "in 1, 2, 3, 4, 5 and 2 more,",
    },
    { name: "again after it was read", after: [rejected(NOT_FOUND), read()], event: rejected(NOT_FOUND), ...missing() },
    {
      name: "another error of the same file",
      after: [rejected(UNREAD)],
      event: rejected(NOT_FOUND),
      ...missing(),
    },
    {
      name: "the same error of another file",
      after: [rejected(NOT_FOUND)],
      event: rejected(NOT_FOUND, "b.ts"),
      ...missing(),
    },
    {
      name: "a subagent, which was not told",
      after: [rejected(NOT_FOUND)],
      event: rejected(NOT_FOUND, FILE, subagent),
      ...missing(),
    },
    {
      name: "the prompt after a conversation that was too long",
      after: [TOO_LONG],
      event: goOn,
      says: "note",
      message: "too_long",
      text: "too long for the model (210,000 tokens of at most 200,000).",
    },
    {
      name: "without numbers",
      after: [turnFailed("unknown", "Prompt is too long")],
      event: goOn,
      says: "note",
      message: "too_long",
      text: "too long for the model. Read",
    },
    {
      name: "the details of the service",
      after: [turnFailed("invalid_request", "API Error: 400", { error_details: "prompt is too long" })],
      event: goOn,
      says: "note",
      message: "too_long",
    },
    {
      name: "the second time",
      after: [TOO_LONG, goOn, TOO_LONG],
      event: goOn,
      says: "note",
      message: "too_long_again",
    },
    {
      name: "twice before a prompt",
      after: [TOO_LONG, TOO_LONG],
      event: goOn,
      says: "note",
      message: "too_long_again",
    },
    {
      name: "after a compaction it is a first one",
      after: [TOO_LONG, goOn, TOO_LONG, compacted, TOO_LONG],
      event: goOn,
      says: "note",
      message: "too_long",
    },
    {
      name: "a message without content",
      after: [turnFailed("invalid_request", "messages.3: all messages must have non-empty content")],
      event: goOn,
      says: "note",
      message: "empty_message",
    },
  ],
  pass: [
    { name: "an edit that worked", event: batch([{ response: "The file has been updated." }]) },
    {
      name: "an edit that worked on a file with these words",
      event: batch([{ response: `The file has been updated:\n1\t${reason(NOT_FOUND)}` }]),
    },
    { name: "these words in the output of a command", event: batch([{ tool: "Bash", response: reason(NOT_FOUND) }]) },
    { name: "these words in a file that is read", event: batch([{ tool: "Read", response: reason(UNREAD) }]) },
    { name: "the words without the mark of a rejection", event: batch([{ response: NOT_FOUND }]) },
    { name: "another error", event: rejected("InputValidationError: Edit failed.\nhas not been read yet") },
    { name: "a call without a file", event: batch([{ file: "", response: reason(UNREAD) }]) },
    { name: "a name that is none", event: batch([{ file: "a\0b", response: reason(UNREAD) }]) },
    { name: "a call without a response", event: batch([{ response: null }]) },
    { name: "no calls", event: batch([]) },
    { name: "the same once more", after: [rejected(NOT_FOUND)], event: rejected(NOT_FOUND) },
    {
      name: "the same file by another name",
      after: [rejected(NOT_FOUND)],
      event: rejected(NOT_FOUND, "src/../src/a.ts"),
    },
    { name: "after another file was read", after: [rejected(NOT_FOUND), read("b.ts")], event: rejected(NOT_FOUND) },
    {
      name: "after a subagent has read it",
      after: [rejected(NOT_FOUND), read(FILE, subagent)],
      event: rejected(NOT_FOUND),
    },
    { name: "both reports of one failure", after: [failed(CHANGED)], event: rejected(CHANGED) },
    { name: "an edit that the person interrupted", event: failed(CHANGED, { is_interrupt: true }) },
    {
      name: "a command that failed with these words",
      event: failed(NOT_FOUND, { tool_name: "Bash", tool_input: { command: "grep x" } }),
    },
    { name: "a prompt after a turn that ended well", event: goOn },
    { name: "the prompt after the one that was told", after: [TOO_LONG, goOn], event: goOn },
    { name: "the third time", after: [TOO_LONG, goOn, TOO_LONG, goOn, TOO_LONG], event: goOn },
    { name: "a compaction has made room", after: [TOO_LONG, compacted], event: goOn },
    { name: "a rate limit", after: [turnFailed("rate_limit", "Too many tokens")], event: goOn },
    { name: "a subagent's turn", after: [turnFailed("unknown", "prompt is too long", subagent)], event: goOn },
    {
      name: "another session's turn",
      after: [turnFailed("unknown", "prompt is too long", { session_id: "other" })],
      event: goOn,
    },
  ],
});

function missing() {
  return { says: "note", message: "missing" } as const;
}

it("a conversation that is too long is a first one again when the last one was over five minutes ago", async () => {
  const world = { now: FAKE_NOW };
  const sandbox = createSandbox([policy], world);
  const said = async (minutes: number): Promise<string | undefined> => {
    world.now += minutes * 60_000;
    await sandbox.send(TOO_LONG);
    return (await sandbox.send(goOn)).results[0]?.verdicts[0]?.message;
  };
  expect([await said(0), await said(5), await said(5), await said(5.1), await said(1)]).toEqual([
    "too_long",
    "too_long_again",
    undefined,
    "too_long",
    "too_long_again",
  ]);
  sandbox.close();
});

describe("what is kept", () => {
  const rows = (events: readonly AnyEvent[], options = {}) => {
    const sandbox = createSandbox([policy], options);
    const count = async (): Promise<number> => {
      for (const event of events) await sandbox.send(event);
      return sandbox.db.all("SELECT key FROM entries WHERE store = 'recovery'").length;
    };
    return count().finally(() => sandbox.close());
  };

  it("is nothing for calls that work", async () => {
    const ordinary = [read(), batch([{ response: "ok" }]), goOn, turnFailed("rate_limit", "x"), compacted];
    expect(await rows(ordinary)).toBe(0);
  });
  it("is removed when the file is read", async () => {
    expect(await rows([rejected(UNREAD)])).toBe(1);
    expect(await rows([rejected(UNREAD), read()])).toBe(0);
  });
  it("is nothing for a note that found no room, so it comes with the next one", async () => {
    expect(await rows([rejected(UNREAD)], { contextBudget: { start: 6_000, tool: 20 } })).toBe(0);
  });
  it("is at most 50 errors of an agent", async () => {
    const sandbox = createSandbox([policy]);
    for (let file = 0; file < 60; file++) await sandbox.send(rejected(UNREAD, `${file}.ts`));
    const row = sandbox.db.get("SELECT value FROM entries WHERE store = 'recovery'");
    sandbox.close();
    expect(JSON.parse(String(row?.value))).toHaveLength(50);
  });
});
