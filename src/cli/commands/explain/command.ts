import type { CliCommand } from "../../command.ts";
import { distFolder } from "../../installation/current-build.ts";

export const explainCommand: CliCommand = {
  name: "explain",
  summary: "Shows what every policy says about one event, and the answer that results.",
  usage: "explain [FILE|--last|--id N] [--event NAME] [--profile P,…] [--json]",
  details: [
    "FILE holds the JSON that an agent sends to a hook; `-` is standard input. Without FILE, the newest event of an agent",
    "in the journal is decided again. The event goes through the same steps as in a hook, and nothing is changed:",
    "neither the journal nor any other file.",
    "",
    "Each row shows a policy's place in the order, its stage, name and mode, what it said, what happened to that, and how",
    "long it took. `sent` went to the agent, `dropped` was left out because of a stronger verdict, `observed` was only",
    "recorded, `silent` means that the policy said nothing.",
  ].join("\n"),
  allowPositionals: true,
  options: {
    last: { type: "boolean", description: "The newest event of an agent in the journal (the default)." },
    id: { type: "string", value: "N", description: "The entry of the journal with this id." },
    event: { type: "string", value: "NAME", description: "The event, for a payload that does not name it." },
    profile: { type: "string", value: "P,…", description: "Exactly these profiles, whatever the configuration says." },
    json: { type: "boolean", description: "Print everything as one JSON object." },
  },
  async run(context) {
    const { runExplain } = await import("./run.ts");
    return runExplain(context, { dist: distFolder, input: process.stdin });
  },
};
