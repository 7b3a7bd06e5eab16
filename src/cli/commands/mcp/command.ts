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
  async run({ cwd, env, err }) {
    const [{ serveMcp }, { toolsFor }] = await Promise.all([import("./server.ts"), import("./tools.ts")]);
    // The build writes this file beside the bundle of the command line.
    const file = new URL("mcp-library.mjs", import.meta.url).href;
    const library = (await import(file)) as typeof import("./library.ts");
    const { stdin: input, stdout: output } = process;
    const onError = (error: Error): void => err(`hookwright mcp: ${error.message}`);
    await serveMcp({ library, version: builtVersion().version, tools: toolsFor({ cwd, env }), input, output, onError });
    return 0;
  },
};
