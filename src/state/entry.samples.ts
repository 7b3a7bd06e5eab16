import type { JournalEntry } from "./journal.ts";

/** A call that passed, but for what a test says of it. */
export function sampleEntry(about: Partial<JournalEntry> = {}): JournalEntry {
  return {
    at: 1,
    agent: "claude-code",
    session: "s1",
    agentId: "",
    project: "/p",
    event: "tool.before",
    agentEvent: "PreToolUse",
    tool: "Bash",
    toolUseId: "",
    ruling: "pass",
    policy: "",
    reason: "",
    microseconds: 1,
    body: "{}",
    verdicts: "[]",
    facts: "{}",
    reply: { exit: 0, stdout: "", stderr: "" },
    ...about,
  };
}
