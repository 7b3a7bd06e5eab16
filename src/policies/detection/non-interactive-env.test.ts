import { describe, expect, it } from "vitest";
import type { AnyEvent } from "../../core/event.ts";
import { policy as other } from "../../core/policy.ts";
import { QUIET_VARIABLES } from "../../domain/terminal/headless.ts";
import { claudeEvent, shell, toolBefore } from "../../testing/events.ts";
import { createSandbox, type SandboxOptions } from "../../testing/sandbox.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./non-interactive-env.ts";

const FILE = "/home/dev/.claude/session-env/s/sessionstart-hook-0.sh";
const starts = (source = "startup"): AnyEvent => claudeEvent({ hook_event_name: "SessionStart", source });
const env = (more: Readonly<Record<string, string>>): SandboxOptions => ({ env: { CLAUDE_ENV_FILE: FILE, ...more } });
const ATTENDED = "CLAUDE_CODE_SESSION_ATTENDED";
const ENTRY = "CLAUDE_CODE_ENTRYPOINT";

const variables = { says: "environment", message: "variables" } as const;
const editor = { says: "note", message: "editor" } as const;
const pager = { says: "note", message: "pager" } as const;
const rebase = { says: "note", message: "rebase" } as const;
const patch = { says: "note", message: "patch" } as const;

testPolicy(policy, {
  hit: [
    { name: "in CI", event: starts(), ...env({ CI: "true" }), ...variables, text: "GIT_TERMINAL_PROMPT" },
    { name: "in CI, by a number", event: starts(), ...env({ CI: "1" }), ...variables },
    { name: "in an action", event: starts(), ...env({ GITHUB_ACTIONS: "true" }), ...variables },
    { name: "when it is said", event: starts(), ...env({ CLAUDE_CODE_NON_INTERACTIVE: "true" }), ...variables },
    { name: "when the client is run", event: starts(), ...env({ CLAUDE_CODE_RUN: "true" }), ...variables },
    { name: "with -p", event: starts(), ...env({ [ATTENDED]: "0", [ENTRY]: "sdk-cli" }), ...variables },
    { name: "with -p in an older client", event: starts(), ...env({ [ENTRY]: "sdk-cli" }), ...variables },
    { name: "by a program", event: starts(), ...env({ [ENTRY]: "sdk-ts" }), ...variables },
    { name: "in CI with a person", event: starts(), ...env({ CI: "true", [ATTENDED]: "1" }), ...variables },
    { name: "after a compaction, if they are not there", event: starts("compact"), ...env({ CI: "1" }), ...variables },
    {
      name: "beside those of others",
      event: starts(),
      ...env({ CI: "1" }),
      files: { [FILE]: "export PAGER='less'\n" },
      ...variables,
    },
    { name: "vim", event: shell("vim src/a.ts"), ...editor, text: "vim waits for keys" },
    { name: "vi by its path", event: shell("/usr/bin/vi a"), ...editor, text: "vi waits" },
    { name: "nano behind sudo", event: shell("cd src && sudo nano a"), ...editor, text: "nano waits" },
    { name: "emacs after another command", event: shell("make; emacs -nw a"), ...editor, text: "emacs waits" },
    { name: "less", event: shell("git log | less"), ...pager, text: "less shows" },
    { name: "more", event: shell("more README.md"), ...pager, text: "more shows" },
    { name: "man", event: shell("man 5 crontab"), ...pager, text: "man shows" },
    { name: "man with its errors elsewhere", event: shell("man git 2>/dev/null"), ...pager },
    {
      name: "an interactive rebase",
      event: shell("git rebase -i HEAD~3"),
      ...rebase,
      text: "git rebase --interactive opens",
    },
    { name: "in another folder", event: shell("git -C api rebase --interactive main"), ...rebase },
    { name: "with another option", event: shell("git rebase -qi main"), ...rebase },
    { name: "shortened", event: shell("git rebase --interact main"), ...rebase },
    { name: "git add -p", event: shell("git add -p"), ...patch, text: "git add -p asks" },
    { name: "git add --patch", event: shell("git add --patch src"), ...patch, text: "git add -p asks" },
    { name: "git add -i", event: shell("git add -i"), ...patch, text: "git add -i asks" },
    { name: "git stash -p", event: shell("git stash push -p"), ...patch, text: "git stash -p asks" },
    { name: "git stash save -p", event: shell("git stash save --patch later"), ...patch },
    { name: "git stash without a word", event: shell("git stash -p"), ...patch },
    { name: "git checkout -p", event: shell("git checkout -p main"), ...patch, text: "git checkout -p asks" },
    { name: "git commit -p", event: shell("git commit -pm 'fix: x'"), ...patch, text: "git commit -p asks" },
    {
      name: "the one that it is, not the first of a list",
      event: shell("echo man; less a"),
      ...pager,
      text: "less shows",
    },
    {
      name: "two kinds at once",
      event: shell("git add -p && nano a"),
      ...editor,
      also: [patch],
    },
    { name: "another kind", after: [shell("vim a")], event: shell("less a"), ...pager },
    {
      name: "in another session",
      after: [toolBefore("Bash", { command: "vim a" }, { session_id: "b" })],
      event: shell("vim a"),
      ...editor,
    },
  ],
  pass: [
    { name: "with a person", event: starts(), ...env({ [ATTENDED]: "1", [ENTRY]: "cli" }) },
    { name: "with a person in an older client", event: starts(), ...env({ [ENTRY]: "cli" }) },
    { name: "with a person and a program between", event: starts(), ...env({ [ATTENDED]: "1", [ENTRY]: "sdk-ts" }) },
    { name: "where it is said that this is no CI", event: starts(), ...env({ CI: "false" }) },
    { name: "where nothing is said", event: starts(), ...env({}) },
    { name: "without a file for variables", event: starts(), env: { CI: "true" } },
    {
      name: "once in a session that is resumed",
      event: starts("resume"),
      ...env({ CI: "1" }),
      files: {
        [FILE]: Object.keys(QUIET_VARIABLES)
          .map((name) => `export ${name}=''\n`)
          .join(""),
      },
    },
    { name: "when all are set", event: starts(), ...env({ ...QUIET_VARIABLES }) },
    { name: "an ordinary command", event: shell("npm test") },
    { name: "the word", event: shell("echo vim less man; which nano; apt-get install -y emacs") },
    { name: "the word in a message", event: shell("git commit -m 'use git add -p and git rebase -i'") },
    { name: "the word in a search", event: shell("grep -rn 'less' src") },
    { name: "a name that only begins alike", event: shell("lesskey; vimtutor; manage") },
    { name: "the same kind again", after: [shell("vim a")], event: shell("nano b") },
    { name: "a version", event: shell("vim --version; less -V; man --version; nano -h") },
    { name: "an editor without a screen", event: shell("emacs --batch -f x; nvim --headless +q; vim -es +q a") },
    { name: "a page that is handed on", event: shell("man git | head -20; less a > b") },
    { name: "a search for pages", event: shell("man -k socket; man -w git; man -P cat git") },
    { name: "a rebase", event: shell("git rebase main") },
    { name: "a rebase that is told its list", event: shell("GIT_SEQUENCE_EDITOR=true git rebase -i main") },
    { name: "before it", event: shell("export GIT_SEQUENCE_EDITOR='sed -i 2d'; git rebase -i main") },
    { name: "as a setting", event: shell("git -c sequence.editor=true rebase -i main") },
    { name: "a rebase with a command", event: shell("git rebase -x 'npm run -i' main") },
    { name: "git add", event: shell("git add -A; git add -- -p; git add src") },
    { name: "a patch that is printed", event: shell("git stash show -p; git log -p; git show -p; git diff -p") },
    { name: "answers in a pipe", event: shell("yes | git add -p; git add -p <<< y") },
    { name: "git checkout of a branch", event: shell("git checkout -b p; git commit -m -p; git log -p") },
    { name: "a function that nobody calls", event: shell("f() { vim a; }; ls") },
    { name: "in a terminal of its own", event: shell("tmux new-session -d 'vim a'; script -c 'less a' log") },
    { name: "a line that cannot be read", event: shell("vim 'a") },
    { name: "another tool", event: toolBefore("Grep", { pattern: "vim" }) },
  ],
});

describe("the variables", () => {
  it("are those that are not set already, with their values", async () => {
    const sandbox = createSandbox([policy], env({ CI: "true", EDITOR: "", PAGER: "bat" }));
    const { ruling } = await sandbox.send(starts());
    sandbox.close();
    const { CI: _ci, EDITOR: _editor, PAGER: _pager, ...rest } = QUIET_VARIABLES;
    expect(ruling.environment).toEqual(rest);
  });
});

describe("a note", () => {
  const denies = other({
    id: "test/denies",
    summary: "Denies a line.",
    why: "To see what is told then.",
    stage: "destructive",
    messages: { no: "No." },
    examples: { hit: ["rm"], pass: ["ls"] },
    on: {
      "tool.before": (event, ctx) => (String(event.tool.input.command).includes("rm") ? ctx.deny("no") : undefined),
    },
  });

  it("that a denial dropped is told with the next call", async () => {
    const sandbox = createSandbox([denies, policy]);
    const told = async (line: string) => (await sandbox.send(shell(line))).ruling.notes.length;
    expect([await told("vim a; rm b"), await told("vim a"), await told("vim a")]).toEqual([0, 1, 0]);
    sandbox.close();
  });
});
