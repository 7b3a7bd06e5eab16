import { describe, expect, it } from "vitest";
import type { AnyEvent, JsonObject } from "../../core/event.ts";
import { claudeEvent, toolAfter } from "../../testing/events.ts";
import { createSandbox } from "../../testing/sandbox.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./agent-usage-reminder.ts";

let calls = 0;
const after = (tool: string, input: JsonObject = {}, more: JsonObject = {}): AnyEvent =>
  toolAfter(tool, input, `toolu_${++calls}`, more);
const grep = (more: JsonObject = {}): AnyEvent => after("Grep", { pattern: "x" }, more);
const bash = (command: string): AnyEvent => after("Bash", { command });
const times = (count: number, make: () => AnyEvent): AnyEvent[] => Array.from({ length: count }, () => make());
const bySubagent = (): AnyEvent => grep({ agent_id: "a1", agent_type: "Explore" });
const compacted = (): AnyEvent =>
  claudeEvent({ hook_event_name: "PostCompact", trigger: "auto", compact_summary: "x" });

const says = { says: "note", message: "remember" } as const;
const atOnce = { options: { searches: 1 }, ...says };

testPolicy(policy, {
  hit: [
    { name: "the third search", after: times(2, grep), event: grep(), ...says, text: "without an agent: 3." },
    { name: "the sixth one", after: times(5, grep), event: grep(), ...says, text: "without an agent: 3." },
    { name: "with other calls between", after: [grep(), bash("npm test"), grep()], event: grep(), ...says },
    { name: "the first one, if that is wanted", event: grep(), ...atOnce },
    { name: "Glob", event: after("Glob", { pattern: "**/*.ts" }), ...atOnce },
    { name: "a page", event: after("WebFetch", { url: "https://example.com", prompt: "x" }), ...atOnce },
    { name: "the web", event: after("WebSearch", { query: "x" }), ...atOnce },
    { name: "documentation", event: after("mcp__context7__get-library-docs", {}), ...atOnce },
    { name: "code of others", event: after("mcp__grep__searchGitHub", {}), ...atOnce },
    { name: "the web by a server", event: after("mcp__exa__web_search_exa", {}), ...atOnce },
    { name: "grep in the shell", event: bash("grep -rn token src | head -5"), ...atOnce },
    { name: "rg", event: bash("cd src && rg -l token"), ...atOnce },
    { name: "find", event: bash("find . -name '*.ts'"), ...atOnce },
    { name: "git grep", event: bash("git --no-pager grep token"), ...atOnce },
    {
      name: "while only a subagent used an agent",
      after: [after("Agent", { prompt: "x" }, { agent_id: "a1", agent_type: "x" })],
      event: grep(),
      ...atOnce,
    },
  ],
  pass: [
    { name: "the second search", after: [grep()], event: grep() },
    { name: "the fourth search", after: times(3, grep), event: grep() },
    { name: "a third reminder", after: times(2, grep), event: grep(), options: { searches: 1 } },
    {
      name: "a third reminder after a compaction",
      after: [grep(), grep(), compacted()],
      event: grep(),
      options: { searches: 1 },
    },
    { name: "after Agent", after: [after("Agent", { prompt: "x" }), grep(), grep()], event: grep() },
    { name: "after Task", after: [after("Task", { prompt: "x" }), grep(), grep()], event: grep() },
    { name: "after an agent between the searches", after: [grep(), grep(), after("Task")], event: grep() },
    { name: "an agent itself", event: after("Agent", { prompt: "grep" }), options: { searches: 1 } },
    { name: "searches of a subagent", after: times(2, bySubagent), event: bySubagent() },
    { name: "a search after those of a subagent", after: times(5, bySubagent), event: grep() },
    { name: "what filters another output", event: bash("npm test | grep fail"), options: { searches: 1 } },
    { name: "the word", event: bash("echo grep; apt-get install ripgrep"), options: { searches: 1 } },
    { name: "a program for each file", event: bash("find . -name '*.ts' -exec touch {} +"), options: { searches: 1 } },
    { name: "another git command", event: bash("git log --grep token"), options: { searches: 1 } },
    { name: "an ordinary command", event: bash("npm test"), options: { searches: 1 } },
    { name: "a tool of a server", event: after("mcp__db__query", {}), options: { searches: 1 } },
    { name: "a name that only looks like it", event: after("search", {}), options: { searches: 1 } },
    { name: "a line that cannot be read", event: bash("grep 'x"), options: { searches: 1 } },
  ],
});

describe("a reminder", () => {
  it("that found no room comes with the next search", async () => {
    const sandbox = createSandbox([policy], { options: { searches: 1 }, contextBudget: { start: 6_000, tool: 20 } });
    expect((await sandbox.send(grep())).ruling.fates).toEqual({ [policy.id]: "dropped" });
    expect((await sandbox.send(grep())).results[0]?.verdicts).toHaveLength(1);
    expect((await sandbox.send(grep())).results[0]?.verdicts).toHaveLength(1);
    sandbox.close();
  });
});
