import { expect, it } from "vitest";
import type { JsonObject } from "../../core/event.ts";
import { completes, PLAN_PATH, project, reports, stateOf } from "../../domain/plan/plan.samples.ts";
import { PROJECT, stop, toolBefore, USER_HOME } from "../../testing/events.ts";
import { createSandbox } from "../../testing/sandbox.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./task-verification.ts";

const SHA = "0123456789abcdef0123456789abcdef01234567";
const on = "task_verification: prompt";
const agent = "task_verification: agent";
const log = (...files: string[]) => ({ [PROJECT]: [`commit:${SHA}`, "", ...files, ""].join("\n") });
const world = (hooks = on, state: JsonObject = stateOf()) => ({
  ...project({ hooks, state, files: { [`${PROJECT}/.git`]: { dir: 0o755 } } }),
  git: log("src/a.ts", "src/b.ts"),
});
const SERVICES = stateOf({ worktrees: { api: "/wt/api", web: "/wt/web" } });
const task = completes("7", "Task 2: Build part 2");
const refused = { event: task, says: "hold", message: "unverified", ...world() } as const;
/** A report of exactly this length that says that the tests failed. */
const sized = (length: number): JsonObject => {
  const rest = { tests_passed: false, pad: "" };
  return { ...rest, pad: "x".repeat(length - JSON.stringify(rest).length) };
};
const settings = (plugins: JsonObject) => ({
  files: {
    ...world(agent).files,
    [`${PROJECT}/.claude/settings.json`]: JSON.stringify({ enabledPlugins: plugins }),
  },
});
const whole = { commit: SHA.slice(0, 8), files_changed: ["src/a.ts"], tests_passed: true, design_doc: PLAN_PATH };

testPolicy(policy, {
  hit: [
    {
      name: "no row is about it",
      ...refused,
      event: completes("7", "Water the plants"),
      text: `Task #7: Water the plants does not look complete. No row of ${PLAN_PATH} matches this task.`,
    },
    {
      name: "a number that the plan does not have",
      ...refused,
      event: completes("7", "Task 9: Paint"),
      text: "No row of",
    },
    {
      name: "nothing was committed",
      ...refused,
      git: { [PROJECT]: "" },
      text: "There is no commit since the plan was started (2026-01-02T03:00:00Z).",
    },
    {
      name: "no commit touches a file of the report",
      ...refused,
      after: [reports("7", { ...whole, files_changed: ["src/a.ts", "src/c.ts"] })],
      text: "No commit since the plan was started touches src/c.ts.",
    },
    {
      name: "as many such files as are told",
      ...refused,
      after: [reports("7", { files_changed: ["1", "2", "3", "4", "5"] })],
      text: "touches 1, 2, 3, 4, 5.",
    },
    {
      name: "many such files",
      ...refused,
      after: [reports("7", { files_changed: ["1", "2", "3", "4", "5", "6", "7"] })],
      text: "touches 1, 2, 3, 4, 5 and 2 more.",
    },
    {
      name: "a commit that is not there",
      ...refused,
      after: [reports("7", { ...whole, commit: "fedcba9" })],
      text: "Commit fedcba9 is not among the commits",
    },
    {
      name: "tests did not pass",
      ...refused,
      after: [reports("7", { ...whole, tests_passed: false })],
      text: "the tests did not pass",
    },
    {
      name: "tests did not pass, and nothing changed",
      ...refused,
      after: [reports("7", { files_changed: [], tests_passed: false })],
      git: { [PROJECT]: "" },
      text: "the tests did not pass",
    },
    {
      name: "everything at once",
      ...refused,
      event: completes("7", "Water the plants"),
      after: [reports("7", { tests_passed: false })],
      git: { [PROJECT]: "" },
      text: "matches this task. There is no commit since the plan was started (2026-01-02T03:00:00Z). Its report says",
    },
    {
      name: "a report of another task",
      ...refused,
      event: completes("7", "Task 2"),
      after: [reports("8", whole)],
      git: { [PROJECT]: "" },
    },
    {
      name: "only the name is known",
      ...refused,
      event: completes("", "Water the plants"),
      text: "Task: Water the plants does",
    },
    {
      name: "only the number is known",
      ...refused,
      event: completes("7", ""),
      git: { [PROJECT]: "" },
      text: "Task #7 does",
    },
    {
      name: "the commits of a worktree are another repository's",
      ...refused,
      ...world(on, stateOf({ worktrees: { api: "/wt/api" } })),
      files: { ...world(on, stateOf({ worktrees: { api: "/wt/api" } })).files, "/wt/api": { dir: 0o755 } },
      git: { "/wt/api": "" },
      text: "There is no commit",
    },
    {
      name: "refused before, in an earlier round of the same plan",
      ...refused,
      after: [completes("7", "Water the plants", { cwd: "/home/dev/old" })],
      event: completes("7", "Water the plants"),
      files: {
        ...world().files,
        "/home/dev/old/.claude/project.yml": "hooks: { task_verification: prompt }",
        "/home/dev/old/.claude/orchestrator-state.json": JSON.stringify(stateOf({ started: "2025-01-01T00:00:00Z" })),
        [`/home/dev/old/${PLAN_PATH}`]: "# x",
      },
    },
    {
      name: "an agent verifies, but none is at hand",
      ...refused,
      ...world(agent),
      message: "checklist",
      text: `compare the work with the plan before it counts as complete (${PLAN_PATH})`,
    },
    {
      name: "an agent verifies, and something is wrong as well",
      ...refused,
      ...world(agent),
      after: [reports("7", { tests_passed: false })],
      message: "checklist",
      text: "is met. Its report says that the tests did not pass.",
    },
    {
      name: "an agent is at hand, and something is wrong",
      ...refused,
      files: {
        ...world(agent).files,
        [`${USER_HOME}/.claude/settings.json`]: '{"enabledPlugins":{"hookwright-verify@hookwright":true}}',
      },
      git: { [PROJECT]: "" },
      text: "There is no commit",
    },
    {
      name: "another task of the same name was refused before",
      ...refused,
      after: [completes("8", "Water the plants")],
      event: completes("7", "Water the plants"),
    },
    { name: "the longest report that is kept", ...refused, after: [reports("7", sized(20_000))], text: "did not pass" },
    { name: "settings without plugins", ...refused, ...world(agent), ...settings({}), message: "checklist" },
    {
      name: "settings of another shape",
      ...refused,
      ...world(agent),
      files: { ...world(agent).files, [`${PROJECT}/.claude/settings.json`]: "{}" },
      message: "checklist",
    },
    {
      name: "another plugin is at hand",
      ...refused,
      ...world(agent),
      ...settings({ "other@x": true }),
      message: "checklist",
    },
    {
      name: "the verifier is there but not on",
      ...refused,
      ...world(agent),
      ...settings({ "hookwright-verify@x": false }),
      message: "checklist",
    },
    {
      name: "the person hears of a completion without a report",
      after: [task],
      event: stop(),
      ...world(),
      says: "notice",
      message: "unreported",
      text: "Task #7: Task 2: Build part 2 was completed without a report (commit, files_changed, tests_passed, design_doc)",
    },
    {
      name: "and of a plan that does not exist",
      after: [reports("7", { ...whole, design_doc: "docs/other.md" }), task],
      event: stop(),
      ...world(),
      says: "notice",
      message: "unreported",
      text: "names docs/other.md, which does not exist",
    },
    {
      name: "malformed metadata counts as none",
      after: [reports("7", { commit: 5, files_changed: "src/c.ts", tests_passed: "no", design_doc: [] }), task],
      event: stop(),
      ...world(),
      says: "notice",
      message: "unreported",
      text: "without a report",
    },
  ],
  pass: [
    {
      name: "a plan without tasks",
      event: completes("7", "Water the plants"),
      ...world(),
      files: { ...world().files, [`${PROJECT}/${PLAN_PATH}`]: "# Nothing\n" },
    },
    {
      name: "each service has its own repository, and the work was in one of them",
      event: task,
      after: [reports("7", whole)],
      ...world(on, SERVICES),
      files: { ...world(on, SERVICES).files, "/wt/api": { dir: 0o755 }, "/wt/web": { dir: 0o755 } },
      git: { [PROJECT]: "", "/wt/api": log("src/a.ts")[PROJECT] ?? "", "/wt/web": "" },
    },
    {
      name: "the reported commit is one of several",
      event: task,
      after: [reports("7", whole)],
      ...world(),
      git: { [PROJECT]: `commit:${"f".repeat(40)}\n\nsrc/z.ts\ncommit:${SHA}\n\nsrc/a.ts\n` },
    },
    { name: "a whole report that is true", event: task, after: [reports("7", whole)], ...world() },
    { name: "no report at all", event: task, ...world() },
    {
      name: "a report of the wrong shape",
      event: task,
      after: [reports("7", { commit: 5, files_changed: "src/c.ts", tests_passed: "no" })],
      ...world(),
    },
    {
      name: "a commit that is no commit's name",
      event: task,
      after: [reports("7", { commit: "the last one" })],
      ...world(),
    },
    {
      name: "a second attempt",
      event: completes("7", "Water the plants"),
      after: [completes("7", "Water the plants")],
      ...world(),
    },
    {
      name: "a second attempt in another session",
      event: completes("7", "Water the plants", { session_id: "other" }),
      after: [completes("7", "Water the plants")],
      ...world(),
    },
    { name: "a second attempt after the checklist", event: task, after: [task], ...world(agent) },
    {
      name: "an agent is at hand and all is well",
      event: task,
      ...world(agent),
      ...settings({ "other@x": true, "hookwright-verify@x": true }),
    },
    {
      name: "work that changed no file",
      event: task,
      after: [reports("7", { files_changed: [] })],
      ...world(),
      git: { [PROJECT]: "" },
    },
    {
      name: "files named from elsewhere",
      event: task,
      after: [reports("7", { files_changed: ["./src/a.ts", `${PROJECT}/src/b.ts`, "app/src/a.ts"] })],
      ...world(),
    },
    { name: "a row named by its words", event: completes("1", "build `part` 3"), ...world() },
    { name: "no git here", event: task, ...project({ hooks: on }) },
    {
      name: "nobody knows when it started",
      event: task,
      ...world(on, stateOf({ started: "yesterday" })),
      git: { [PROJECT]: "" },
    },
    { name: "switched off", event: completes("7", "Water the plants"), ...world("task_verification: off") },
    { name: "switched off in quotes", event: completes("7", "Water the plants"), ...world('task_verification: "off"') },
    { name: "the key is missing", event: completes("7", "Water the plants"), ...world("stop_guard: true") },
    {
      name: "a value that does not exist",
      event: completes("7", "Water the plants"),
      ...world("task_verification: always"),
    },
    { name: "no project.yml", event: completes("7", "Water the plants"), ...project() },
    {
      name: "no plan is active",
      event: completes("7", "Water the plants"),
      files: { [`${PROJECT}/.claude/project.yml`]: "hooks: { task_verification: prompt }" },
    },
    {
      name: "a missing plan",
      event: completes("7", "Water the plants"),
      ...world(on, stateOf({ active_plan: "gone.md" })),
    },
    {
      name: "a plan outside the project",
      event: completes("7", "Water the plants"),
      ...world(on, stateOf({ active_plan: "/etc/passwd" })),
    },
    { name: "a broken state file", event: completes("7", "Water the plants"), ...project({ hooks: on, state: "{" }) },
    { name: "a stop after a whole report", event: stop(), after: [reports("7", whole), task], ...world() },
    { name: "a stop after the person was told", event: stop(), after: [task, stop()], ...world() },
    {
      name: "another tool with the same fields",
      event: task,
      after: [toolBefore("Other", { taskId: "7", metadata: { tests_passed: false } })],
      ...world(),
    },
    {
      name: "a report whose task is no text",
      event: task,
      after: [toolBefore("TaskUpdate", { taskId: 7, metadata: { tests_passed: false } })],
      ...world(),
    },
    { name: "a report that is too long to be kept", event: task, after: [reports("7", sized(20_001))], ...world() },
    {
      name: "an update without a report",
      event: task,
      after: [toolBefore("TaskUpdate", { taskId: "7", status: "in_progress" })],
      ...world(),
    },
    { name: "a stop where nothing is verified", event: stop(), after: [task], ...world("task_verification: off") },
    {
      name: "a stop after a report that names no plan",
      event: stop(),
      after: [reports("7", { tests_passed: true }), task],
      ...world(),
    },
  ],
});

it("a refusal that was only observed does not count as one", async () => {
  const sandbox = createSandbox([policy], { ...world(), mode: "observe" });
  const said: string[] = [];
  for (let attempt = 0; attempt < 2; attempt++) {
    const { results } = await sandbox.send(completes("7", "Water the plants"));
    said.push(...results.flatMap(({ verdicts }) => verdicts.map(({ kind }) => kind)));
  }
  sandbox.close();
  expect(said).toEqual(["hold", "hold"]);
});
