import { expect, test } from "vitest";
import { Database } from "../../../state/database.ts";
import { sampleEntry } from "../../../state/entry.samples.ts";
import { append, type JournalEntry } from "../../../state/journal.ts";
import { newestEntries } from "../../../state/journal-query.ts";
import { maskedJson } from "../../../state/masking.ts";
import { styleFor } from "../../terminal/style.ts";
import { type JournalObject, journalObject } from "./entry.ts";
import { showEntries } from "./show.ts";

function recorded(...entries: Partial<JournalEntry>[]): JournalObject[] {
  const db = new Database(":memory:", 1_000);
  for (const [index, entry] of entries.entries()) append(db, `key-${index}`, sampleEntry(entry));
  const found = newestEntries(db, {}, entries.length).map((row) => journalObject(db, row));
  db.close();
  return found;
}

/** Without a width, as for output to a program or a file. */
function shown(entries: readonly JournalObject[], columns?: number): string[] {
  return showEntries(entries, { style: styleFor({}, false), columns }).split("\n");
}

const call = (tool: string, input: object): Partial<JournalEntry> => ({
  tool,
  body: JSON.stringify({ cwd: "/p", tool_name: tool, tool_input: input }),
});

test.each<[string, Partial<JournalEntry>, string]>([
  ["a command", call("Bash", { description: "List", command: "ls\n  -la" }), "Bash: ls -la"],
  ["a path in the project", call("Write", { file_path: "/p/src/a.ts", content: "x" }), "Write: src/a.ts"],
  ["a path elsewhere", call("Read", { file_path: "/etc/hosts" }), "Read: /etc/hosts"],
  ["a pattern", call("Grep", { pattern: "TODO", path: "src" }), "Grep: TODO"],
  ["another tool's first text", call("mcp__x__y", { count: 1, title: "Broken" }), "mcp__x__y: Broken"],
  ["a tool without texts", call("mcp__x__y", { count: 1 }), "mcp__x__y"],
  [
    "a command that was too long to keep",
    call("Bash", { command: { sha256: "0".repeat(64), length: 5000 } }),
    "Bash: (5000 characters, not kept)",
  ],
  ["a prompt", { tool: "", body: '{"prompt":"tidy up"}' }, "tidy up"],
  ["how a session started", { tool: "", body: '{"cwd":"/p","source":"startup"}' }, "startup"],
  ["a stop", { tool: "", body: '{"stop_hook_active":false}' }, ""],
  ["a body that is damaged", { tool: "", body: "{" }, ""],
  ["a person's command", { tool: "", event: "command", agentEvent: "off --yes", body: "{}" }, "hookwright off --yes"],
])("what an entry is about: %s", (_name, entry, subject) => {
  const entries = recorded(entry);
  expect(entries).toMatchObject([{ subject }]);
  const [, row = ""] = shown(entries);
  expect(row.endsWith(`pass    ${subject}`.trimEnd())).toBe(true);
  expect(row).toContain(entry.event === "command" ? "  command  " : "  PreToolUse  ");
});

test("secrets stay masked", () => {
  const secret = "hunter2hunter2";
  const raw = { tool_name: "Bash", tool_input: { command: `curl -u me:${secret} https://x.test` } };
  const entries = recorded({ tool: "Bash", body: maskedJson(raw) });
  const text = shown(entries).join() + JSON.stringify(entries);
  expect(text).toContain("Bash: curl -u me:[masked] https://x.test");
  expect(text).not.toContain(secret);
});

test.each([72, 80, 140])("in a terminal of %i columns no line is longer, and columns stay aligned", (columns) => {
  const file = `/p/${"folder/".repeat(30)}file.ts`;
  const entries = recorded(
    { ...call("Bash", { command: `echo ${"word ".repeat(60)}` }), ruling: "deny", policy: "safety/x" },
    { ...call("Write", { file_path: file }), reason: `${"because ".repeat(60)}[safety/x]`, policy: "safety/x" },
    { ...call("Bash", { command: "echo \u5b57\u5b57\u5b57 ".repeat(60) }), agentEvent: "PostToolUseFailure" },
  );
  const lines = shown(entries, columns);
  const rows = lines.filter((line) => /^(?:id|\d) /.test(line));
  expect(rows).toHaveLength(4);
  const wide = /[\u5b57]/gu;
  for (const line of lines) expect(line.length + (line.match(wide)?.length ?? 0)).toBeLessThanOrEqual(columns);
  const [header = "", bash = "", write = "", other = ""] = rows;
  expect(header.indexOf("what")).toBe(bash.indexOf("Bash: echo"));
  expect([bash.at(-1), other.at(-1)]).toEqual(["\u2026", "\u2026"]);
  expect(write).toMatch(/Write: \u2026.*\/file\.ts$/);
  expect(lines.find((line) => line.includes("because"))).toMatch(/^ {4}safety\/x: because .*\u2026$/);
  expect(lines.at(-1)).toContain("journal --id N");
});
