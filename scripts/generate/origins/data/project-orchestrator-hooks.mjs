// The hooks that project-orchestrator's plan names, also those that it decided against, and what does the same here.
const e2e = (name) => `test/e2e/${name}.test.ts`;
const ORIGINS = "test/origins/plan.sh";
const switchedOn = (line) => `does nothing until the project's \`.claude/project.yml\` says \`hooks: { ${line} }\``;

export const HOOKS = [
  {
    hook: "task-completed",
    policies: ["plan/task-verification"],
    tests: [e2e("plan"), e2e("plan-verified"), ORIGINS],
    standard: switchedOn("task_verification: prompt"),
    differs: [
      [
        "What is missing is a refusal, once for each task",
        "The event takes no context, so a request to check could reach nobody.",
      ],
      [
        "`prompt` looks at the commit, the files and the tests by itself",
        "A question to the model costs a turn, and its answer was not looked at.",
      ],
    ],
  },
  {
    hook: "stop-guard",
    policies: ["plan/stop-guard"],
    tests: [e2e("plan"), e2e("stop-holds"), ORIGINS],
    standard: switchedOn("stop_guard: true"),
    differs: [
      [
        "The second stop passes with a notice to the person",
        "A warning as context makes the turn go on, which is what the second stop must not do.",
      ],
      [
        "A session that only answers a question may end",
        "A question beside a running plan was held as if it were the plan's work.",
      ],
    ],
  },
  {
    hook: "scope-protection",
    policies: ["plan/scope"],
    tests: [e2e("plan"), ORIGINS],
    standard: "does nothing until the team has a scope file",
    differs: [
      ["Part of the profile, and not an example to copy", "A copied script gets no corrections."],
      ["Paths are compared part by part, and globs work", "`src/api` also let `src/api2` pass."],
      ["Shell commands that write are looked at as well", "`sed -i` and `>` are edits too."],
    ],
  },
  {
    hook: "session-context",
    policies: ["plan/session-context"],
    tests: [e2e("plan"), ORIGINS],
    standard: switchedOn("session_context: true"),
    differs: [["Also after a compaction", "PreCompact, which was to cover that, cannot add context."]],
  },
  {
    hook: "precompact-state",
    policies: ["plan/compaction-snapshot"],
    tests: [e2e("plan"), ORIGINS],
    standard: switchedOn("precompact_state: true"),
    differs: [
      [
        "Instructions for the summary, and once more from the live plan when the session goes on",
        "A summary may leave something out, and PreCompact cannot add context.",
      ],
      ["Blocked and escalated tasks and worktrees are named", "The plan promised them, and its script left them out."],
    ],
  },
  {
    hook: "subagent-stop",
    nothing: "it was decided against there, and `plan/task-verification` looks at the same work",
    tests: [],
  },
  {
    hook: "notification",
    policies: ["notifications/send", "session/fleet"],
    tests: [e2e("people"), e2e("fleet")],
    standard: "sends nothing until `notifications` is configured",
    differs: [["A policy with sinks of its own", "It was an advice in the README to write one's own script."]],
  },
  {
    hook: "teammate-idle",
    nothing: "it was decided against there, as it fires after every turn of a teammate",
    tests: [],
  },
];
