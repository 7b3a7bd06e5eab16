import type { Command } from "../command.ts";

export const maintain: Command = {
  name: "maintain",
  summary: "Cleans up now: old journal entries, background work that is due, versions nobody uses.",
  usage: "maintain [--json]",
  details: [
    "Hookwright does the first two by itself, so you rarely need this. A version that an installation names, or that a",
    "running process uses, is never removed. As root it also cleans what `init --scope managed` left behind.",
  ].join("\n"),
  options: { json: { type: "boolean", description: "Print what was done as one JSON object." } },
  changes: () => true,
  async run(context) {
    const { runMaintain } = await import("../maintain/run.ts");
    return runMaintain(context);
  },
};
