import { describe, expect, it } from "vitest";
import type { AnyEvent, JsonObject } from "../../core/event.ts";
import { claudeEvent, PROJECT, SESSION, shell, toolAfter, toolBefore } from "../../testing/events.ts";
import { createSandbox, type SandboxOptions } from "../../testing/sandbox.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./plugin-patterns.ts";

const commit = (message: string): AnyEvent => shell(`git commit -m '${message}'`);
const DENY = { options: { commits: "deny" } };
const noted = { says: "note", message: "unusual" } as const;
const denied = { says: "deny", message: "denied", ...DENY } as const;
let calls = 0;
const edited = (file: string, more: JsonObject = {}): AnyEvent =>
  toolAfter("Edit", { file_path: file, old_string: "a", new_string: "b" }, `toolu_${++calls}`, more);

testPolicy(policy, {
  hit: [
    {
      name: "a sentence",
      event: commit("Fixed the login"),
      ...noted,
      text: '"Fixed the login" is no conventional commit: it does not begin with a type',
    },
    { name: "what is wanted", event: commit("Fixed"), ...noted, text: "Wanted is `type(scope): what it changes`" },
    { name: "an unknown type", event: commit("feature: x"), ...noted, text: "its type `feature` is none of feat, fix" },
    { name: "a type in capitals", event: commit("Fix: x"), ...noted, text: "its type `Fix`" },
    { name: "a scope in capitals", event: commit("fix(API): x"), ...noted, text: "its scope `(API)`" },
    { name: "an empty scope", event: commit("fix(): x"), ...noted, text: "its scope `()`" },
    { name: "no blank after the colon", event: commit("fix:x"), ...noted, text: "one blank" },
    { name: "no text", event: commit("fix: "), ...noted, text: "no text follows" },
    { name: "an empty message", event: commit(""), ...noted, text: "does not begin with a type" },
    { name: "73 characters", event: commit(`fix: ${"x".repeat(68)}`), ...noted, text: "has 73 characters" },
    { name: "with other options", event: shell("git -C . commit -qam 'Fixed it'"), ...noted },
    { name: "attached", event: shell("git commit -m'Fixed it'"), ...noted },
    { name: "the long option", event: shell("git commit --message='Fixed it' --no-verify"), ...noted },
    { name: "an amended commit", event: shell("git commit --amend -m 'Fixed it'"), ...noted },
    { name: "behind another command", event: shell("git add . && git commit -m 'Fixed it' && git push"), ...noted },
    {
      name: "the second of two commits",
      event: shell("git commit -m 'fix: a'; git commit -m 'Fixed b'"),
      ...noted,
      text: '"Fixed b"',
    },
    {
      name: "a here-document",
      event: shell("git commit -m \"$(cat <<'EOF'\nFixed the login\n\nBecause.\nEOF\n)\""),
      ...noted,
      text: '"Fixed the login"',
    },
    { name: "without a scope", event: commit("fix: x"), options: { requireScope: true }, ...noted, text: "no scope" },
    { name: "without a body", event: commit("fix: x"), options: { requireBody: true }, ...noted, text: "no body" },
    { name: "denied, if that is wanted", event: commit("Fixed it"), ...denied, text: "Commit again with" },
  ],
  pass: [
    { name: "a fix", event: commit("fix: keep the session") },
    {
      name: "each type",
      event: shell(
        types()
          .map((type) => `git commit -m '${type}: x'`)
          .join("; "),
      ),
      ...DENY,
    },
    { name: "a scope", event: commit("feat(user-api/v2): add a page"), ...DENY },
    { name: "a breaking change", event: commit("feat(api)!: drop v1"), ...DENY },
    { name: "72 characters", event: commit(`fix: ${"x".repeat(67)}`), ...DENY },
    { name: "a long body", event: shell(`git commit -m 'fix: x' -m '${"y".repeat(200)}'`), ...DENY },
    {
      name: "scope and body, where they are wanted",
      event: shell("git commit -m 'fix(api): x' -m 'Because.'"),
      options: { commits: "deny", requireScope: true, requireBody: true },
    },
    {
      name: "a body in the same text",
      event: commit("fix(api): x\n\nBecause."),
      options: { commits: "deny", requireBody: true },
    },
    { name: "a merge", event: commit("Merge branch main"), ...DENY },
    { name: "a revert by git", event: commit('Revert "fix: x"'), ...DENY },
    { name: "a fixup", event: commit("fixup! fix: x"), ...DENY },
    { name: "no message", event: shell("git commit --amend --no-edit; git commit -F message.txt"), ...DENY },
    { name: "a message that is not known", event: shell('git commit -m "$TEXT"'), ...DENY },
    { name: "another command", event: shell("git tag -m 'Fixed it' v1; echo git commit -m 'Fixed it'"), ...DENY },
    { name: "a function that nobody calls", event: shell("f() { git commit -m Fixed; }; ls"), ...DENY },
    { name: "messages that nobody looks at", event: commit("Fixed it"), options: { commits: "off" } },
    { name: "an edit", event: toolBefore("Edit", { file_path: `${PROJECT}/a.ts`, old_string: "a", new_string: "b" }) },
  ],
});

function types(): string[] {
  return ["feat", "fix", "docs", "style", "refactor", "perf", "test", "build", "ci", "chore", "revert"];
}

describe("an edit", () => {
  const ordered = async (event: AnyEvent, options: SandboxOptions = {}) => {
    const sandbox = createSandbox([policy], options);
    const { ruling } = await sandbox.send(event);
    const jobs = sandbox.db.all("SELECT name, args FROM jobs");
    sandbox.close();
    expect(ruling.notes).toEqual([]);
    return jobs.map(({ name, args }) => ({ name, args: JSON.parse(String(args)) as JsonObject }));
  };
  const order = (file: string, more: object = {}) => ({
    name: "code-tools/check",
    args: {
      agent: "claude-code",
      session: SESSION,
      file,
      project: PROJECT,
      cwd: PROJECT,
      format: true,
      lint: true,
      ...more,
    },
  });

  it.each(["a.ts", "src/b.jsx", "c.py", "d.go", "e.rs", "f.json", "dots..in/a.ts"])(
    "of %s is followed by a job, by its absolute path",
    async (name) => {
      expect(await ordered(edited(`${PROJECT}/${name}`))).toEqual([order(`${PROJECT}/${name}`)]);
    },
  );

  it("by another tool, or with a relative path, is followed by one as well", async () => {
    const written = toolAfter("Write", { file_path: "src/a.ts", content: "" }, "toolu_w");
    expect(await ordered(written)).toEqual([order(`${PROJECT}/src/a.ts`)]);
  });

  it("in the folder of a linked worktree is followed by one", async () => {
    const files = {
      [`${PROJECT}/.git`]: { dir: 0o755 },
      [`${PROJECT}/.git/worktrees/wt/commondir`]: "../..\n",
      "/srv/wt/.git": `gitdir: ${PROJECT}/.git/worktrees/wt\n`,
    };
    const event = edited("/srv/wt/src/a.ts", { cwd: "/srv/wt" });
    expect(await ordered(event, { files })).toEqual([order("/srv/wt/src/a.ts", { cwd: "/srv/wt" })]);
  });

  it("starts only what is wanted", async () => {
    const file = `${PROJECT}/a.ts`;
    expect(await ordered(edited(file), { options: { format: false } })).toEqual([order(file, { format: false })]);
    expect(await ordered(edited(file), { options: { lint: false } })).toEqual([order(file, { lint: false })]);
    expect(await ordered(edited(file), { options: { format: false, lint: false } })).toEqual([]);
    expect(await ordered(edited(`${PROJECT}/a.json`), { options: { format: false } })).toEqual([]);
  });

  it("starts nothing that would change something while it is only observed", async () => {
    expect(await ordered(edited(`${PROJECT}/a.ts`), { mode: "observe" })).toEqual([]);
  });

  it.each([
    ["a file without a tool", edited(`${PROJECT}/notes.txt`)],
    ["a file without an ending", edited(`${PROJECT}/ts`)],
    ["a file outside of the project", edited("/srv/a.ts")],
    ["a folder that only begins like the project", edited(`${PROJECT}2/a.ts`)],
    ["a way out of the project", edited(`${PROJECT}/../a.ts`)],
    ["a dependency", edited(`${PROJECT}/node_modules/p/a.js`)],
    ["settings of a tool", edited(`${PROJECT}/.claude/settings.json`)],
    ["what was only read", toolAfter("Read", { file_path: `${PROJECT}/a.ts` }, "toolu_r")],
    ["an edit that failed", failed()],
  ])("of %s starts nothing", async (_name, event) => {
    expect(await ordered(event)).toEqual([]);
  });

  function failed(): AnyEvent {
    const input = { file_path: `${PROJECT}/a.ts`, old_string: "a", new_string: "b" };
    const base = { hook_event_name: "PostToolUseFailure", tool_name: "Edit", tool_use_id: "toolu_f" };
    return claudeEvent({ ...base, tool_input: input, error: "x" });
  }
});
