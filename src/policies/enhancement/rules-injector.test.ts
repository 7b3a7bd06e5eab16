import { describe, expect, it } from "vitest";
import type { AnyEvent, JsonObject } from "../../core/event.ts";
import { claudeEvent, PROJECT, toolAfter } from "../../testing/events.ts";
import type { FakeFile } from "../../testing/fake-ports.ts";
import { createSandbox, type SandboxOptions } from "../../testing/sandbox.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./rules-injector.ts";

const FILE = `${PROJECT}/src/deep/a.ts`;
let calls = 0;
const after = (tool: string, input: JsonObject, more: JsonObject = {}): AnyEvent =>
  toolAfter(tool, input, `toolu_${++calls}`, more);
const opened = (file = FILE, more: JsonObject = {}): AnyEvent => after("Read", { file_path: file }, more);
const edited = (file = FILE): AnyEvent => after("Edit", { file_path: file, old_string: "a", new_string: "b" });
const bySubagent = (file = FILE): AnyEvent => opened(file, { agent_id: "a1", agent_type: "Explore" });
const starts = (source: string): AnyEvent => claudeEvent({ hook_event_name: "SessionStart", source });
const compacted = (more: JsonObject = {}): AnyEvent =>
  claudeEvent({ hook_event_name: "PostCompact", trigger: "auto", compact_summary: "x", ...more });
const loaded = (file: string): AnyEvent =>
  claudeEvent({
    hook_event_name: "InstructionsLoaded",
    file_path: file,
    memory_type: "Project",
    load_reason: "include",
  });

const rule = (front: string, body: string): string => `---\n${front}\n---\n${body}\n`;
const FOR_TS = rule("globs: **/*.ts", "No default exports.");
const world = (files: Readonly<Record<string, FakeFile>>): SandboxOptions => ({
  files: {
    [`${PROJECT}/.git`]: { dir: 0o755 },
    ...Object.fromEntries(
      Object.entries(files).map(([name, file]) => [name.startsWith("/") ? name : `${PROJECT}/${name}`, file]),
    ),
  },
});
const cursor = (text: string, name = "ts.mdc"): SandboxOptions => world({ [`.cursor/rules/${name}`]: text });
const globs = (patterns: string): SandboxOptions => cursor(rule(`globs: ${patterns}`, "No default exports."));
const says = { says: "note", message: "rules" } as const;
const unusable = { says: "notice", message: "unusable" } as const;

testPolicy(policy, {
  hit: [
    { name: "a rule of Cursor", event: opened(), ...cursor(FOR_TS), ...says, text: "No default exports." },
    {
      name: "its file and why",
      event: opened(),
      ...cursor(FOR_TS),
      ...says,
      text: ".cursor/rules/ts.mdc (for **/*.ts):",
    },
    { name: "for which file", event: opened(), ...cursor(FOR_TS), ...says, text: "for src/deep/a.ts:" },
    { name: "an edit", event: edited(), ...cursor(FOR_TS), ...says },
    { name: "a new file", event: after("Write", { file_path: FILE, content: "" }), ...cursor(FOR_TS), ...says },
    { name: "several edits", event: after("MultiEdit", { file_path: FILE, edits: [] }), ...cursor(FOR_TS), ...says },
    {
      name: "a notebook",
      event: after("NotebookEdit", { notebook_path: `${PROJECT}/n.ipynb`, new_source: "" }),
      ...globs("*.ipynb"),
      ...says,
    },
    { name: "a relative path", event: opened("src/a.ts"), ...cursor(FOR_TS), ...says },
    { name: "an .md file", event: opened(), ...cursor(FOR_TS, "ts.md"), ...says },
    { name: "in a folder of rules below", event: opened(), ...cursor(FOR_TS, "web/v1.0/ts.mdc"), ...says },
    {
      name: "instructions of Copilot",
      event: opened(),
      ...world({
        ".github/instructions/ts.instructions.md": rule('applyTo: "**/*.ts,**/*.tsx"', "No default exports."),
      }),
      ...says,
      text: ".github/instructions/ts.instructions.md (for **/*.ts)",
    },
    {
      name: "what Copilot is always told",
      event: opened(`${PROJECT}/x.py`),
      ...world({ ".github/copilot-instructions.md": "Speak plainly." }),
      ...says,
      text: ".github/copilot-instructions.md (for all files):\nSpeak plainly.",
    },
    {
      name: "always",
      event: opened(`${PROJECT}/x.py`),
      ...cursor(rule("alwaysApply: true", "Be kind.")),
      ...says,
      text: "Be kind.",
    },
    {
      name: "always, whatever the globs",
      event: opened(`${PROJECT}/x.py`),
      ...cursor(rule("globs: *.ts\nalwaysApply: true", "x")),
      ...says,
    },
    { name: "at the root", event: opened(`${PROJECT}/x.ts`), ...globs("**/x.ts"), ...says },
    { name: "braces", event: opened(), ...globs("src/**/*.{js,ts}"), ...says, text: "(for src/**/*.{js,ts})" },
    { name: "the second of a comma list", event: opened(), ...globs("*.js, src/**"), ...says, text: "(for src/**)" },
    { name: "a list in one line", event: opened(), ...cursor(rule('globs: ["*.js", "**/*.ts"]', "x")), ...says },
    { name: "a list of dashes", event: opened(), ...cursor(rule("paths:\n  - lib/**\n  - src/**", "x")), ...says },
    {
      name: "a comma list of quoted patterns",
      event: opened(),
      ...globs("'*.js', '**/*.ts'"),
      ...says,
      text: "(for **/*.ts)",
    },
    {
      name: "keys together",
      event: opened(),
      ...cursor(rule("globs: *.js\npaths: src/**\napplyTo: x", "x")),
      ...says,
      text: "(for src/**)",
    },
    { name: "a folder", event: opened(), ...globs("src/"), ...says },
    { name: "a slash at the beginning", event: opened(), ...globs("/src/**"), ...says },
    { name: "one character", event: opened(), ...globs("src/deep/?.ts"), ...says },
    {
      name: "a byte order mark and Windows lines",
      event: opened(),
      ...cursor(`\uFEFF${FOR_TS.replaceAll("\n", "\r\n")}`),
      ...says,
      text: "No default",
    },
    {
      name: "relative to the folder of the rules",
      event: opened(),
      ...world({ "src/.cursor/rules/a.mdc": rule("globs: deep/*.ts", "x") }),
      ...says,
      text: "src/.cursor/rules/a.mdc",
    },
    {
      name: "relative to the root from below",
      event: opened(),
      ...world({ "src/.cursor/rules/a.mdc": rule("globs: src/deep/*.ts", "x") }),
      ...says,
    },
    {
      name: "from the root although the work is in a folder below",
      event: opened(FILE, { cwd: `${PROJECT}/src` }),
      ...cursor(FOR_TS),
      ...says,
    },
    {
      name: "another file of the same session, for another rule",
      after: [opened(`${PROJECT}/a.py`)],
      event: opened(),
      ...cursor(FOR_TS),
      ...says,
    },
    {
      name: "a subagent, which has a context of its own",
      after: [opened()],
      event: bySubagent(),
      ...cursor(FOR_TS),
      ...says,
    },
    { name: "again after a compaction", after: [opened(), compacted()], event: opened(), ...cursor(FOR_TS), ...says },
    { name: "again at its start", after: [opened(), starts("compact")], event: opened(), ...cursor(FOR_TS), ...says },
    { name: "again after /clear", after: [opened(), starts("clear")], event: opened(), ...cursor(FOR_TS), ...says },
    {
      name: "a link inside of the project",
      event: opened(),
      ...world({ ".cursor/rules/ts.mdc": { link: `${PROJECT}/docs/ts.md` }, "docs/ts.md": FOR_TS }),
      ...says,
      text: ".cursor/rules/ts.mdc",
    },
    {
      name: "a linked folder inside of the project",
      event: opened(),
      ...world({ ".cursor": { link: `${PROJECT}/docs` }, "docs/rules/ts.mdc": FOR_TS }),
      ...says,
    },
    {
      name: "in a linked worktree",
      event: opened("/srv/wt/src/a.ts", { cwd: "/srv/wt/src" }),
      ...world({
        "/srv/wt/.git": `gitdir: ${PROJECT}/.git/worktrees/wt\n`,
        ".git/worktrees/wt/commondir": "../..\n",
        "/srv/wt/.cursor/rules/a.mdc": rule("globs: src/*.ts", "x"),
      }),
      ...says,
      text: "for src/a.ts:",
    },
    {
      name: "a rule that is too large",
      event: opened(),
      ...cursor(`${FOR_TS}${"x".repeat(70_000)}`),
      ...unusable,
      text: ".cursor/rules/ts.mdc",
    },
    { name: "a rule that is no text", event: opened(), ...cursor(`${FOR_TS}\uFFFD`), ...unusable },
    {
      name: "both",
      event: opened(),
      ...world({ ".cursor/rules/a.mdc": FOR_TS, ".cursor/rules/b.mdc": "\uFFFD" }),
      ...says,
      also: [unusable],
    },
    {
      name: "while another file was loaded by the agent",
      after: [loaded(`${PROJECT}/CLAUDE.md`)],
      event: opened(),
      ...cursor(FOR_TS),
      ...says,
    },
  ],
  pass: [
    { name: "no rules", event: opened() },
    { name: "no globs", event: opened(), ...cursor(rule("description: TypeScript", "x")) },
    { name: "no front matter", event: opened(), ...cursor("No default exports.\n") },
    { name: "alwaysApply: false", event: opened(), ...cursor(rule("alwaysApply: false", "x")) },
    { name: "empty globs", event: opened(), ...cursor(rule("globs:\nalwaysApply: false", "x")) },
    { name: "globs that are a switch", event: opened(), ...cursor(rule("globs: true", "x")) },
    { name: "another file", event: opened(`${PROJECT}/a.py`), ...cursor(FOR_TS) },
    { name: "a star does not cross folders", event: opened(), ...globs("src/*.ts") },
    { name: "a file at the root for a rule about a folder", event: opened(`${PROJECT}/x.ts`), ...globs("src/**/x.ts") },
    { name: "a pattern that is not possible", event: opened(), ...globs("src/[a") },
    { name: "a rule without a text", event: opened(), ...cursor(rule("globs: **/*.ts", " ")) },
    { name: "other files in the folder", event: opened(), ...cursor(FOR_TS, "ts.txt") },
    { name: "another name than Copilot's", event: opened(), ...world({ ".github/instructions/ts.md": FOR_TS }) },
    {
      name: "what the agent loads itself",
      event: opened(),
      ...world({ ".claude/rules/ts.md": FOR_TS, "CLAUDE.md": FOR_TS }),
    },
    {
      name: "what the agent said that it loaded",
      after: [loaded(`${PROJECT}/.github/copilot-instructions.md`)],
      event: opened(),
      ...world({ ".github/copilot-instructions.md": "x" }),
    },
    {
      name: "the same after a compaction",
      after: [loaded(`${PROJECT}/link.md`), compacted()],
      event: opened(),
      ...world({
        ".github/copilot-instructions.md": "x",
        "link.md": { link: `${PROJECT}/.github/copilot-instructions.md` },
      }),
    },
    { name: "once", after: [opened()], event: opened(), ...cursor(FOR_TS) },
    { name: "once for all its files", after: [opened()], event: opened(`${PROJECT}/b.ts`), ...cursor(FOR_TS) },
    {
      name: "once in a resumed session",
      after: [opened(), starts("resume")],
      event: opened(`${PROJECT}/b.ts`),
      ...cursor(FOR_TS),
    },
    { name: "once for a subagent", after: [bySubagent()], event: bySubagent(`${PROJECT}/b.ts`), ...cursor(FOR_TS) },
    {
      name: "a subagent's compaction does not concern the main thread",
      after: [opened(), bySubagent(), compacted({ agent_id: "a1", agent_type: "Explore" })],
      event: opened(`${PROJECT}/b.ts`),
      ...cursor(FOR_TS),
    },
    {
      name: "the same text in another file",
      after: [opened()],
      event: opened(`${PROJECT}/lib/b.ts`),
      ...world({
        ".cursor/rules/a.mdc": FOR_TS,
        "lib/.cursor/rules/b.mdc": rule("globs: b.ts", "No default exports."),
      }),
    },
    {
      name: "the same file by another name",
      after: [opened()],
      event: opened(`${PROJECT}/lib/b.ts`),
      ...world({ ".cursor/rules/a.mdc": FOR_TS, "lib/.cursor": { link: `${PROJECT}/.cursor` } }),
    },
    {
      name: "the rule that is being read",
      event: opened(`${PROJECT}/.cursor/rules/a.mdc`),
      ...cursor(rule("alwaysApply: true", "x"), "a.mdc"),
    },
    {
      name: "a rule that was read",
      after: [opened(`${PROJECT}/.cursor/rules/ts.mdc`)],
      event: opened(),
      ...cursor(FOR_TS),
    },
    {
      name: "a link to a file outside",
      event: opened(),
      ...world({ ".cursor/rules/ts.mdc": { link: "/srv/ts.mdc" }, "/srv/ts.mdc": FOR_TS }),
    },
    {
      name: "a link to a folder outside",
      event: opened(),
      ...world({ ".cursor": { link: "/srv/c" }, "/srv/c/rules/ts.mdc": FOR_TS }),
    },
    {
      name: "a folder beside the project with the same beginning",
      event: opened(),
      ...world({ ".cursor": { link: `${PROJECT}2` }, [`${PROJECT}2/rules/ts.mdc`]: FOR_TS }),
    },
    { name: "a link that leads nowhere", event: opened(), ...world({ ".cursor/rules/ts.mdc": { link: "/srv/none" } }) },
    {
      name: "a folder that contains itself",
      event: opened(),
      ...world({ ".cursor/rules/a": { link: `${PROJECT}/.cursor` } }),
    },
    {
      name: "a file outside of the project",
      event: opened("/srv/x/a.ts"),
      ...world({ "/srv/x/.cursor/rules/ts.mdc": FOR_TS }),
    },
    { name: "a folder that only begins like the project", event: opened(`${PROJECT}2/a.ts`), ...cursor(FOR_TS) },
    { name: "no file", event: after("Read", {}), ...cursor(FOR_TS) },
    { name: "a file without a name", event: opened(""), ...cursor(FOR_TS) },
    { name: "a name that is no text", event: after("Read", { file_path: 3 }), ...cursor(FOR_TS) },
    { name: "a name that no file can have", event: opened("a\0.ts"), ...cursor(FOR_TS) },
    { name: "another tool", event: after("Bash", { command: "cat src/deep/a.ts" }), ...cursor(FOR_TS) },
    {
      name: "a rule that cannot be used, again",
      after: [opened()],
      event: opened(`${PROJECT}/b.ts`),
      ...cursor("\uFFFD"),
    },
  ],
});

/** What the last of these events is told. */
async function toldAt(events: readonly AnyEvent[], options: SandboxOptions): Promise<string> {
  const sandbox = createSandbox([policy], options);
  let text = "";
  for (const event of events) text = (await sandbox.send(event)).ruling.notes.map((note) => note.text).join("\n");
  sandbox.close();
  return text;
}

describe("the note", () => {
  it("has the nearest rule first, and what is for all files last", async () => {
    const text = await toldAt(
      [opened()],
      world({
        ".github/copilot-instructions.md": "four",
        ".cursor/rules/a.mdc": rule("globs: **", "three"),
        "src/.github/instructions/a.instructions.md": rule("applyTo: '**'", "one"),
        "src/.cursor/rules/a.mdc": rule("globs: **", "two"),
        "src/deep/.cursor/rules/a.mdc": rule("globs: **", "zero"),
      }),
    );
    expect(text.match(/\b(?:zero|one|two|three|four)\b/g)).toEqual(["zero", "one", "two", "three", "four"]);
  });
  it("is the same for every order in which a folder lists its files", async () => {
    const files = ["b", "a", "c"].map((name) => [`.cursor/rules/${name}.mdc`, rule("globs: **", name)] as const);
    const one = await toldAt([opened()], world(Object.fromEntries(files)));
    expect(await toldAt([opened()], world(Object.fromEntries(files.toReversed())))).toBe(one);
    expect(one).toMatch(/a\.mdc[\s\S]*b\.mdc[\s\S]*c\.mdc/);
  });
  it("fits into the context of a tool call, and says where the rest is", async () => {
    const long = (name: string) => rule("globs: **", `${name} ${"word ".repeat(380)}`);
    const text = await toldAt(
      [opened()],
      world({
        "src/.cursor/rules/one.mdc": long("one"),
        ".cursor/rules/two.mdc": long("two"),
        ".github/copilot-instructions.md": "short",
      }),
    );
    expect(text.length).toBeLessThanOrEqual(2_000);
    expect(text).toContain("[…] (cut: read src/.cursor/rules/one.mdc)");
    expect(text).toMatch(/Also to be read: \.cursor\/rules\/two\.mdc, \.github\/copilot-instructions\.md$/);
  });
  it("is all that is remembered, beside the files that were touched", async () => {
    const sandbox = createSandbox([policy], cursor(FOR_TS));
    const kinds = () =>
      sandbox.db.all("SELECT key FROM entries WHERE store = 'touched'").map(({ key }) => String(key).split(" ")[0]);
    await sandbox.send(opened());
    await sandbox.send(opened(`${PROJECT}/c.py`));
    expect(kinds().sort()).toEqual(["rule", "rule-target", "rule-target", "rule-text"]);
    sandbox.close();
  });
  it("is told with the next file when there was no room for it", async () => {
    const none = { ...cursor(FOR_TS), contextBudget: { start: 6_000, tool: 40 } };
    const sandbox = createSandbox([policy], none);
    expect((await sandbox.send(opened())).ruling).toMatchObject({ notes: [], fates: { [policy.id]: "dropped" } });
    expect((await sandbox.send(opened())).results[0]?.verdicts).toHaveLength(1);
    sandbox.close();
  });
});

describe("what is looked at", () => {
  it("is nothing when a file is touched again", async () => {
    const sandbox = createSandbox([policy], cursor(FOR_TS));
    await sandbox.send(opened());
    const { looked } = await sandbox.send(edited());
    sandbox.close();
    expect(looked.filter((fact) => /^(?:list|rule|info):/.test(fact))).toEqual([]);
  });
  it("is no more than 200 rules, at most five folders deep", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`.cursor/rules/${index}.mdc`, rule("globs: *.js", `${index}`)]),
    );
    const sandbox = createSandbox(
      [policy],
      world({ ...many, "src/.cursor/rules/1/2/3/4/5/a.mdc": FOR_TS, "src/.cursor/rules/1/2/3/4/b.mdc": FOR_TS }),
    );
    const { looked } = await sandbox.send(opened());
    sandbox.close();
    expect(looked.filter((fact) => fact.startsWith("rule:"))).toHaveLength(200);
    expect(looked.filter((fact) => fact.endsWith("b.mdc"))).toHaveLength(1);
    expect(looked.filter((fact) => fact.endsWith("a.mdc"))).toEqual([]);
  });
});
