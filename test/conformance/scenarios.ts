/** What is tried with every agent, as data. `run-scenario.ts` carries one out; docs/agents.md lists them with their results. */
import type { Declaration } from "../../src/agents/declaration.ts";
import type { EventName } from "../../src/core/event.ts";
import type { VerdictKind } from "../../src/core/verdict.ts";
import type { AgentDriver, HookFault } from "./driver.ts";
import type { ModelTurn } from "./fake-model/protocol.ts";
import { patchOf } from "./patch-of.ts";

/** How the turns of the model name tools and files. */
export interface Calls extends Pick<AgentDriver, "shell" | "write"> {
  /** A file of the project. */
  file(name: string): string;
}

export interface Expected {
  /** How many requests the model gets, with the turns after the script's last one. */
  readonly requests?: { readonly from: number; readonly to: number };
  /** Texts that stand in this request and in none before it; the first request is 0. */
  readonly carried?: readonly { readonly request: number; readonly text: string }[];
  /** By name in the project: the whole text of a file, or undefined where there must be none. */
  readonly files?: Readonly<Record<string, string | undefined>>;
  /** The client may have to be ended, because it never gives up with a hook that fails. */
  readonly mayHang?: boolean;
}

export interface Scenario {
  readonly name: string;
  /** What it shows, for people. */
  readonly shows: string;
  /** Is it part of the short run that every landing has to pass? */
  readonly isQuick: boolean;
  /** The agent that it is about; all, where it is left out. */
  readonly only?: string;
  /** It is not tried with an agent that does not declare this verdict. */
  readonly needs?: readonly [EventName, VerdictKind];
  readonly profiles?: string;
  /** The person's configuration, below the profiles. */
  readonly config?: string;
  /** Files of the project, by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** What is installed instead of the agent's own hooks: arguments of `init`. */
  readonly install?: readonly string[];
  /** A person has allowed the project's own policies. */
  readonly isTrusted?: boolean;
  /** Commands of ours that a person runs before. */
  readonly commands?: readonly (readonly string[])[];
  readonly prompt?: string;
  /** Breaks the hook after the installation. */
  readonly fault?: HookFault;
  /** Installs, uninstalls, and compares the files of the agent's settings with those before. */
  readonly isUninstalled?: boolean;
  readonly turns: (calls: Calls) => readonly ModelTurn[];
  readonly expected: (declaration: Declaration) => Expected;
}

const PLAN = "docs/plans/2026-02-16-login-design.md";
const PLAN_TEXT = `# Login for everybody

## Implementation Tasks

| # | Task | Depends On | Status |
|---|------|------------|--------|
| 1 | Build the form | — | pending |
| 2 | Write the docs | 1 | pending |
`;
const DONE = "Done.";
const NEVER_DONE = `export default {
  id: "local/never-done",
  summary: "Holds every stop.",
  why: "Only a limit can end the turn.",
  stage: "session",
  messages: { more: "There is more to do." },
  on: { "turn.stop": (_event, ctx) => ctx.hold("more", {}, { rank: 1, exit: "Only a limit ends this." }) },
};
`;

/** A file that only a call that ran can have made. */
const TRACE = "trace.txt";

const withFault = (fault: Exclude<HookFault, "undecided">, shows: string): Scenario => ({
  name: `hook-${fault}`,
  shows,
  isQuick: false,
  fault,
  turns: ({ shell }) => [[shell(`touch ${TRACE}`)], DONE],
  expected: ({ onFailure }) => ({
    files: { [TRACE]: onFailure[fault === "slow" ? "timeout" : fault] === "runs" ? "" : undefined },
    mayHang: onFailure[fault === "slow" ? "timeout" : fault] === "denies",
  }),
});

export const SCENARIOS: readonly Scenario[] = [
  {
    name: "shell-denied",
    shows: "a command that destroys something does not run, and the model is told why",
    isQuick: true,
    needs: ["tool.before", "deny"],
    turns: ({ shell }) => [[shell(`git push --force origin main; touch ${TRACE}`)], DONE],
    expected: () => ({
      files: { [TRACE]: undefined },
      carried: [{ request: 1, text: "safety/destructive-command" }],
      requests: { from: 2, to: 2 },
    }),
  },
  {
    name: "shell-asked",
    shows:
      "a command that a person would be asked about does not run where nobody can be asked, and the model is told why",
    isQuick: false,
    needs: ["tool.before", "deny"],
    files: { "data/rows.csv": "1,2\n" },
    turns: ({ shell }) => [[shell("rm -rf data")], DONE],
    expected: () => ({
      files: { "data/rows.csv": "1,2\n" },
      carried: [{ request: 1, text: "safety/destructive-command" }],
    }),
  },
  {
    name: "edit-denied",
    shows: "an edit of a protected file does not happen, and the model is told why",
    isQuick: true,
    needs: ["tool.before", "deny"],
    // Some agents have a guard of their own for `.git`, which would answer first.
    turns: ({ write, file }) => [[write(file("hookwright.yml"), "profiles: []\n")], DONE],
    expected: () => ({
      files: { "hookwright.yml": undefined },
      carried: [{ request: 1, text: "safety/protected-paths" }],
    }),
  },
  {
    name: "look-alike",
    shows: "a harmless command and a harmless edit that only look like those run",
    isQuick: true,
    turns: ({ shell, write, file }) => [
      [shell("echo never git push --force > shell.txt")],
      [write(file("edit.txt"), "git push --force\n")],
      DONE,
    ],
    expected: () => ({
      files: { "shell.txt": "never git push --force\n", "edit.txt": "git push --force\n" },
      requests: { from: 3, to: 3 },
    }),
  },
  {
    name: "session-context",
    shows: "what a session is told at its start reaches the model with the first request",
    isQuick: false,
    needs: ["session.start", "note"],
    profiles: "omc",
    files: { ".omc/notepad.md": "## Priority Context\nThe API of the login is frozen.\n" },
    turns: () => [DONE],
    expected: () => ({ carried: [{ request: 0, text: "The API of the login is frozen." }] }),
  },
  {
    name: "prompt-context",
    shows: "what a prompt is answered with reaches the model together with it",
    isQuick: false,
    needs: ["prompt.submit", "note"],
    config:
      "rules:\n  - { id: forms, event: prompt.submit, pattern: 'the form', do: note, text: Forms have labels. }\n",
    prompt: "Build the form.",
    turns: () => [DONE],
    expected: () => ({ carried: [{ request: 0, text: "Forms have labels." }] }),
  },
  {
    name: "prompt-denied",
    shows: "a prompt that is refused never reaches the model",
    isQuick: false,
    needs: ["prompt.submit", "deny"],
    config:
      "rules:\n  - { id: deploys, event: prompt.submit, pattern: deploy, do: deny, text: Deploys go through CI. }\n",
    prompt: "Now deploy it.",
    turns: () => [DONE],
    expected: () => ({ requests: { from: 0, to: 0 } }),
  },
  {
    name: "call-context",
    shows: "what is said before a call reaches the model, and the call runs",
    isQuick: false,
    needs: ["tool.before", "note"],
    config: "rules:\n  - { id: traces, program: touch, do: note, text: Empty files are traces. }\n",
    turns: ({ shell }) => [[shell(`touch ${TRACE}`)], DONE],
    expected: () => ({ files: { [TRACE]: "" }, carried: [{ request: 1, text: "Empty files are traces." }] }),
  },
  {
    name: "result-context",
    shows: "what is said after a call reaches the model",
    isQuick: false,
    needs: ["tool.after", "note"],
    config: "rules:\n  - { id: traces, event: tool.after, program: touch, do: note, text: Empty files are traces. }\n",
    turns: ({ shell }) => [[shell(`touch ${TRACE}`)], DONE],
    expected: () => ({ files: { [TRACE]: "" }, carried: [{ request: 1, text: "Empty files are traces." }] }),
  },
  {
    name: "plan-held",
    shows: "a stop with open tasks of a plan causes one more request, and the next stop passes",
    isQuick: false,
    needs: ["turn.stop", "hold"],
    profiles: "plan",
    files: { [PLAN]: PLAN_TEXT, ".claude/project.yml": "hooks:\n  stop_guard: true\n" },
    commands: [["plan", "start", PLAN]],
    turns: ({ shell }) => [[shell("true")], DONE, "Really."],
    expected: () => ({
      carried: [{ request: 2, text: "2 tasks still incomplete" }],
      requests: { from: 3, to: 5 },
    }),
  },
  {
    name: "idle-holds-end",
    shows: "a stop that a policy holds again and again passes after at most three requests without work",
    isQuick: false,
    needs: ["turn.stop", "hold"],
    files: { ".hookwright/policies/never-done.js": NEVER_DONE },
    isTrusted: true,
    turns: ({ shell }) => [[shell("true")], DONE, DONE],
    expected: () => ({ carried: [{ request: 2, text: "There is more to do." }], requests: { from: 3, to: 5 } }),
  },
  withFault("crash", "a call while the hook ends by a signal runs or is denied, as the declaration of the agent says"),
  withFault("missing", "the same while the program of the hook is gone"),
  withFault("slow", "the same while the hook answers too late"),
  {
    name: "hook-undecided",
    shows: "a call is denied while the hook runs, but its own engine is missing",
    isQuick: false,
    needs: ["tool.before", "deny"],
    fault: "undecided",
    turns: ({ shell }) => [[shell(`touch ${TRACE}`)], DONE],
    expected: () => ({ files: { [TRACE]: undefined }, requests: { from: 2, to: 2 } }),
  },
  {
    name: "uninstalled",
    shows: "after `uninstall` the settings of the agent are byte for byte as before, and nothing is denied any more",
    isQuick: false,
    isUninstalled: true,
    turns: ({ shell }) => [[shell(`git push --force origin main; touch ${TRACE}`)], DONE],
    expected: () => ({ files: { [TRACE]: "" } }),
  },
  {
    name: "patch-on-a-line-denied",
    shows: "a patch that stands on a command line, which Codex carries out itself, does not change a protected file",
    isQuick: true,
    only: "codex",
    turns: ({ shell }) => [
      [shell(`cd .git && apply_patch <<'EOF'\n${patchOf("hooks/pre-commit", "#!/bin/sh\n")}EOF`)],
      DONE,
    ],
    expected: () => ({
      files: { ".git/hooks/pre-commit": undefined },
      carried: [{ request: 1, text: "safety/protected-paths" }],
    }),
  },
  {
    name: "patch-on-a-line-runs",
    shows: "a patch that stands on a command line and changes a file of the project runs",
    isQuick: false,
    only: "codex",
    turns: ({ shell }) => [[shell(`apply_patch <<'EOF'\n${patchOf("notes.txt", "one\n")}EOF`)], DONE],
    expected: () => ({ files: { "notes.txt": "one\n" } }),
  },
  {
    name: "hooks-of-claude-code",
    shows:
      "hooks that Claude Code has in a project, which Copilot CLI runs without their arguments, guard its calls too",
    isQuick: false,
    only: "copilot-cli",
    install: ["--agent", "claude-code", "--scope", "project"],
    turns: ({ shell }) => [[shell(`touch ${TRACE}`)], [shell("git push --force origin main; touch pushed.txt")], DONE],
    expected: () => ({
      files: { [TRACE]: "", "pushed.txt": undefined },
      carried: [{ request: 2, text: "safety/destructive-command" }],
      requests: { from: 3, to: 3 },
    }),
  },
];
