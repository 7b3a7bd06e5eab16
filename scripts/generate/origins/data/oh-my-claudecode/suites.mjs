/** The suites that the hooks came with, how many cases each had, and the files with their counterparts. */
export const SUITES = [
  {
    hook: "keyword-detector",
    cases: 103,
    files: ["src/policies/detection/keyword-detector.test.ts", "src/domain/mode/keywords/prompts.test.ts"],
    samples: ["src/domain/mode/keywords/prompts.samples.txt"],
  },
  {
    hook: "autopilot",
    cases: 138,
    files: [
      "src/policies/modes/autopilot.test.ts",
      "src/engine/tests/autopilot-session.test.ts",
      "src/domain/mode/autopilot/cancel-resume.test.ts",
      "src/domain/mode/autopilot/children.test.ts",
      "src/domain/mode/autopilot/phases.test.ts",
      "src/domain/mode/autopilot/state.test.ts",
      "src/domain/mode/autopilot/summary.test.ts",
      "src/domain/mode/autopilot/verdicts.test.ts",
    ],
  },
  {
    hook: "swarm",
    cases: 37,
    files: [
      "src/policies/modes/swarm.test.ts",
      "src/policies/modes/mode-registry.test.ts",
      "src/cli/commands/swarm/command.test.ts",
      "src/cli/commands/swarm/processes.test.ts",
      "src/domain/board/round.test.ts",
    ],
  },
  {
    hook: "empty-message-sanitizer",
    cases: 60,
    files: [
      "src/domain/transcript/empty-messages.test.ts",
      "src/domain/transcript/check-transcript.test.ts",
      "src/cli/commands/transcript/run.test.ts",
      "src/engine/tests/blank-prompts.test.ts",
    ],
  },
  { hook: "permission-handler", cases: 22, files: ["src/policies/validation/permission-handler.test.ts"] },
  {
    hook: "notepad",
    cases: 40,
    files: [
      "src/policies/enhancement/notepad.test.ts",
      "src/domain/notepad/edits.test.ts",
      "src/domain/notepad/digest.test.ts",
      "src/domain/notepad/remember-tags.test.ts",
      "src/cli/commands/notepad/command.test.ts",
    ],
  },
  {
    hook: "think-mode",
    cases: 107,
    files: ["src/policies/detection/think-mode.test.ts", "src/domain/thinking/asked-to-think.test.ts"],
    samples: ["src/domain/thinking/prompts.samples.txt"],
  },
  { hook: "subagent-tracker", cases: 39, files: ["src/policies/coordination/subagent-tracker.test.ts"] },
];
