// The hooks of the workflow engine and what does the same here; the suites that came with them, how many cases each had,
// and where their counterparts are.
const e2e = (name) => `test/e2e/${name}.test.ts`;
const CLIENT = e2e("session");
const FLEET = e2e("fleet");
const CHAOS = "test/chaos/session.test.ts";
const ORIGINS = "test/origins/session.sh";
const REQUIRED = "asks for a session where `SESSION_REQUIRED=1` or `session: { required: always }` is set";

export const HOOKS = [
  {
    hook: "pre-tool-use-session-gate",
    policies: ["session/gate"],
    tests: [e2e("session-gate"), CLIENT, ORIGINS],
    standard: REQUIRED,
    differs: [
      [
        "Passing is silence",
        "The hooks printed `allow` for every call that passed, which skipped the person's own permission prompts.",
      ],
      [
        "One order",
        "Three orders of the gates were documented, and the agent runs hooks in parallel anyway. Here the stages decide.",
      ],
      [
        "An exempt command is all of the line",
        "`engine session find; rm x` passed every gate, as only the beginning was looked at. Each part of a line is read.",
      ],
      [
        "A session whose process died is taken over, not removed",
        "Its state file was deleted; phases, proofs and what others wrote there were gone.",
      ],
      [
        "`engine log` and `engine tag` write markdown below the project only",
        "They pass the gates, so they must not be a way to write anything else.",
      ],
    ],
  },
  {
    hook: "pre-tool-use-overflow",
    policies: ["session/overflow"],
    tests: [e2e("hand-over"), ORIGINS],
    standard: "does nothing until `contextPolicy: restart`",
    differs: [
      [
        "Denies calls only under `contextPolicy: restart`",
        "By default the context is preserved over a compaction, and two ways at once would contradict each other.",
      ],
    ],
  },
  {
    hook: "pre-tool-use-heartbeat",
    policies: ["session/heartbeat"],
    tests: [CLIENT, CHAOS, ORIGINS],
    differs: [
      ["Reminders reach the model", "They were sent as the reason of an `allow`, which the model never sees."],
      [
        "Counts are exact",
        "Reading, adding and writing back outside of the lock lost calls. Here they are one transaction, also for 50 at once.",
      ],
      [
        "A log that failed does not count",
        "The count was reset when the command was seen. Here it is put back when the command fails.",
      ],
      [
        "Loading ends by itself where no phase is declared",
        "It ended only with the first phase, so without phases the heartbeat never began.",
      ],
    ],
  },
  {
    hook: "pre-tool-use-one-strike",
    policies: ["session/one-strike"],
    tests: [ORIGINS],
    differs: [
      [
        "A destructive command is read, not searched for",
        "Patterns hit `git push origin my-feature` and `git stash list`, and missed `git -C d reset --hard`, `find … -delete` and all that stands behind a here-document.",
      ],
      [
        "A warning counts for one session and for a time; roots are never let through",
        "Its mark lay in /tmp under a process number and stayed there; the retry let everything pass.",
      ],
      [
        "With `safety` on, the retry gets the answer of that profile",
        "Turning a profile on never makes another one weaker.",
      ],
    ],
  },
  {
    hook: "pre-tool-use-directive-gate",
    policies: ["session/directive-gate"],
    tests: [CLIENT, ORIGINS],
    differs: [
      [
        "A shell command that prints the file counts as reading it",
        "Only the tool Read did, and the agent has other ways.",
      ],
    ],
  },
  {
    hook: "pre-tool-use-overflow-v2",
    policies: ["session/rules"],
    tests: ["src/domain/session/rules/rules.test.ts", ORIGINS],
    differs: [
      ["No session is made up", "The later generation began one by itself, so that the gate never asked anybody."],
      [
        "A call passes only when it is on every matching rule's list",
        "The union of the lists was asked: what the heartbeat let pass, passed the overflow too.",
      ],
      [
        "A broken rules file changes nothing",
        "All rules were gone with it. Here the last good ones stay, and the person is told.",
      ],
      [
        "A rule may only load files of the project or of the agent's folder",
        "A path in a state file brought any file into the context. What a person's own rule names is loaded from anywhere.",
      ],
    ],
  },
  {
    hook: "post-tool-use-discovery",
    policies: ["session/discovery"],
    tests: [CLIENT, ORIGINS],
    differs: [
      [
        "Directives are known by their real path",
        "They were known by their name, so a second AGENTS.md elsewhere was never suggested. README is among them again.",
      ],
    ],
  },
  { hook: "post-tool-use-details-log", policies: ["session/details-log"], tests: [ORIGINS] },
  {
    hook: "post-tool-complete-notify",
    nothing: "it did nothing, as between two calls the agent still works",
    tests: [],
  },
  {
    hook: "post-tool-failure-notify",
    nothing: "it did nothing, as a call that failed does not stop the agent",
    tests: [],
  },
  { hook: "user-prompt-state-injector", policies: ["session/state-line"], tests: [ORIGINS], standard: REQUIRED },
  {
    hook: "user-prompt-submit-session-gate",
    policies: ["session/prompt-gate"],
    tests: [e2e("session-gate"), ORIGINS],
    standard: REQUIRED,
    differs: [["Prompts that a machine wrote are not gated", "Nobody is there who could choose a session."]],
  },
  { hook: "user-prompt-working", policies: ["session/working", "session/fleet"], tests: [FLEET] },
  {
    hook: "pre-compact-kill",
    policies: ["session/compaction", "session/restore"],
    tests: [e2e("hand-over"), e2e("hand-over-killed")],
    standard: "restarts only with `contextPolicy: restart`",
    differs: [
      [
        "By default it writes the hand-over and lets the compaction happen",
        "A restart in the middle is right only for those who ask for it.",
      ],
      [
        "The restart is a job that ends the agent through its wrapper or the keys of its pane",
        "There a watchdog killed the process, and something else had to start the next one.",
      ],
    ],
  },
  { hook: "notification-attention", policies: ["session/fleet"], tests: [FLEET] },
  { hook: "notification-idle", policies: ["session/fleet"], tests: [FLEET] },
  {
    hook: "pane-focus-style",
    commands: ["session"],
    tests: [FLEET],
    standard: "`engine session fleet install`",
    differs: [["Installed by a command, and taken away by one", "It is a hook of tmux, which no agent calls."]],
  },
  {
    hook: "stop-notify",
    policies: ["session/fleet"],
    tests: [FLEET],
    differs: [["Not when the stop was held", "The pane was marked as done although the turn went on."]],
  },
  { hook: "session-end-notify", policies: ["session/fleet"], tests: [FLEET] },
];

export const SUITES = [
  {
    hook: "pre-tool-use-one-strike",
    cases: 66,
    files: ["src/policies/session/one-strike.test.ts"],
  },
  {
    hook: "pre-tool-use-session-gate",
    cases: 30,
    files: ["src/policies/session/gate.test.ts"],
  },
  {
    hook: "pre-tool-use-heartbeat",
    cases: 11,
    files: ["src/policies/session/heartbeat.test.ts"],
  },
  {
    hook: "pre-tool-use-directive-gate",
    cases: 15,
    files: ["src/policies/session/directive-gate.test.ts"],
  },
  {
    hook: "post-tool-use-discovery",
    cases: 17,
    files: ["src/policies/session/discovery.test.ts"],
  },
  {
    hook: "post-tool-use-details-log",
    cases: 20,
    files: ["src/policies/session/details-log.test.ts"],
  },
  {
    hook: "user-prompt-state-injector",
    cases: 18,
    files: ["src/policies/session/state-line.test.ts"],
  },
  {
    hook: "pre-tool-use-overflow-v2",
    cases: 81,
    files: ["src/domain/session/rules/rules.test.ts", "src/policies/session/rules.test.ts"],
  },
  {
    hook: "pre-compact-kill",
    cases: 10,
    files: ["src/policies/session/compaction.test.ts"],
  },
];
