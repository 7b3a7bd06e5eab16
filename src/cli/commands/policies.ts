import path from "node:path";
import type { Command } from "../command.ts";
import { distFolder } from "../installation.ts";

export const policies: Command = {
  name: "policies",
  summary: "Shows which policies are on, in what order, and why each exists.",
  usage: "policies [ID] [--profile P,…] [--json]",
  details: [
    "With the configuration of the folder you are in. With an ID: everything about that policy, its options with the",
    "values in force and whose they are, what it can say, and examples. A project's own policies, local/NAME, are among",
    "them, also those that do not run, with the reason.",
  ].join("\n"),
  allowPositionals: true,
  options: {
    profile: { type: "string", value: "P,…", description: "As if exactly these profiles were in use." },
    json: { type: "boolean", description: "Print JSON: an array, or with an ID one object." },
  },
  async run(context) {
    const { runPolicies } = await import("../policies/run.ts");
    return runPolicies(context, path.join(distFolder, "outside-worker.cjs"));
  },
};
