// What project-orchestrator's own plan for its hooks demanded, task by task, and what shows it here.
import { differs, not, shows } from "../test-names.mjs";
import { MISTAKES } from "./project-orchestrator-mistakes.mjs";

const POLICY = (name) => `src/policies/plan/${name}.test.ts`;
const PLUGIN = "test/build/plugin.test.ts";
const CLIENT = "test/e2e/plan.test.ts";
const COMMAND = "src/cli/commands/plan/command.test.ts";
const KILLED = "src/cli/commands/plan/killed.test.ts";
const DOCUMENT = "src/domain/plan/document.test.ts";
const FILES = POLICY("project-files");
const VERIFIES = POLICY("task-verification");
const STOPS = POLICY("stop-guard");
const STARTS = POLICY("session-context");
const COMPACTS = POLICY("compaction-snapshot");
/** What only a shell script could get wrong. */
const NO_SHELL = "no shell script is involved: the hooks are one program that Node runs";

export const TASKS = [
  {
    title: "Task 1: register the hooks",
    hooks: ["task-completed", "stop-guard", "session-context", "precompact-state"],
    demands: [
      ["hooks.json is valid for the client", shows(CLIENT, "is valid as the client itself sees it, strictly: %j")],
      [
        "TaskCompleted, Stop, SessionStart and PreCompact are registered",
        shows(PLUGIN, "has one entry for each event that the plan's policies and the engine need"),
      ],
      [
        "Programs are found through the plugin's root",
        shows(PLUGIN, "starts what lies in the plugin, without a shell, with the plan's profile and nothing else"),
      ],
      [
        "5 s for each hook, 10 s for TaskCompleted",
        shows(PLUGIN, "gives task verification 10 seconds and everything else 5"),
      ],
      [
        "It is known whether a command hook can hand over to an agent",
        shows(PLUGIN, "is a real hook of its kind, with two minutes"),
        differs(
          "The agent is an entry of its own, in a plugin that a project switches on",
          "A command hook cannot hand over to one.",
        ),
      ],
    ],
  },
  {
    title: "Task 2: shared helpers",
    hooks: ["task-completed", "stop-guard", "session-context", "precompact-state"],
    demands: [
      ["Portable grep", not(NO_SHELL)],
      ["Portable sed", not(NO_SHELL)],
      [
        "Missing tools or variables switch off without a word",
        shows(STOPS, "neither variable of the agent is set"),
        differs(
          "A missing variable switches nothing off, and no other tool is needed",
          "A guard that goes away without a word is missed by nobody.",
        ),
      ],
      [
        "Settings cope with a missing file, a missing key, an empty value",
        shows(STOPS, "no project.yml", "the key is missing"),
        shows(FILES, "an empty file", "keys without values"),
      ],
      [
        "The active plan comes from the state file, never from a search",
        shows(STOPS, "no active plan", "a missing plan"),
      ],
      [
        "A status is counted where a cell of the table equals it",
        shows(DOCUMENT, "are counted one by one, and those that nobody has are zero", "a word that only contains one"),
      ],
      [
        "The title is the first heading, else the file's name",
        shows(DOCUMENT, "the first heading of the first rank", "else the name of the file"),
      ],
      ["JSON is built, not pasted together", shows(STARTS, "quotes and newlines in the title do no harm")],
      ["Scripts can be executed", shows(PLUGIN, "decides and commands, on every Node there is here")],
    ],
  },
  {
    title: "Task 3: task verification",
    hooks: ["task-completed"],
    demands: [
      ["Reads its setting", shows(VERIFIES, "switched off in quotes", "a value that does not exist")],
      [
        "Passes when off, missing or without a file",
        shows(VERIFIES, "switched off", "the key is missing", "no project.yml"),
      ],
      ["Passes when no plan is active", shows(VERIFIES, "no plan is active")],
      [
        "agent: thorough, with the plan's path",
        shows(VERIFIES, "an agent verifies, but none is at hand"),
        shows(CLIENT, "refuses a completion with its own reason, and accepts another"),
      ],
      [
        "prompt: light",
        shows(VERIFIES, "no row is about it", "nothing was committed", "tests did not pass"),
        shows(CLIENT, "is refused once with a reason that the model reads, and accepted at the second attempt"),
        differs(
          "The checks are made by the hook, and a failure is a refusal",
          "Context cannot be given at this event.",
        ),
      ],
      ["The script can be executed", not(NO_SHELL)],
    ],
  },
  {
    title: "Task 4: stop guard",
    hooks: ["stop-guard"],
    demands: [
      ["Reads its setting", shows(STOPS, "switched off", "a comment stands behind the value")],
      [
        "The second stop passes with a warning",
        shows(STOPS, "the second stop passes, and the person reads what is left now"),
        shows(
          CLIENT,
          "is held while tasks are open, and the second one passes with a notice that is for the person alone",
        ),
        differs("As a notice to the person", "Context would make the turn go on."),
      ],
      ["Uses the active plan, no search", shows(STOPS, "no active plan")],
      [
        "Counts in-progress and pending",
        shows(STOPS, "one is pending, none in progress", "one is in progress, none pending"),
      ],
      [
        "The reason has count and title",
        shows(STOPS, "tasks are pending and in progress"),
        shows(
          CLIENT,
          "is held while tasks are open, and the second one passes with a notice that is for the person alone",
        ),
      ],
      [
        "Passes without a plan or open tasks",
        shows(STOPS, "everything is complete", "no active plan", "a question that was answered without a call"),
        differs(
          "A session that only answers a question passes too, unless it is of the plan's team",
          "A question beside a plan is no part of it.",
        ),
      ],
    ],
  },
  {
    title: "Task 5: session context",
    hooks: ["session-context"],
    demands: [
      ["Reads its setting", shows(STARTS, "switched off")],
      [
        "Only after clear and resume",
        shows(STARTS, "a fresh session", "a fork"),
        shows(CLIENT, "is told nothing when it starts afresh"),
        differs("And after a compaction", "PreCompact cannot cover that: it has no way to add context."),
      ],
      ["Uses the active plan, no search", shows(STARTS, "no active plan")],
      [
        "Title, progress, worktrees, blocked, escalated",
        shows(STARTS, "after /clear", "what waits for a person is named"),
      ],
      ["Both headings for worktrees", shows(STARTS, "one worktree", "several worktrees")],
      ["JSON is built, not pasted together", shows(STARTS, "quotes and newlines in the title do no harm")],
      [
        "The summary arrives",
        shows(CLIENT, "is told the progress when it is resumed", "is told the progress after /clear"),
      ],
    ],
  },
  {
    title: "Task 6: compaction",
    hooks: ["precompact-state"],
    demands: [
      ["Reads its setting", shows(COMPACTS, "switched off")],
      ["Reads state (team, slug) and plan (counts)", shows(COMPACTS, "before an automatic compaction")],
      [
        'Says "preserve this across compaction"',
        shows(COMPACTS, "is never refused, and its instructions are plain text"),
        shows(CLIENT, "that was asked for keeps the plan's facts", "that came by itself keeps the plan's facts"),
      ],
      ["JSON is built, not pasted together", not("the client takes plain text here, and gives it to the summary")],
    ],
  },
  {
    title: "Task 7: the state file",
    commands: ["plan"],
    demands: [
      [
        "Written before the team is created",
        shows(
          PLUGIN,
          "the state is written before the team is created, removed after it is deleted, and removed when creating fails",
        ),
      ],
      [
        "Written whole or not at all",
        shows(
          KILLED,
          "a start leaves no state at all, and the next one succeeds and cleans up",
          "whoever reads while others write never sees half a file",
        ),
      ],
      [
        "Has exactly its five fields, the plan's path relative",
        shows(COMMAND, "writes exactly the state that hooks read, and says so"),
      ],
      [
        "Removed after the team is deleted",
        shows(COMMAND, "finish refuses while something is left, and then ends the plan"),
      ],
      [
        "Removed when the team cannot be created",
        shows(COMMAND, "abort gives up and leaves the document alone", "leaves nothing behind when it cannot write"),
      ],
      [
        "Three shapes of worktrees",
        shows(COMMAND, "takes one worktree, or one for each service", "takes over the worktrees that the plan names"),
      ],
    ],
  },
  {
    title: "Task 8: the implementer's report",
    hooks: ["task-completed"],
    demands: [
      [
        "The report comes before the message",
        shows(PLUGIN, "the report comes first, in one call with the status, and then the message"),
      ],
      [
        "Status and metadata in one call",
        shows(PLUGIN, "the report comes first, in one call with the status, and then the message"),
      ],
      ["commit, files_changed, tests_passed, design_doc", shows(VERIFIES, "a whole report that is true")],
      ["design_doc is the plan that the task names", shows(VERIFIES, "and of a plan that does not exist")],
      [
        "Independent of what is saved for resuming",
        shows(PLUGIN, "the report comes first, in one call with the status, and then the message"),
      ],
      [
        "A missing report warns and does not block",
        shows(
          VERIFIES,
          "no report at all",
          "the person hears of a completion without a report",
          "a report of the wrong shape",
        ),
      ],
    ],
  },
  {
    title: "Task 9: the README",
    hooks: ["task-completed", "stop-guard", "session-context", "precompact-state"],
    demands: [
      [
        "A section on hooks after the one on configuration",
        shows(PLUGIN, "the README has the schema, what each hook costs, and where the example is"),
      ],
      [
        "Each hook: what for, and when",
        shows(PLUGIN, "the README has the schema, what each hook costs, and where the example is"),
      ],
      [
        "The schema with an example",
        shows(PLUGIN, "the README has the schema, what each hook costs, and where the example is"),
      ],
      ["What each costs", shows(PLUGIN, "the README has the schema, what each hook costs, and where the example is")],
      [
        "A link to the scope example",
        shows(PLUGIN, "the README has the schema, what each hook costs, and where the example is"),
      ],
    ],
  },
  {
    title: "Task 10: the scope example",
    hooks: ["scope-protection"],
    demands: [
      [
        "A README with the setup",
        shows(PLUGIN, "the README has the schema, what each hook costs, and where the example is"),
      ],
      ["A snippet for PreToolUse", shows(PLUGIN, "the example's scope file is one that the policy reads")],
      ["A script", shows(PLUGIN, "the example's scope file is one that the policy reads")],
      [
        "A scope file",
        shows(PLUGIN, "the example's scope file is one that the policy reads"),
        shows(CLIENT, "deny a subagent's edit outside, and let the same one pass inside"),
      ],
    ],
  },
  MISTAKES,
];
