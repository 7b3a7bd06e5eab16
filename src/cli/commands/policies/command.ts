import path from "node:path";
import type { CliCommand } from "../../command.ts";
import { distFolder } from "../../installation/current-build.ts";

export const policiesCommand: CliCommand = {
  name: "policies",
  summary: "Shows which policies are on, in what order, and what each is for.",
  usage: "policies [ID] [--all] [--profile P,…] [--json]",
  details: [
    "The list is for the folder you are in, with its configuration. With an ID it shows everything about that policy:",
    "its options, their values and where each value was set, what it can say, and examples. A project's own policies,",
    "local/NAME, are listed too; those that do not run are listed with the reason.",
  ].join("\n"),
  allowPositionals: true,
  options: {
    all: { type: "boolean", description: "Also list policies that are off, with the profile that turns them on." },
    profile: { type: "string", value: "P,…", description: "As if exactly these profiles were in use." },
    json: { type: "boolean", description: "Print JSON: an array of all policies, or with an ID one object." },
  },
  async run(context) {
    const { runPoliciesCommand: runPolicies } = await import("./run.ts");
    return runPolicies(context, path.join(distFolder, "outside-worker.cjs"));
  },
};
