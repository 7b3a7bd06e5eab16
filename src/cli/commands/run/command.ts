import { HookwrightError } from "../../../core/errors.ts";
import type { CliCommand } from "../../command.ts";
import { runAgent } from "./run-agent.ts";

export const runCommand: CliCommand = {
  name: "run",
  summary: "Runs an agent that can be restarted with the work it handed over.",
  usage: "run -- AGENT [ARGUMENTS]",
  details: [
    "The agent runs in this terminal as if it had been started by itself. When its session is handed over",
    "(by `engine session restart`, or automatically with contextPolicy: restart), the agent is ended, after a second by",
    "force, and restarted with a prompt that continues the work. If a restart resumes a conversation and fails within 5",
    "seconds, it is tried once more without resuming. Such a run needs a session, unless SESSION_REQUIRED says otherwise.",
    "",
    "Example:",
    "  hookwright run -- claude --model sonnet",
  ].join("\n"),
  allowPositionals: true,
  run(context) {
    const [program, ...args] = context.args;
    if (program === undefined) {
      throw new HookwrightError("HW_USAGE", {
        detail: "Give the agent's command, such as `hookwright run -- claude`.",
        command: "run",
      });
    }
    return runAgent(context, program, args);
  },
};
