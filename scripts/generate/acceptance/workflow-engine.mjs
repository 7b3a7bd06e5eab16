// The suites that came with the workflow engine's hooks, how many cases each had, and where their counterparts are.

export const SUITES = [
  {
    suite: "one-strike",
    hook: "pre-tool-use-one-strike",
    cases: 66,
    files: ["src/policies/session/one-strike.test.ts"],
  },
  {
    suite: "session gate",
    hook: "pre-tool-use-session-gate",
    cases: 30,
    files: ["src/policies/session/gate.test.ts"],
  },
  {
    suite: "heartbeat",
    hook: "pre-tool-use-heartbeat",
    cases: 11,
    files: ["src/policies/session/heartbeat.test.ts"],
  },
  {
    suite: "directive gate",
    hook: "pre-tool-use-directive-gate",
    cases: 15,
    files: ["src/policies/session/directive-gate.test.ts"],
  },
  {
    suite: "discovery",
    hook: "post-tool-use-discovery",
    cases: 17,
    files: ["src/policies/session/discovery.test.ts"],
  },
  {
    suite: "details log",
    hook: "post-tool-use-details-log",
    cases: 20,
    files: ["src/policies/session/details-log.test.ts"],
  },
  {
    suite: "state injector",
    hook: "user-prompt-state-injector",
    cases: 18,
    files: ["src/policies/session/state-line.test.ts"],
  },
  {
    suite: "rule engine",
    hook: "pre-tool-use-overflow-v2",
    cases: 81,
    files: ["src/domain/session/rules/rules.test.ts", "src/policies/session/rules.test.ts"],
  },
];

/** Where we do something else than those hooks did, and why. */
export const DIFFERENCES = [
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
    "A destructive command is read, not searched for",
    "Patterns hit `git push origin my-feature` and `git stash list`, and missed `git -C d reset --hard`, `find … -delete` and all that stands behind a here-document.",
  ],
  [
    "A warning counts for one session and for a time; roots are never let through",
    "Its mark lay in /tmp under a process number and stayed there; the retry let everything pass.",
  ],
  ["No session is made up", "The later generation began one by itself, so that the gate never asked anybody."],
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
    "A session whose process died is taken over, not removed",
    "Its state file was deleted; phases, proofs and what others wrote there were gone.",
  ],
  [
    "Loading ends by itself where no phase is declared",
    "It ended only with the first phase, so without phases the heartbeat never began.",
  ],
  [
    "Directives are known by their real path",
    "They were known by their name, so a second AGENTS.md elsewhere was never suggested. README is among them again.",
  ],
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
  [
    "`engine log` and `engine tag` write markdown below the project only",
    "They pass the gates, so they must not be a way to write anything else.",
  ],
];
