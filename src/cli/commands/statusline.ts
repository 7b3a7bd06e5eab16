import type { Command } from "../command.ts";

export const statusline: Command = {
  name: "statusline",
  summary: "Prints a line for Claude Code's status line, and records how full the context is.",
  usage: "statusline",
  details: [
    "In Claude Code's settings:",
    '  "statusLine": { "type": "command", "command": "hookwright statusline" }',
    "",
    "Reads what Claude Code sends on standard input. It always prints one line and ends with 0.",
  ].join("\n"),
  async run(context) {
    const { runStatusline } = await import("../statusline.ts");
    return runStatusline(context, process.stdin);
  },
};
