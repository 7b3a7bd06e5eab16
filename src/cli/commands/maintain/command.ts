import type { CliCommand } from "../../command.ts";

export const maintainCommand: CliCommand = {
  name: "maintain",
  summary: "Cleans up now: removes old journal entries, old snapshots and unused versions, and runs background work.",
  usage: "maintain [--json]",
  details: [
    "Hookwright does most of this by itself, so you rarely need it. A version that an installation names, or that a",
    "running process uses, is never removed. As root it also cleans what `init --scope managed` left behind.",
  ].join("\n"),
  options: { json: { type: "boolean", description: "Print what was done as one JSON object." } },
  changes: () => true,
  async run(context) {
    const { runMaintain } = await import("./run.ts");
    return runMaintain(context);
  },
};
