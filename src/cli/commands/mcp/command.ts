import type { CliCommand } from "../../command.ts";
import { builtVersion } from "../../installation/current-build.ts";

export const mcpCommand: CliCommand = {
  name: "mcp",
  summary: "Serves sessions, teams, journal, policies and explanations to an agent, over the Model Context Protocol.",
  usage: "mcp",
  details: [
    "It communicates over standard input and output, and an agent starts it. For Claude Code:",
    "",
    "  claude mcp add hookwright -- hookwright mcp",
    "",
    "All tools only read, except `hook_event`: with it a member of a team reports that it started, waits or ended.",
  ].join("\n"),
  async run({ cwd, env, out }) {
    const [{ serveMcp }, { toolsFor }] = await Promise.all([import("./server.ts"), import("./tools.ts")]);
    await serveMcp({ version: builtVersion().version, tools: toolsFor({ cwd, env }), input: process.stdin, send: out });
    return 0;
  },
};
