import { describe, expect, it } from "vitest";
import type { AnyEvent, JsonObject } from "../../core/event.ts";
import { worldInSession } from "../../domain/session/session.samples.ts";
import { claudeEvent, PROJECT, toolAfter, USER_HOME } from "../../testing/events.ts";
import type { FakeFile } from "../../testing/fake-ports.ts";
import { createSandbox, type SandboxOptions } from "../../testing/sandbox.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import discovery from "../session/discovery.ts";
import policy from "./directory-readme-injector.ts";

const FILE = `${PROJECT}/src/deep/a.ts`;
let calls = 0;
const after = (tool: string, input: JsonObject, more: JsonObject = {}): AnyEvent =>
  toolAfter(tool, input, `toolu_${++calls}`, more);
const opened = (file = FILE, more: JsonObject = {}): AnyEvent => after("Read", { file_path: file }, more);
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

const placed = (files: Readonly<Record<string, FakeFile>>): Record<string, FakeFile> =>
  Object.fromEntries(
    Object.entries(files).map(([name, file]) => [name.startsWith("/") ? name : `${PROJECT}/${name}`, file]),
  );
const world = (files: Readonly<Record<string, FakeFile>>): SandboxOptions => ({
  files: { [`${PROJECT}/.git`]: { dir: 0o755 }, ...placed(files) },
});
const src = world({ "src/README.md": "Sources of the app." });
const inSession = (files: Readonly<Record<string, FakeFile>>, fields: object = {}): SandboxOptions =>
  worldInSession(fields, placed({ "src/deep/a.ts": "x", ...files }));
const says = { says: "note", message: "readmes" } as const;
const unusable = { says: "notice", message: "unusable" } as const;

testPolicy(policy, {
  hit: [
    {
      name: "a README of a folder above",
      event: opened(),
      ...src,
      ...says,
      text: "About the folder of src/deep/a.ts:\n\nsrc/README.md:\nSources of the app.",
    },
    { name: "of the same folder", event: opened(), ...world({ "src/deep/README.md": "Deep." }), ...says },
    { name: "of the root", event: opened(), ...world({ "README.md": "The app." }), ...says, text: "The app." },
    { name: "however its name is written", event: opened(), ...world({ "src/Readme.md": "x" }), ...says },
    { name: "a new file", event: after("Write", { file_path: FILE, content: "" }), ...src, ...says },
    { name: "an edit", event: after("Edit", { file_path: FILE, old_string: "a", new_string: "b" }), ...src, ...says },
    { name: "several edits", event: after("MultiEdit", { file_path: FILE, edits: [] }), ...src, ...says },
    { name: "a relative path", event: opened("src/deep/a.ts"), ...src, ...says },
    {
      name: "another folder of the same session",
      after: [opened()],
      event: opened(`${PROJECT}/lib/b.ts`),
      ...world({ "src/README.md": "x", "lib/README.md": "Library." }),
      ...says,
      text: "Library.",
    },
    {
      name: "a folder whose name begins like that of one that is known",
      after: [opened(`${PROJECT}/src/b/x.ts`)],
      event: opened(`${PROJECT}/src/bc/x.ts`),
      ...world({ "src/b/README.md": "B.", "src/bc/README.md": "BC." }),
      ...says,
      text: "src/bc/README.md:\nBC.",
    },
    { name: "a subagent, which has a context of its own", after: [opened()], event: bySubagent(), ...src, ...says },
    { name: "again after a compaction", after: [opened(), compacted()], event: opened(), ...src, ...says },
    { name: "again at its start", after: [opened(), starts("compact")], event: opened(), ...src, ...says },
    { name: "again after /clear", after: [opened(), starts("clear")], event: opened(), ...src, ...says },
    {
      name: "a link inside of the project",
      event: opened(),
      ...world({ "src/README.md": { link: `${PROJECT}/docs/src.md` }, "docs/src.md": "Sources." }),
      ...says,
      text: "src/README.md:\nSources.",
    },
    {
      name: "in a linked worktree",
      event: opened("/srv/wt/src/a.ts", { cwd: "/srv/wt" }),
      ...world({
        "/srv/wt/.git": `gitdir: ${PROJECT}/.git/worktrees/wt\n`,
        ".git/worktrees/wt/commondir": "../..\n",
        "/srv/wt/src/README.md": "Sources.",
      }),
      ...says,
      text: "src/README.md",
    },
    { name: "too large", event: opened(), ...world({ "src/README.md": "x".repeat(300_000) }), ...unusable },
    { name: "no text", event: opened(), ...world({ "src/README.md": "\uFFFD" }), ...unusable, text: "src/README.md" },
    {
      name: "both",
      event: opened(),
      ...world({ "README.md": "The app.", "src/README.md": "\uFFFD" }),
      ...says,
      also: [unusable],
    },
    {
      name: "while `session/discovery` is on and no session is",
      event: opened(),
      beside: [discovery],
      ...src,
      ...says,
    },
    {
      name: "while the session's skill has been completed",
      event: opened(),
      beside: [discovery],
      ...inSession({ "src/README.md": "x" }, { lifecycle: "completed" }),
      ...says,
    },
    {
      name: "while the session has other types of directives",
      event: opened(),
      beside: [discovery],
      ...inSession({ "src/README.md": "x" }),
      options: { types: ["PITFALLS"] },
      ...says,
    },
    {
      name: "while `session/discovery` is off",
      event: opened(),
      ...inSession({ "src/README.md": "x" }),
      ...says,
    },
  ],
  pass: [
    { name: "no README", event: opened(), ...world({ "src/README.txt": "x", "src/README": "x" }) },
    { name: "one without a text", event: opened(), ...world({ "src/README.md": " \n" }) },
    { name: "a folder of that name", event: opened(), ...world({ "src/README.md/a": "x" }) },
    { name: "once", after: [opened()], event: opened(`${PROJECT}/src/deep/b.ts`), ...src },
    { name: "once for the folders below", after: [opened()], event: opened(`${PROJECT}/src/b.ts`), ...src },
    { name: "once in a resumed session", after: [opened(), starts("resume")], event: opened(), ...src },
    { name: "once for a subagent", after: [bySubagent()], event: bySubagent(), ...src },
    {
      name: "a subagent's compaction does not concern the main thread",
      after: [opened(), bySubagent(), compacted({ agent_id: "a1", agent_type: "Explore" })],
      event: opened(),
      ...src,
    },
    { name: "the README that is being read", event: opened(`${PROJECT}/src/README.md`), ...src },
    { name: "a README that the agent has read", after: [opened(`${PROJECT}/src/README.md`)], event: opened(), ...src },
    { name: "what the agent loaded itself", after: [loaded(`${PROJECT}/src/README.md`)], event: opened(), ...src },
    {
      name: "the same after a compaction",
      after: [loaded(`${PROJECT}/src/README.md`), compacted()],
      event: opened(),
      ...src,
    },
    {
      name: "the same file by another name",
      after: [opened(`${PROJECT}/lib/a.ts`)],
      event: opened(),
      ...world({ "lib/README.md": "x", "src/README.md": { link: `${PROJECT}/lib/README.md` } }),
    },
    { name: "above the project", event: opened(), ...world({ "/home/dev/README.md": "x" }) },
    { name: "above the working folder", event: opened(FILE, { cwd: `${PROJECT}/src/deep` }), ...src },
    {
      name: "a folder that only begins like the project",
      event: opened(`${PROJECT}2/a.ts`),
      ...world({ [`${PROJECT}2/README.md`]: "x", "README.md": "x" }),
    },
    { name: "outside of the project", event: opened("/srv/x/a.ts"), ...world({ "/srv/x/README.md": "x" }) },
    {
      name: "a link to a file outside",
      event: opened(),
      ...world({ "src/README.md": { link: "/srv/r.md" }, "/srv/r.md": "x" }),
    },
    {
      name: "dependencies",
      event: opened(`${PROJECT}/node_modules/p/a.js`),
      ...world({ "node_modules/p/README.md": "x", "README.md": "x" }),
    },
    { name: "built files", event: opened(`${PROJECT}/dist/a.js`), ...world({ "dist/README.md": "x" }) },
    {
      name: "the agent's own folder",
      event: opened(`${USER_HOME}/.claude/skills/a/x.md`),
      ...world({ [`${USER_HOME}/.claude/skills/a/README.md`]: "x" }),
    },
    { name: "no file", event: after("Read", {}), ...src },
    { name: "a name that no file can have", event: opened("a\0.ts"), ...src },
    { name: "another tool", event: after("Bash", { command: "cat src/deep/a.ts" }), ...src },
    {
      name: "one that cannot be shown, again",
      after: [opened()],
      event: bySubagent(),
      ...world({ "src/README.md": "\uFFFD" }),
    },
    {
      name: "what `session/discovery` names now",
      event: opened(),
      beside: [discovery],
      ...inSession({ "src/README.md": "x", "README.md": "x" }),
    },
    {
      name: "what `session/discovery` named for another folder",
      after: [opened(`${PROJECT}/src/b.ts`), compacted()],
      event: opened(),
      beside: [discovery],
      ...inSession({ "src/README.md": "x" }),
    },
    {
      name: "what the session has loaded",
      event: opened(),
      beside: [discovery],
      ...inSession({ "src/README.md": "x" }, { preloadedFiles: [`${PROJECT}/src/README.md`] }),
    },
  ],
});

async function toldAt(event: AnyEvent, options: SandboxOptions): Promise<string> {
  const sandbox = createSandbox([policy], options);
  const { ruling } = await sandbox.send(event);
  sandbox.close();
  return ruling.notes.map((note) => note.text).join("\n");
}

describe("the note", () => {
  it("has the README of the root first", async () => {
    const files = { "src/deep/README.md": "three", "README.md": "one", "src/README.md": "two" };
    expect((await toldAt(opened(), world(files))).match(/\b(?:one|two|three)$/gm)).toEqual(["one", "two", "three"]);
  });
  it("is cut with a pointer, and names those without room", async () => {
    const text = await toldAt(
      opened(),
      world({ "README.md": "word ".repeat(2_000), "src/README.md": "Sources.", "src/deep/README.md": "Deep." }),
    );
    expect(text.length).toBeLessThanOrEqual(1_300);
    expect(text).toContain("[…] (cut: read README.md)");
    expect(text).toMatch(/Also to be read: src\/README\.md, src\/deep\/README\.md$/);
  });
  it("is told with the next file when there was no room for it", async () => {
    const sandbox = createSandbox([policy], { ...src, contextBudget: { start: 6_000, tool: 40 } });
    expect((await sandbox.send(opened())).ruling).toMatchObject({ notes: [], fates: { [policy.id]: "dropped" } });
    expect((await sandbox.send(opened())).results[0]?.verdicts).toHaveLength(1);
    sandbox.close();
  });
  it("is not looked for when a folder is touched again", async () => {
    const sandbox = createSandbox([policy], src);
    await sandbox.send(opened());
    const { looked } = await sandbox.send(opened(`${PROJECT}/src/deep/b.ts`));
    sandbox.close();
    expect(looked.filter((fact) => /^(?:list|readme|info):/.test(fact))).toEqual([]);
  });
  it("is all that is remembered, beside the folder", async () => {
    const sandbox = createSandbox([policy], src);
    const kinds = () =>
      sandbox.db.all("SELECT key FROM entries WHERE store = 'touched'").map(({ key }) => String(key).split(" ")[0]);
    await sandbox.send(opened());
    await sandbox.send(opened(`${PROJECT}/src/deep/b.ts`));
    expect(kinds().sort()).toEqual(["readme", "readme-folder"]);
    sandbox.close();
  });
});
