import type { CliCommand } from "../../command.ts";
import { builtVersion } from "../../installation/current-build.ts";

export const statuslineCommand: CliCommand = {
  name: "statusline",
  summary: "Prints a line for Claude Code's status line, and records how full the context is.",
  usage: "statusline",
  details: [
    "In Claude Code's settings:",
    '  "statusLine": { "type": "command", "command": "hookwright statusline" }',
    "",
    "The line has the profiles in use, the modes that are on, the subagents that run, the calls and denials of the",
    "session and how full its context is.",
    "Reads what Claude Code sends on standard input. It always prints one line and ends with 0.",
  ].join("\n"),
  async run(context) {
    const [{ runStatusline }, { compileConfig }] = await Promise.all([
      import("./run.ts"),
      import("../../../config/compile.ts"),
    ]);
    const loadModes = () => import("./modes-text.ts");
    return runStatusline(context, process.stdin, { build: builtVersion().build, compileConfig, loadModes });
  },
};
