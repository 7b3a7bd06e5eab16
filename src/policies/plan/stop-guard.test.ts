import type { JsonObject } from "../../core/event.ts";
import { PLAN_PATH, planText, project, stateOf, TITLE } from "../../domain/plan/plan.samples.ts";
import { claudeEvent, PROJECT, prompt, SESSION, shell, stop, USER_HOME } from "../../testing/events.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./stop-guard.ts";

const on = "stop_guard: true";
const team = (config: JsonObject) => ({
  [`${USER_HOME}/.claude/teams`]: { dir: 0o755 },
  [`${USER_HOME}/.claude/teams/implement-login/config.json`]: JSON.stringify(config),
});
const held = { event: stop(), says: "hold", message: "incomplete" } as const;

testPolicy(policy, {
  hit: [
    {
      name: "tasks are pending and in progress",
      ...held,
      ...project({ hooks: on }),
      text: `2 tasks still incomplete in '${TITLE}'.`,
    },
    {
      name: "one is pending, none in progress",
      ...held,
      ...project({ hooks: on, statuses: ["complete", "pending"] }),
      text: "1 task still",
    },
    {
      name: "one is in progress, none pending",
      ...held,
      ...project({ hooks: on, statuses: ["in-progress"] }),
      text: "1 task still",
    },
    {
      name: "a task is back from review",
      ...held,
      ...project({ hooks: on, statuses: ["review-fix-2", "complete"] }),
      text: "1 task still",
    },
    {
      name: "a comment stands behind the value",
      ...held,
      ...project({ hooks: "stop_guard: true              # default: false (opt-in)" }),
    },
    {
      name: "the session works in a folder of the project",
      ...held,
      event: stop({ cwd: `${PROJECT}/src` }),
      files: { [`${PROJECT}/.git`]: { dir: 0o755 }, ...project({ hooks: on }).files },
    },
    {
      name: "the session works in a worktree of the project",
      ...held,
      event: stop({ cwd: "/home/dev/wt" }),
      files: {
        [`${PROJECT}/.git`]: { dir: 0o755 },
        "/home/dev/wt/.git": `gitdir: ${PROJECT}/.git/worktrees/wt\n`,
        [`${PROJECT}/.git/worktrees/wt/commondir`]: "../..\n",
        ...project({ hooks: on }).files,
      },
    },
    {
      name: "the session was started in the project and went elsewhere",
      ...held,
      event: stop({ cwd: "/srv/other" }),
      env: { CLAUDE_PROJECT_DIR: PROJECT },
      ...project({ hooks: on }),
    },
    {
      name: "neither variable of the agent is set",
      ...held,
      env: { CLAUDE_PROJECT_DIR: "", CLAUDE_PLUGIN_ROOT: "" },
      ...project({ hooks: on }),
    },
    {
      name: "the title falls back to the file's name",
      ...held,
      ...project({ hooks: on, text: planText(["pending"]).replace(`# ${TITLE}`, "") }),
      text: "in '2026-02-16-login-design'.",
    },
    {
      name: "the plan file and the open tasks are named",
      ...held,
      ...project({ hooks: on }),
      text: `Open in ${PLAN_PATH}: #2 Build part 2, #3 Build part 3.`,
    },
    {
      name: "five open tasks are named and the others counted",
      ...held,
      ...project({ hooks: on, statuses: Array(8).fill("pending") }),
      text: "#4 Build part 4, #5 Build part 5 and 3 more.",
    },
    {
      name: "a long name is cut",
      ...held,
      ...project({ hooks: on, text: planText(["pending"]).replace("Build part 1", "x".repeat(200)) }),
      text: `: #1 ${"x".repeat(77)}….`,
    },
    {
      name: "a call ran since the person's prompt",
      ...held,
      after: [prompt("go on"), shell("ls")],
      ...project({ hooks: on }),
    },
    {
      name: "a question of the team's lead",
      ...held,
      after: [prompt("what is the capital of France?")],
      ...project({ hooks: on, files: team({ leadSessionId: SESSION }) }),
    },
    {
      name: "a question of a member of the team",
      ...held,
      after: [prompt("what is the capital of France?")],
      ...project({ hooks: on, files: team({ members: [{ name: "impl-1", sessionId: SESSION }] }) }),
    },
    {
      name: "the prompt was made by a machine",
      ...held,
      after: [prompt("<task-notification>done</task-notification>")],
      ...project({ hooks: on }),
    },
    {
      name: "the second stop passes, and the person reads what is left now",
      event: stop({ stop_hook_active: true }),
      ...project({ hooks: on, statuses: ["complete", "complete", "pending"] }),
      says: "notice",
      message: "forced",
      text: "1 task still incomplete",
    },
  ],
  pass: [
    { name: "no project.yml", event: stop(), ...project() },
    { name: "the key is missing", event: stop(), ...project({ hooks: "session_context: true" }) },
    { name: "switched off", event: stop(), ...project({ hooks: "stop_guard: false" }) },
    { name: "a value that is no boolean", event: stop(), ...project({ hooks: 'stop_guard: "true"' }) },
    {
      name: "the key in another section",
      event: stop(),
      ...project({ files: { [`${PROJECT}/.claude/project.yml`]: "review:\n  stop_guard: true\n" } }),
    },
    {
      name: "a project.yml that is no YAML",
      event: stop(),
      ...project({ files: { [`${PROJECT}/.claude/project.yml`]: "hooks: {stop_guard: true\n" } }),
    },
    { name: "everything is complete", event: stop(), ...project({ hooks: on, statuses: ["complete", "complete"] }) },
    {
      name: "the rest waits for a person",
      event: stop(),
      ...project({ hooks: on, statuses: ["complete", "blocked", "escalated"] }),
    },
    {
      name: "the second stop with nothing left",
      event: stop({ stop_hook_active: true }),
      ...project({ hooks: on, statuses: ["complete"] }),
    },
    {
      name: "a status in a code sample",
      event: stop(),
      ...project({ hooks: on, text: planText(["complete"], "```\n| 9 | x | — | pending |\n```") }),
    },
    {
      name: "no active plan",
      event: stop(),
      files: { [`${PROJECT}/.claude/project.yml`]: "hooks: { stop_guard: true }\n" },
    },
    { name: "a broken state file", event: stop(), ...project({ hooks: on, state: '{"active_plan": "docs' }) },
    { name: "a state file that is a list", event: stop(), ...project({ hooks: on, state: "[]" }) },
    {
      name: "a missing plan",
      event: stop(),
      ...project({ hooks: on, state: stateOf({ active_plan: "docs/gone.md" }) }),
    },
    {
      name: "a plan that is a folder",
      event: stop(),
      ...project({ hooks: on, files: { [`${PROJECT}/${PLAN_PATH}`]: { dir: 0o755 } } }),
    },
    {
      name: "a plan outside the project",
      event: stop(),
      ...project({
        hooks: on,
        state: stateOf({ active_plan: "../plan.md" }),
        files: { "/home/dev/plan.md": planText(["pending"]) },
      }),
    },
    {
      name: "a plan outside the project by its whole path",
      event: stop(),
      ...project({
        hooks: on,
        state: stateOf({ active_plan: "/srv/plan.md" }),
        files: { "/srv/plan.md": planText(["pending"]) },
      }),
    },
    {
      name: "a link that leads out of the project",
      event: stop(),
      ...project({
        hooks: on,
        state: stateOf({ active_plan: "docs/link.md" }),
        files: { [`${PROJECT}/docs/link.md`]: { link: "/srv/plan.md" }, "/srv/plan.md": planText(["pending"]) },
      }),
    },
    {
      name: "a question that was answered without a call",
      event: stop(),
      after: [prompt("what is the capital of France?")],
      ...project({ hooks: on }),
    },
    {
      name: "a question after a turn that made calls",
      event: stop(),
      after: [prompt("go on"), shell("ls"), stop(), stop({ stop_hook_active: true }), prompt("what is 2 + 2?")],
      ...project({ hooks: on }),
    },
    {
      name: "the second stop after a question, which something else held",
      event: stop({ stop_hook_active: true }),
      after: [prompt("what is the capital of France?")],
      ...project({ hooks: on }),
    },
    {
      name: "a question in a project where another session leads",
      event: stop(),
      after: [prompt("what is the capital of France?")],
      ...project({ hooks: on, files: team({ leadSessionId: "another", members: [{ name: "impl-1" }] }) }),
    },
    {
      name: "somebody who works for the lead",
      event: stop({ agent_id: "a1", agent_type: "coder" }),
      ...project({ hooks: on }),
    },
    {
      name: "the end of a subagent",
      event: claudeEvent({
        hook_event_name: "SubagentStop",
        agent_id: "a",
        agent_type: "coder",
        stop_hook_active: false,
      }),
      ...project({ hooks: on }),
    },
  ],
});
