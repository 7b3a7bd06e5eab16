import type { CliCommand } from "../../command.ts";

export const agentsCommand: CliCommand = {
  name: "agents",
  summary: "The subagents of this project: which run, for what, and how they ended.",
  usage: "agents [--session ID]",
  details: [
    "Those that run come first, then the twenty that ended last. States:",
    "  running     it works; `silent` when it has not used a tool for five minutes",
    "  completed   it ended, and no policy held it",
    "  failed      the client reports that it failed",
    "  stopped     somebody ended it",
    "  lost        it is gone without a report, because its session ended or was killed",
    "",
    "Recorded by coordination/subagent-tracker, which the profile omc turns on.",
  ].join("\n"),
  options: {
    session: {
      type: "string",
      value: "ID",
      description: "Only those of one session; the beginning of its id is enough.",
    },
    json: { type: "boolean", description: "Print all that are recorded as JSON." },
  },
  async run(context) {
    const { showAgents } = await import("./run.ts");
    return showAgents(context, Date.now());
  },
};
