// Detection, coordination and setup.

const e2e = (...names) => names.map((name) => `test/e2e/${name}.test.ts`);
const MODES = e2e("modes", "modes-beside", "modes-end");

export const COORDINATION_GROUPS = [
  {
    group: "Detection",
    hooks: [
      {
        hook: "keyword-detector",
        policies: ["detection/keyword-detector"],
        tests: [...MODES, "src/domain/mode/keywords/prompts.test.ts", "src/engine/tests/modes-switches.test.ts"],
        differs: [
          [
            "Names and leading phrases start a mode; questions, quotes and pasted text do not",
            '"efficient", "budget" and "explain autopilot" did.',
          ],
          [
            "A mode starts with the state that its own machine needs",
            "A general state was written, without a phase and a round.",
          ],
        ],
      },
      {
        hook: "think-mode",
        policies: ["detection/think-mode"],
        tests: [...e2e("omc-detection"), "src/domain/thinking/asked-to-think.test.ts"],
        differs: [
          ["One sentence for the model", "No hook of the client can change the model or its budget."],
          ['"I think" asks for nothing', "The bare word did."],
        ],
      },
      {
        hook: "auto-slash-command",
        policies: ["detection/auto-slash-command"],
        tests: e2e("omc-learner"),
        differs: [
          [
            "Lines that begin with `!` are never run",
            "Without a policy file anything ran, with the arguments of the prompt in it.",
          ],
          ["Only names that the client does not know", "It expands its own commands."],
          [
            "In a terminal a blank before the slash, or `/omc:skill NAME` of the plugin",
            "The client refuses a name that it does not know, and no hook hears of it.",
          ],
        ],
      },
      {
        hook: "non-interactive-env",
        policies: ["detection/non-interactive-env"],
        tests: e2e("omc-detection"),
        differs: [
          [
            "Variables are set once, at the start of the session",
            "Rewritten commands do not fit the person's permission rules any more.",
          ],
          ["A program is named by the parsed command, once for each kind", "The wrong name of a list could be shown."],
        ],
      },
      {
        hook: "plugin-patterns",
        policies: ["detection/plugin-patterns"],
        tests: e2e("omc-detection"),
        differs: [
          [
            "Programs run as a job, without a shell, on the paths that the client sends",
            "Absolute paths were refused, and the client sends no others.",
          ],
          [
            "A project's configuration turns it on only with trust",
            "A cloned repository could run its own programs otherwise.",
          ],
        ],
      },
    ],
  },
  {
    group: "Coordination",
    hooks: [
      {
        hook: "todo-continuation",
        policies: ["coordination/todo-continuation"],
        tests: [...e2e("omc-coordination"), "src/domain/tasks/tasks.test.ts"],
        standard: "`todos: modes`",
        differs: [["Tasks of this session, from its events", "Lists of other sessions were read, and held this one."]],
      },
      {
        hook: "omc-orchestrator",
        policies: ["coordination/omc-orchestrator"],
        tests: e2e("omc-coordination"),
        standard: "`delegation: warn`",
        differs: [
          [
            "The main thread alone, and never for files that it owns",
            "A field's name was wrong, so that it never spoke up.",
          ],
          ["Once in a session", "There was a reminder beside every call."],
        ],
      },
      {
        hook: "subagent-tracker",
        policies: ["coordination/subagent-tracker"],
        commands: ["agents"],
        tests: e2e("omc-coordination"),
        differs: [
          ["Says nothing", "Context at the end of a subagent makes it run on, and its report is lost."],
          ["Written in the event's transaction", "Writes came after the lock was released, or never."],
        ],
      },
      {
        hook: "session-end",
        policies: ["coordination/session-end"],
        tests: e2e("omc-coordination"),
        differs: [
          [
            "Modes are detached and can be resumed; nothing of another session goes",
            "State was deleted, also at `/clear`, and the swarm's of anybody.",
          ],
        ],
      },
      {
        hook: "background-notification",
        policies: ["coordination/background-notification"],
        tests: e2e("omc-coordination"),
        differs: [
          ["Only what the client has told nobody", "It reports the end of its own tasks while the session lives."],
        ],
      },
    ],
  },
  {
    group: "Setup",
    hooks: [
      {
        hook: "setup",
        policies: ["setup/setup"],
        commands: ["maintain"],
        tests: [...e2e("omc-setup"), "src/domain/setup/maintain.test.ts", "src/cli/commands/maintain/project.test.ts"],
        differs: [
          ["What was done is told by the next session", "The client discards what a hook of this event prints."],
          ["The state of a mode that has not ended stays, whatever its age", "Only its name protected it."],
          ["An unknown trigger is recorded, and told nobody", "It is of use to nobody in the session that follows."],
        ],
      },
    ],
  },
];
