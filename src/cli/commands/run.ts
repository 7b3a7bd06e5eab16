import { HookwrightError } from "../../core/errors.ts";
import type { Command } from "../command.ts";
import { runAgent } from "../run/run-agent.ts";

export const run: Command = {
  name: "run",
  summary: "Runs an agent that can be started anew with what it handed over.",
  usage: "run -- AGENT [ARGUMENTS]",
  details: [
    "The agent runs in this terminal as if it had been started by itself. When its session is handed over",
    "(`engine session restart`, or by itself with contextPolicy: restart) it is ended, within a second by force, and",
    "started anew with a prompt that goes on. A start that resumes a conversation and dies within 5 seconds is tried once",
    "more without resuming. Work needs a session in such a run, unless SESSION_REQUIRED says otherwise.",
    "",
    "Example:",
    "  hookwright run -- claude --model sonnet",
  ].join("\n"),
  allowPositionals: true,
  run(context) {
    const [program, ...args] = context.args;
    if (program === undefined) {
      throw new HookwrightError("HW_USAGE", {
        detail: "Name the agent, such as in `hookwright run -- claude`.",
        command: "run",
      });
    }
    return runAgent(context, program, args);
  },
};
