import { describe, expect, it } from "vitest";
import type { AnyEvent, JsonObject } from "../../core/event.ts";
import { aRun, withRuns } from "../../domain/mode/mode.samples.ts";
import { workersFor } from "../../domain/mode/ultrapilot/workers.ts";
import { project } from "../../domain/plan/plan.samples.ts";
import {
  addedLines,
  exportedText,
  inBackground,
  launchesAgent,
  OTHER_SESSION,
  stopsAgent,
  taskNotification,
} from "../../domain/subagents/subagents.samples.ts";
import {
  claudeEvent,
  edits,
  PROJECT,
  prompt,
  shell,
  stop,
  toolAfter,
  toolBefore,
  USER_HOME,
  writes,
} from "../../testing/events.ts";
import type { FakeFile } from "../../testing/fake-ports.ts";
import { createSandbox, type SandboxOptions } from "../../testing/sandbox.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import destructiveCommand from "../safety/destructive-command.ts";
import policy from "./omc-orchestrator.ts";

const SOURCE = `${PROJECT}/src/login.ts`;
const AUDIT = ".omc/logs/delegation-audit.jsonl";
const OTHER = { session_id: OTHER_SESSION };
const strict = { options: { delegation: "strict" } };
const off = { options: { delegation: "off" } };
const denied = { says: "deny", message: "strict" } as const;
const reminded = { says: "note", message: "delegate" } as const;
const kills = { says: "note", message: "selfKill" } as const;
const full = { says: "deny", message: "tooMany" } as const;
const cannotAsk = { says: "note", message: "permissions" } as const;
const SUBAGENT = { agent_id: "a1", agent_type: "executor" };

const editing = (file: string, more: JsonObject): AnyEvent => toolBefore("Edit", { file_path: file }, more);
const files = (given: Readonly<Record<string, FakeFile>>) => ({ files: given });
const says = (file: string, value: JsonObject | string) =>
  files({ [file]: typeof value === "string" ? value : JSON.stringify(value) });
const OF_PROJECT = `${PROJECT}/.omc/config.json`;
const OF_HOME = `${USER_HOME}/.claude/.omc-config.json`;

const background = (command: string, more: JsonObject = {}): AnyEvent =>
  toolBefore("Bash", { command, run_in_background: true }, more);
const agent = (input: JsonObject = {}, more: JsonObject = {}): AnyEvent =>
  toolBefore("Agent", { description: "look", prompt: "Look.", subagent_type: "executor", ...input }, more);
/** The report of a command in the background. */
const runs = (id: string, more: JsonObject = {}): AnyEvent =>
  toolAfter("Bash", { command: `run ${id}`, run_in_background: true }, `toolu_${id}`, {
    tool_response: { stdout: "", stderr: "", interrupted: false, backgroundTaskId: id },
    ...more,
  });
const five = [1, 2, 3, 4, 5].map((n) => runs(`b${n}`));
const inMode = (mode: string) => ({ permission_mode: mode });

const worker = workersFor([
  { id: "1", description: "api", files: ["src/api"], blockedBy: [], agentType: "executor", model: "sonnet" },
]);
const ultrapilot = withRuns(
  aRun("ultrapilot", {
    details: {
      workers: worker as unknown as JsonObject[],
      sharedFiles: ["src/shared.ts"],
      integrated: false,
      callers: {},
    },
  }),
);
const SCOPES = JSON.stringify({ api: ["src/api"], shared: ["src/shared.ts"] });
const plan = project({ files: { [`${PROJECT}/.claude/hooks/scopes/implement-login.json`]: SCOPES } });

testPolicy(policy, {
  hit: [
    {
      name: "the first edit of a source",
      event: edits(SOURCE),
      ...reminded,
      text: "src/login.ts: edits are left to subagents here",
    },
    { name: "a new file", event: writes(`${PROJECT}/src/new.py`), ...reminded, text: "such as executor." },
    { name: "documentation", event: writes(`${PROJECT}/docs/guide.md`), ...reminded, text: "such as writer." },
    { name: "a file of no known kind", event: writes(`${PROJECT}/data.bin`), ...reminded },
    { name: "a notebook", event: toolBefore("NotebookEdit", { notebook_path: `${PROJECT}/a.ipynb` }), ...reminded },
    { name: "a source written by a command", event: shell("sed -i s/a/b/ src/login.ts"), ...reminded },
    { name: "the first of another session", after: [editing(SOURCE, OTHER)], event: edits(SOURCE), ...reminded },
    { name: "strict", event: edits(SOURCE), ...strict, ...denied, text: "src/login.ts is to be changed by a subagent" },
    { name: "strict, the second time", after: [edits(SOURCE)], event: edits(SOURCE), ...strict, ...denied },
    { name: "strict, by a command", event: shell("echo x > src/login.ts"), ...strict, ...denied },
    { name: "strict, by tee behind a pipe", event: shell("cat x | tee -a src/login.ts"), ...strict, ...denied },
    { name: "strict, a name that only begins alike", event: edits(`${PROJECT}/.omcx/a.ts`), ...strict, ...denied },
    { name: "strict, out of an allowed folder", event: edits(`${PROJECT}/.omc/../src/a.ts`), ...strict, ...denied },
    {
      name: "strict, through a link in an allowed folder",
      event: edits(`${PROJECT}/.omc/a.ts`),
      ...strict,
      ...files({ [`${PROJECT}/.omc/a.ts`]: { link: SOURCE }, [SOURCE]: "x" }),
      ...denied,
    },
    { name: "strict, a name that only ends alike", event: edits(`${PROJECT}/MYCLAUDE.md`), ...strict, ...denied },
    {
      name: "strict, a file of a worker of ultrapilot",
      event: edits(`${PROJECT}/src/web.ts`),
      ...strict,
      ...ultrapilot,
      ...denied,
    },
    { name: "strict, a file in no scope of a plan", event: edits(SOURCE), ...strict, ...plan, ...denied },
    {
      name: "strict in the project's file",
      event: edits(SOURCE),
      ...says(OF_PROJECT, { enforcementLevel: "strict" }),
      ...denied,
    },
    {
      name: "strict in the person's file",
      event: edits(SOURCE),
      ...says(OF_HOME, { delegationEnforcementLevel: "strict" }),
      ...denied,
    },
    {
      name: "a project that is off does not loosen what the person has made strict",
      event: edits(SOURCE),
      ...strict,
      ...says(OF_PROJECT, { enforcementLevel: "off" }),
      ...denied,
    },
    {
      name: "a project may be stricter than off",
      event: edits(SOURCE),
      ...off,
      ...says(OF_PROJECT, { enforcementLevel: "strict" }),
      ...denied,
    },
    {
      name: "a file of the configuration that cannot be read",
      event: edits(SOURCE),
      ...says(OF_PROJECT, "{ enforcementLevel: strict"),
      says: "notice",
      message: "unusable",
      text: `${OF_PROJECT} is not used`,
      also: [reminded],
    },
    {
      name: "a level that does not exist",
      event: edits(SOURCE),
      ...says(OF_HOME, { enforcementLevel: "strickt" }),
      says: "notice",
      message: "unusable",
      also: [reminded],
    },
    { name: "pkill -f", event: shell("pkill -f vite"), ...kills, text: "`pkill -f vite` looks at whole command lines" },
    { name: "pkill --full", event: shell("pkill --full 'node server.js' && npm start"), ...kills },
    { name: "among other options", event: shell("pkill -9fu dev vite"), ...kills },
    { name: "a signal before it", event: shell("pkill -TERM -f vite"), ...kills },
    { name: "behind sudo", event: shell("sudo pkill -f vite"), ...kills },
    { name: "in a shell of its own", event: shell("bash -c 'pkill -f vite; npm start'"), ...kills },
    { name: "by its path", event: shell("/usr/bin/pkill -f vite || true"), ...kills },
    { name: "quoted in parts", event: shell("pkill -f vi'te'; echo vite"), ...kills },
    {
      name: "by a subagent that was not told",
      after: [shell("pkill -f vite")],
      event: toolBefore("Bash", { command: "pkill -f vite" }, SUBAGENT),
      ...kills,
    },
    {
      name: "the sixth command in the background",
      after: five,
      event: background("npm test"),
      ...full,
      text: "- command b3: run b3",
    },
    {
      name: "the sixth task, an agent",
      after: five,
      event: agent({ run_in_background: true }),
      ...full,
      text: "5 background tasks",
    },
    { name: "a task of a subagent counts too", after: five, event: background("npm test", SUBAGENT), ...full },
    {
      name: "six calls at once",
      after: [1, 2, 3, 4, 5].map((n) => background(`run ${n}`)),
      event: background("run 6"),
      ...full,
      text: "- command: run 2",
    },
    {
      name: "six agents at once, where agents are in the background by default",
      after: [launchesAgent("a1"), ...[2, 3, 4, 5].map(() => agent())],
      event: agent(),
      ...full,
      text: "- agent a1: look",
    },
    { name: "a lower limit", after: [runs("b1")], event: background("x"), options: { maxBackgroundTasks: 1 }, ...full },
    {
      name: "a limit in the environment",
      after: [runs("b1"), runs("b2")],
      event: background("x"),
      env: { OMC_MAX_BACKGROUND_TASKS: "2" },
      ...full,
    },
    {
      name: "a limit that is no number",
      after: five,
      event: background("x"),
      env: { OMC_MAX_BACKGROUND_TASKS: "many" },
      ...full,
    },
    {
      name: "a limit of nothing",
      after: five,
      event: background("x"),
      env: { OMC_MAX_BACKGROUND_TASKS: "0" },
      ...full,
    },
    {
      name: "tasks that the client lists",
      after: [stop({ background_tasks: [1, 2, 3, 4, 5].map((n) => inBackground(`b${n}`, "shell")) })],
      event: background("x"),
      ...full,
    },
    { name: "an agent that cannot ask", event: agent({ run_in_background: true }, inMode("default")), ...cannotAsk },
    {
      name: "an agent that cannot ask, in a session without a person",
      event: agent({ run_in_background: true }, inMode("acceptEdits")),
      env: { CLAUDE_CODE_SESSION_ATTENDED: "0" },
      ...cannotAsk,
    },
  ],
  pass: [
    { name: "the second edit", after: [edits(SOURCE)], event: edits(SOURCE) },
    { name: "a command after the first edit", after: [edits(SOURCE)], event: shell("echo x > src/b.ts") },
    { name: "a subagent", event: editing(SOURCE, SUBAGENT) },
    { name: "a subagent, strict", event: editing(SOURCE, SUBAGENT), ...strict },
    { name: "a teammate, strict", event: editing(SOURCE, { teammate_name: "mate" }), ...strict },
    { name: "a worker of a fleet, strict", event: edits(SOURCE), ...strict, env: { HOOKWRIGHT_FLEET_WORKER: "1" } },
    { name: "the plan of a mode", event: writes(`${PROJECT}/.omc/plans/a.md`), ...strict },
    { name: "a setting of the agent", event: writes(`${PROJECT}/.claude/rules/a.md`), ...strict },
    { name: "the agent's folder of the person", event: writes(`${USER_HOME}/.claude/plans/a.md`), ...strict },
    { name: "CLAUDE.md", event: writes(`${PROJECT}/packages/x/CLAUDE.md`), ...strict },
    { name: "AGENTS.md", event: writes(`${PROJECT}/AGENTS.md`), ...strict },
    { name: "a temporary file", event: writes("/tmp/x.ts"), ...strict },
    {
      name: "a shared file, by the coordinator of ultrapilot",
      event: edits(`${PROJECT}/src/shared.ts`),
      ...strict,
      ...ultrapilot,
    },
    {
      name: "package.json, by the coordinator of ultrapilot",
      event: edits(`${PROJECT}/package.json`),
      ...strict,
      ...ultrapilot,
    },
    { name: "a file that a plan shares", event: edits(`${PROJECT}/src/shared.ts`), ...strict, ...plan },
    {
      name: "a file of the caller's own scope",
      event: edits(`${PROJECT}/src/api/x.ts`),
      ...strict,
      ...plan,
      env: { CLAUDE_AGENT_NAME: "api" },
    },
    { name: "off", event: edits(SOURCE), ...off },
    {
      name: "off in the project, where nobody decided",
      event: edits(SOURCE),
      ...says(OF_PROJECT, { enforcementLevel: "off" }),
    },
    { name: "off for the person", event: edits(SOURCE), ...says(OF_HOME, { enforcementLevel: "off" }) },
    { name: "reading", event: toolBefore("Read", { file_path: SOURCE }), ...strict },
    { name: "a command that builds", event: shell("npm test > report.log"), ...strict },
    { name: "git", event: shell("git checkout main -- src/login.ts"), ...strict },
    { name: "pkill by name", event: shell("pkill vite") },
    { name: "the second time", after: [shell("pkill -f vite")], event: shell("pkill -f vite") },
    { name: "a letter in brackets", event: shell("pkill -f '[v]ite'") },
    { name: "an anchored pattern", event: shell("pkill -f '^node'") },
    { name: "the whole line", event: shell("pkill -xf vite") },
    { name: "by parent", event: shell("pkill -f -P 4 vite") },
    { name: "pgrep", event: shell("pgrep -f vite") },
    { name: "in a text", event: shell("echo 'pkill -f vite'") },
    { name: "in a comment", event: shell("true # pkill -f vite") },
    { name: "in a script", event: shell("sh stop.sh"), ...files({ [`${PROJECT}/stop.sh`]: "pkill -f vite\n" }) },
    { name: "a pattern that is not known", event: shell('pkill -f "$NAME"') },
    { name: "the fifth", after: five.slice(1), event: background("npm test") },
    { name: "in the foreground", after: five, event: shell("npm test") },
    { name: "an agent in the foreground", after: five, event: agent({ run_in_background: false }) },
    { name: "an agent of a client that runs it in the foreground", after: five, event: agent() },
    {
      name: "after one was reported as ended",
      after: [...five, prompt(taskNotification("b1", "completed"))],
      event: background("x"),
    },
    {
      name: "after one was stopped",
      after: [...five, toolAfter("TaskStop", { task_id: "b1" }, "t")],
      event: background("x"),
    },
    {
      name: "after one was stopped by its old name",
      after: [...five, toolAfter("KillShell", { shell_id: "b1" }, "t")],
      event: background("x"),
    },
    {
      name: "after a subagent ended",
      after: [...five.slice(1), launchesAgent("a1", { run_in_background: true }), stopsAgent("a1")],
      event: background("x"),
    },
    { name: "after the client lists none", after: [...five, stop({ background_tasks: [] })], event: background("x") },
    {
      name: "tasks of another session",
      after: [1, 2, 3, 4, 5].map((n) => runs(`b${n}`, OTHER)),
      event: background("x"),
    },
    {
      name: "calls that failed",
      after: [1, 2, 3, 4, 5].flatMap((n) => {
        const call = background(`run ${n}`);
        const failed = { hook_event_name: "PostToolUseFailure", tool_name: "Bash", tool_input: {}, error: "x" };
        return [call, claudeEvent({ ...failed, tool_use_id: call.tool?.useId ?? "" })];
      }),
      event: background("x"),
    },
    {
      name: "a higher limit in the environment",
      after: five,
      event: background("x"),
      env: { OMC_MAX_BACKGROUND_TASKS: "9" },
    },
    {
      name: "the second agent that cannot ask",
      after: [agent({ run_in_background: true }, inMode("default"))],
      event: agent({ run_in_background: true }, inMode("default")),
    },
    { name: "nobody has to be asked", event: agent({ run_in_background: true }, inMode("bypassPermissions")) },
    { name: "an agent in the foreground asks", event: agent({ run_in_background: false }, inMode("default")) },
    {
      name: "a person who sees its questions",
      event: agent({ run_in_background: true }, inMode("default")),
      env: { CLAUDE_CODE_SESSION_ATTENDED: "1" },
    },
  ],
});

async function audited(events: readonly AnyEvent[], options: SandboxOptions & { readonly guard?: boolean } = {}) {
  const sandbox = createSandbox(options.guard ? [destructiveCommand, policy] : [policy], options);
  try {
    for (const event of events) await sandbox.send(event);
    const ignored = exportedText(sandbox.db, ".omc/.gitignore");
    return { ignored, lines: addedLines(sandbox.db, AUDIT) };
  } finally {
    sandbox.close();
  }
}

describe("the audit", () => {
  it("has a line for each edit of the main agent", async () => {
    const list = [edits(SOURCE), edits(SOURCE), writes(`${PROJECT}/.omc/a.md`), writes(`${PROJECT}/data.bin`)];
    const { lines, ignored } = await audited(list);
    expect(lines.map(({ decision, reason, filePath }) => [decision, reason, filePath])).toEqual([
      ["warned", "source_file", "src/login.ts"],
      ["warned", "source_file", "src/login.ts"],
      ["allowed", "allowed_path", ".omc/a.md"],
      ["warned", "other", "data.bin"],
    ]);
    expect(lines[0]).toMatchObject({ tool: "Edit", enforcementLevel: "warn", sessionId: expect.any(String) });
    expect(ignored).toBe("*\n");
  });
  it("says what was stopped", async () => {
    const { lines } = await audited([edits(SOURCE)], strict);
    expect(lines).toEqual([expect.objectContaining({ decision: "blocked", enforcementLevel: "strict" })]);
  });
  it.each([
    ["an edit by a subagent", [editing(SOURCE, SUBAGENT)], {}],
    ["delegation is off", [edits(SOURCE)], off],
    ["a worker of a fleet", [edits(SOURCE), edits(SOURCE)], { env: { HOOKWRIGHT_FLEET_WORKER: "1" } }],
    ["another policy has denied it", [shell("rm -rf / > src/login.ts")], { guard: true }],
    ["a command that writes nothing", [shell("ls")], {}],
    ["the folder is a link", [edits(SOURCE)], files({ [`${PROJECT}/.omc`]: { link: "/etc" } })],
    ["it is only observed", [edits(SOURCE)], { mode: "observe" as const }],
  ] as readonly (readonly [string, readonly AnyEvent[], SandboxOptions])[])(
    "is silent: %s",
    async (_name, events, options) => {
      expect((await audited(events, options)).lines).toEqual([]);
    },
  );
});
