import { planText, project, sessionStarts, stateOf } from "../../domain/plan/plan.samples.ts";
import { PROJECT, prompt, stop } from "../../testing/events.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./project-files.ts";

const yml = (text: string) => ({ files: { [`${PROJECT}/.claude/project.yml`]: text } });
const wrong = { event: sessionStarts("startup"), says: "notice", message: "wrong" } as const;
const scopes = `${PROJECT}/.claude/hooks/scopes/implement-login.json`;

testPolicy(policy, {
  hit: [
    {
      name: "a verification that does not exist",
      ...wrong,
      ...yml("hooks:\n  task_verification: sometimes\n"),
      text: "hooks.task_verification must be 'agent', 'prompt', or 'off'",
    },
    {
      name: "a verification that is a number",
      ...wrong,
      ...yml("hooks:\n  task_verification: 1\n"),
      text: "hooks.task_verification must be 'agent', 'prompt', or 'off'",
    },
    {
      name: "a boolean in quotes",
      ...wrong,
      ...yml('hooks:\n  stop_guard: "true"\n'),
      text: "hooks.stop_guard must be true or false",
    },
    {
      name: "a word for a boolean",
      ...wrong,
      ...yml("hooks:\n  session_context: yes\n"),
      text: "hooks.session_context must be true or false",
    },
    {
      name: "a list for a boolean",
      ...wrong,
      ...yml("hooks: { precompact_state: [] }"),
      text: "hooks.precompact_state must be true or false",
    },
    { name: "a section that is a list", ...wrong, ...yml("hooks: [stop_guard]\n"), text: "hooks must hold keys" },
    { name: "no YAML at all", ...wrong, ...yml("hooks: {\n"), text: `${PROJECT}/.claude/project.yml:2:1: ` },
    {
      name: "in the middle of a session",
      ...wrong,
      event: prompt("go on"),
      ...yml("hooks: { stop_guard: 1 }"),
      text: "true or false",
    },
    {
      name: "at the end of a turn",
      ...wrong,
      event: stop(),
      ...yml("hooks: { stop_guard: 1 }"),
      text: "true or false",
    },
    {
      name: "told in another session before",
      ...wrong,
      after: [sessionStarts("startup", { session_id: "another" })],
      ...yml("hooks: { stop_guard: 1 }"),
      text: "true or false",
    },
    { name: "a state file cut short", ...wrong, ...project({ state: '{"active_plan": "docs' }), text: "names no plan" },
    {
      name: "a state file without a plan",
      ...wrong,
      ...project({ state: { slug: "x" } }),
      text: "hookwright plan abort",
    },
    {
      name: "a plan that is gone",
      ...wrong,
      ...project({ state: stateOf({ active_plan: "gone.md" }) }),
      text: "gone.md is missing or cannot be read",
    },
    {
      name: "a plan without tasks",
      ...wrong,
      ...project({ text: "# Nothing to do\n" }),
      text: "has no tasks with a status",
    },
    {
      name: "a plan outside the project",
      ...wrong,
      ...project({ state: stateOf({ active_plan: "../x.md" }), files: { "/home/dev/x.md": planText(["pending"]) } }),
      text: "../x.md is not inside",
    },
    {
      name: "scopes that are none",
      ...wrong,
      ...project({ files: { [scopes]: "[]" } }),
      text: "is not a valid list of scopes",
    },
  ],
  pass: [
    { name: "no file at all", event: sessionStarts("startup") },
    { name: "a file without the section", event: sessionStarts("startup"), ...yml("review:\n  max: 2\n") },
    { name: "an empty file", event: sessionStarts("startup"), ...yml("") },
    { name: "an empty section", event: sessionStarts("startup"), ...yml("hooks:\n") },
    {
      name: "keys without values",
      event: sessionStarts("startup"),
      ...yml("hooks:\n  stop_guard:\n  task_verification:\n"),
    },
    { name: "a key of somebody else", event: sessionStarts("startup"), ...yml("hooks:\n  colour: blue\n") },
    {
      name: "the sample as it is written",
      event: sessionStarts("startup"),
      ...yml(
        [
          "# .claude/project.yml",
          "hooks:",
          '  task_verification: "agent"    # "agent" (default when enabled) | "prompt" | "off"',
          "  stop_guard: true              # default: false (opt-in)",
          "  session_context: true         # default: false (opt-in)",
          "  precompact_state: true        # default: false (opt-in)",
        ].join("\n"),
      ),
    },
    {
      name: "told once already",
      after: [sessionStarts("startup")],
      event: stop(),
      ...yml("hooks: { stop_guard: 1 }"),
    },
    { name: "a plan in order", event: sessionStarts("startup"), ...project({ files: { [scopes]: '{"shared": []}' } }) },
  ],
});
