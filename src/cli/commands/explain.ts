import type { Command } from "../command.ts";
import { distFolder } from "../installation.ts";

export const explain: Command = {
  name: "explain",
  summary: "Shows what every policy says of one event, and what the answer comes to.",
  usage: "explain [FILE|--last|--id N] [--event NAME] [--profile P,…] [--json]",
  details: [
    "FILE holds the JSON that an agent sends to a hook; `-` is standard input. Without one, the last recorded event is",
    "looked at again. It runs through the same steps as a hook does and changes nothing: neither the journal nor any",
    "other file of yours.",
    "",
    "For each policy: its place in the order, stage, name, mode, what it said, what became of that (sent, dropped,",
    "observed or silent) and how long it took.",
  ].join("\n"),
  allowPositionals: true,
  options: {
    last: { type: "boolean", description: "The last recorded event." },
    id: { type: "string", value: "N", description: "The recorded event with this number." },
    event: { type: "string", value: "NAME", description: "The event, for a payload that does not name it." },
    profile: { type: "string", value: "P,…", description: "Exactly these profiles, whatever the configuration says." },
    json: { type: "boolean", description: "Print everything as one JSON object." },
  },
  async run(context) {
    const { runExplain } = await import("../explain/run.ts");
    return runExplain(context, { dist: distFolder, input: process.stdin });
  },
};
