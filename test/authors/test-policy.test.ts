/** What `testPolicy` demands, and which examples it runs. */
import { describe, expect, it } from "vitest";
import { type Policy, policy } from "../../src/core/policy.ts";
import { shell, writes } from "../../src/testing/events.ts";
import { eventOfExample } from "../../src/testing/examples.ts";
import { missingCases } from "../../src/testing/missing-cases.ts";
import { testPolicy } from "../../src/testing/test-policy.ts";

const sample = (more: Partial<Policy> = {}): Policy => ({
  ...policy({
    id: "test/no-notes",
    summary: "Refuses notes.",
    why: "To have something to test.",
    stage: "scope",
    messages: { refused: "{path} is a note.", odd: "Odd." },
    examples: {
      hit: ["Write `notes.md`", "Edit `~/notes.md`", "`touch odd`", "a note that is nowhere"],
      pass: ["`touch even`", "Edit `readme.md`", "Stop"],
    },
    on: {
      "tool.before"(event, ctx) {
        const path = event.writes.find((file) => file.endsWith("/notes.md"));
        if (path) return ctx.deny("refused", { path });
        return event.tool.input.command === "touch odd" ? ctx.deny("odd") : undefined;
      },
    },
  }),
  ...more,
});

const note = { name: "a note", event: writes("notes.md"), says: "deny", message: "refused" } as const;
const odd = { name: "odd", event: shell("touch odd"), says: "deny", message: "odd" } as const;
const even = { name: "even", event: shell("touch even") };

testPolicy(sample(), { hit: [note, odd], pass: [even] });

describe("what is missing", () => {
  it("is nothing when every message has a hit and something passes", () => {
    expect(missingCases(sample(), { hit: [note, odd], pass: [even] })).toEqual([]);
  });

  it("is said in sentences", () => {
    const unfinished = sample({ why: "TODO", examples: { hit: ["x"], pass: ["TODO"] } });
    const strange = { ...note, message: "strange" };
    expect(missingCases(unfinished, { hit: [note, strange], pass: [] })).toEqual([
      "Write its `why`: there is still a TODO in it.",
      "Write its `examples`: there is still a TODO in it.",
      "No case says `odd`: add an event to `hit` at which the policy says it.",
      'The case "a note" expects `strange`, which is not among its messages.',
      "Nothing passes: add an event to `pass` at which the policy says nothing.",
      'Two cases are called "a note".',
    ]);
  });
});

describe("examples", () => {
  it.each([
    ["`rm -rf x; ls`", { tool: { kind: "shell", input: { command: "rm -rf x; ls" } } }],
    ["Write `a b.md`", { tool: { name: "Write" }, writes: ["/home/dev/app/a b.md"] }],
    ["Edit `~/.claude/settings.json`", { tool: { name: "Edit" }, writes: ["/home/dev/.claude/settings.json"] }],
    ["Edit `/etc/hosts`", { writes: ["/etc/hosts"] }],
  ])("%s is run", (example, event) => {
    expect(eventOfExample(example)).toMatchObject(event);
  });

  it.each([
    "rm -rf x",
    "Write notes.md",
    "`ntm --robot-status` twice within 90 s",
    "`a` after `b`",
    "Read `notes.md`",
    "Stop with no marker",
    "``",
  ])("%s is only read", (example) => {
    expect(eventOfExample(example)).toBeUndefined();
  });
});
