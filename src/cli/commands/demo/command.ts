import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { homeAt } from "../../../system/home.ts";
import type { CliCommand } from "../../command.ts";
import { clientOf } from "../../installation/current-build.ts";
import { askDaemon, startDaemon } from "../../state/daemon-client.ts";
import { styleFor } from "../../terminal/style.ts";

interface Step {
  readonly story: string;
  readonly event: Readonly<Record<string, unknown>>;
  /** The expected answer; the demo fails when the engine gives another one. */
  readonly expect: "pass" | "deny" | "hold" | "notice";
  before?(): Promise<void> | void;
}

export const demoCommand: CliCommand = {
  name: "demo",
  summary: "Plays a short agent session through the real engine, in a scratch folder, and shows every answer.",
  usage: "demo",
  details: "Needs nothing installed, touches nothing of yours, and removes its folder at the end.",
  async run({ env, out }) {
    const scratch = realpathSync(mkdtempSync(path.join(os.tmpdir(), "hookwright-demo-")));
    const style = styleFor(env, process.stdout.isTTY === true);
    const home = homeAt(path.join(scratch, "hookwright"), scratch);
    const world: NodeJS.ProcessEnv = {
      ...env,
      HOME: scratch,
      HOOKWRIGHT_HOME: home.root,
      XDG_RUNTIME_DIR: scratch,
      NTM_ORCH_RUNTIME_DIR: path.join(scratch, "fleet"),
      // A PATH without tmux, so that the demo gives the same answers on every machine.
      PATH: path.join(scratch, "bin"),
    };
    delete world.HOOKWRIGHT_DISABLE;
    try {
      await startDaemon(home, world);
      const [program = "", ...args] = clientOf(home).command;
      out(style.bold("A coding agent works in a scratch project; every step below is a real hook event.\n"));
      let number = 0;
      let wrong = 0;
      for (const step of steps(scratch, home, world)) {
        await step.before?.();
        const input = JSON.stringify({ session_id: "demo", cwd: path.join(scratch, "project"), ...step.event });
        const started = performance.now();
        const flags = ["--profile", "safety,ntm", "--reply", "json"];
        const answer = spawnSync(program, [...args, ...flags], {
          input,
          env: world,
          encoding: "utf8",
          timeout: 10_000,
        });
        const ms = (performance.now() - started).toFixed(1);
        const { kind, text } = read(answer.stdout, answer.status);
        const paint = {
          pass: style.green,
          deny: style.red,
          hold: style.yellow,
          notice: style.yellow,
          failed: style.red,
        }[kind];
        out(`${String(++number).padStart(2)}. ${step.story}`);
        out(`    ${paint(kind.padEnd(6))} ${style.dim(`${ms} ms`)}${text ? `\n${indent(text)}` : ""}\n`);
        if (kind !== step.expect) {
          wrong++;
          out(style.red(`    expected ${step.expect}; stderr: ${answer.stderr}`));
        }
      }
      out(wrong === 0 ? "That is all. `hookwright init` puts it into your agent." : `${wrong} steps came out wrong.`);
      return wrong === 0 ? 0 : 1;
    } finally {
      await askDaemon(home, world, "stop");
      rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    }
  },
};

function steps(scratch: string, home: ReturnType<typeof homeAt>, env: NodeJS.ProcessEnv): Step[] {
  const project = path.join(scratch, "project");
  const write = (id: string, file: string) => ({
    hook_event_name: "PreToolUse",
    tool_name: "Write",
    tool_use_id: id,
    tool_input: { file_path: file, content: "…" },
  });
  const call = (id: string, command: string) => ({ tool_name: "Bash", tool_use_id: id, tool_input: { command } });
  const before = (id: string, command: string) => ({ hook_event_name: "PreToolUse", ...call(id, command) });
  const after = (id: string, command: string) => ({
    hook_event_name: "PostToolUse",
    ...call(id, command),
    tool_response: {},
  });
  const spawn = "ntm --robot-spawn=login-fleet --spawn-cc=2";
  const save = "ntm save login-fleet -o ./outputs";
  return [
    {
      story: "The person asks for a feature.",
      event: { hook_event_name: "UserPromptSubmit", prompt: "add a login page, use a fleet" },
      expect: "pass",
      before: () => {
        mkdirSync(path.join(project, ".git"), { recursive: true });
      },
    },
    { story: "The agent writes src/login.ts.", event: write("w1", path.join(project, "src/login.ts")), expect: "pass" },
    {
      story: "It tries to edit the settings that call its guard.",
      event: write("w2", path.join(scratch, ".claude/settings.json")),
      expect: "deny",
    },
    {
      story:
        "The resident process is killed, and the agent tries it with a shell command. Decided in the client itself.",
      event: before("w3", "cd ~ && rm -rf .claude"),
      expect: "deny",
      before: async () => {
        const { pid } = await askDaemon(home, env, "status");
        if (pid !== undefined) process.kill(pid, "SIGKILL");
      },
    },
    {
      story: "It tidies up: a build folder goes, and nobody has to be asked.",
      event: before("w4", "rm -r node_modules dist"),
      expect: "pass",
    },
    {
      story: "A disguised command would rewrite the history of the remote.",
      event: before("w5", 'f=--force; bash -c "git push $f upstream main"'),
      expect: "deny",
    },
    { story: "It starts a fleet of workers in tmux.", event: before("b1", spawn), expect: "pass" },
    { story: "The fleet runs; Hookwright remembers it.", event: after("b1", spawn), expect: "pass" },
    {
      story: "The agent wants to stop while the fleet is running.",
      event: { hook_event_name: "Stop", stop_hook_active: false },
      expect: "hold",
    },
    { story: "“Kill it now!”, says the person.", event: before("b2", "ntm kill login-fleet --force"), expect: "deny" },
    { story: "So the agent saves what the workers have.", event: before("b3", save), expect: "pass" },
    { story: "The save succeeds.", event: after("b3", save), expect: "pass" },
    { story: "Now the fleet may be ended,", event: before("b4", "ntm kill login-fleet --force"), expect: "pass" },
    { story: "which it is.", event: after("b4", "ntm kill login-fleet --force"), expect: "pass" },
    { story: "And the turn may end.", event: { hook_event_name: "Stop", stop_hook_active: true }, expect: "pass" },
    {
      story: "Something ran that nobody was asked about.",
      event: after("b5", "./sneaky"),
      expect: "notice",
    },
  ];
}

function read(stdout: string, status: number | null): { kind: Step["expect"] | "failed"; text: string } {
  if (status !== 0) return { kind: "failed", text: `the client ended with ${status}` };
  if (stdout === "") return { kind: "pass", text: "" };
  const answer = JSON.parse(stdout) as {
    decision?: string;
    reason?: string;
    systemMessage?: string;
    hookSpecificOutput?: { permissionDecision?: string; permissionDecisionReason?: string };
  };
  if (answer.hookSpecificOutput?.permissionDecision === "deny") {
    return { kind: "deny", text: answer.hookSpecificOutput.permissionDecisionReason ?? "" };
  }
  if (answer.decision === "block") return { kind: "hold", text: answer.reason ?? "" };
  return { kind: answer.systemMessage ? "notice" : "pass", text: answer.systemMessage ?? "" };
}

function indent(text: string): string {
  return text
    .split("\n")
    .map((line) => `    ${line}`)
    .join("\n");
}
