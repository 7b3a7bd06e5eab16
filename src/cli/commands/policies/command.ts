import path from "node:path";
import type { CliCommand } from "../../command.ts";
import { distFolder } from "../../installation/current-build.ts";

export const policiesCommand: CliCommand = {
  name: "policies",
  summary: "Shows which policies are on, in what order, and what each is for.",
  usage: "policies [ID] [--all] [--profile P,…] [--json] | policies --check [--json|--sarif]",
  details: [
    "The list is for the folder you are in, with its configuration. With an ID it shows everything about that policy:",
    "its options, their values and where each value was set, what it can say, and examples. A project's own policies,",
    "local/NAME, are listed too; those that do not run are listed with the reason.",
    "",
    "With --check it only reads the configuration files that apply here and says what is wrong with them, with file, line",
    "and column; the exit code is 1 when there is a mistake.",
  ].join("\n"),
  allowPositionals: true,
  options: {
    all: { type: "boolean", description: "Also list policies that are off, with the profile that turns them on." },
    profile: { type: "string", value: "P,…", description: "As if exactly these profiles were in use." },
    check: { type: "boolean", description: "Check the configuration files, and print nothing else." },
    sarif: { type: "boolean", description: "With --check: print SARIF 2.1.0, for code scanning and editors." },
    json: { type: "boolean", description: "Print JSON: an array of all policies, with an ID or --check one object." },
  },
  async run(context) {
    const { runPoliciesCommand: runPolicies } = await import("./run.ts");
    return runPolicies(context, path.join(distFolder, "outside-worker.cjs"));
  },
};
