// Validation, recovery and enhancement.

const e2e = (...names) => names.map((name) => `test/e2e/${name}.test.ts`);

export const CONTEXT_GROUPS = [
  {
    group: "Validation",
    hooks: [
      {
        hook: "thinking-block-validator",
        policies: [],
        commands: ["transcript"],
        tests: [
          ...e2e("omc-validation"),
          "src/domain/transcript/thinking-parts.test.ts",
          "src/cli/commands/transcript/run.test.ts",
        ],
        differs: [
          [
            "A command that checks a transcript, and repairs a copy",
            "No event of the client lets a hook change messages that go out.",
          ],
        ],
      },
      {
        hook: "empty-message-sanitizer",
        policies: [],
        commands: ["transcript"],
        tests: [
          ...e2e("omc-validation"),
          "src/domain/transcript/empty-messages.test.ts",
          "src/domain/transcript/check-transcript.test.ts",
          "src/engine/tests/blank-prompts.test.ts",
        ],
        differs: [
          [
            "A command, and no policy looks at a prompt of blanks",
            "No event of the client lets a hook change messages that go out.",
          ],
        ],
      },
      {
        hook: "comment-checker",
        policies: ["validation/comment-checker"],
        tests: e2e("omc-validation"),
        differs: [
          [
            "Comments are found by reading the language, strings included",
            'Patterns took the rest of `"http://…"` for a comment.',
          ],
          [
            "What was in the file before is not reported; at most 10 comments",
            "A file that was written again was reported as a whole.",
          ],
        ],
      },
      {
        hook: "permission-handler",
        policies: ["validation/permission-handler"],
        tests: e2e("omc-validation"),
        standard: "approves nothing until the person's `permissions.approve` names something",
        differs: [
          [
            "Each command of a line is on the person's list, without a forbidden option",
            "A beginning was enough: `git branch -D`, `eslint --fix`, `npm run build:deploy`.",
          ],
          ["Nothing that a guard speaks up about is approved", "The two did not know of each other."],
        ],
      },
    ],
  },
  {
    group: "Recovery",
    hooks: [
      {
        hook: "recovery",
        policies: ["recovery/recovery"],
        tests: e2e("omc-recovery"),
        differs: [
          [
            "Rejected edits are seen where a batch of calls ends",
            "The client reports them to no hook of a single call, in other words than were searched for.",
          ],
          ["Damaged sessions are not repaired", "The files that were repaired are those of another agent."],
        ],
      },
      {
        hook: "preemptive-compaction",
        policies: ["recovery/preemptive-compaction"],
        tests: e2e("omc-recovery"),
        differs: [
          [
            "The context is measured by what the client and the transcript say",
            "An estimate from the length of five tools' answers was forgotten with each process.",
          ],
        ],
      },
      {
        hook: "pre-compact",
        policies: ["recovery/pre-compact"],
        tests: e2e("omc-recovery"),
        differs: [
          [
            "Told as instructions for the summary, and once more when the session goes on",
            "The client discards what this event answered with.",
          ],
          ["Checkpoints are removed after 24 hours", "Another folder was cleaned, so they stayed for ever."],
        ],
      },
    ],
  },
  {
    group: "Enhancement",
    hooks: [
      {
        hook: "rules-injector",
        policies: ["enhancement/rules-injector"],
        tests: [...e2e("omc-enhancement")],
        differs: [
          ["`.claude/rules` are left to the client", "It loads them by itself, and they would be there twice."],
          [
            "`**/x.ts` means a file in the root as well, and braces work",
            "It needed a slash, and braces were taken literally.",
          ],
        ],
      },
      {
        hook: "directory-readme-injector",
        policies: ["enhancement/directory-readme-injector"],
        tests: e2e("omc-enhancement"),
        differs: [["Folders are compared part by part", "`/a/bc` counted as a part of `/a/b`."]],
      },
      {
        hook: "notepad",
        policies: ["enhancement/notepad"],
        commands: ["notepad"],
        tests: [
          ...e2e("omc-enhancement"),
          "src/domain/notepad/edits.test.ts",
          "src/domain/notepad/digest.test.ts",
          "src/domain/notepad/remember-tags.test.ts",
          "src/cli/commands/notepad/command.test.ts",
        ],
        differs: [
          [
            "A section ends at the next heading of its own rank",
            "It ended at any `##`, so that a second note damaged the file.",
          ],
        ],
      },
      {
        hook: "learner",
        policies: ["enhancement/learner"],
        commands: ["skills"],
        tests: e2e("omc-learner"),
        differs: [
          ["Three skills for a prompt, each once in a session", "Five each time, and all sessions shared one record."],
          ["A trigger counts where a word begins", "As a part of any word, `test` was found in `latest`."],
          [
            "Usage is kept in the database, by the id of a skill",
            "It was in the file, and lost when that was written again.",
          ],
          ["Extracting suggests; writing by itself is a setting", "A file that nobody asked for is a surprise."],
        ],
      },
      {
        hook: "agent-usage-reminder",
        policies: ["enhancement/agent-usage-reminder"],
        tests: e2e("omc-enhancement"),
        differs: [
          ["At most twice in a session", "It stood beside every search."],
          ["`Agent` counts as an agent as well, and a search in the shell as a search", "The client's tools changed."],
        ],
      },
    ],
  },
];
