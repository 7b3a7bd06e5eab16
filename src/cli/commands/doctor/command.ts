import type { CliCommand } from "../../command.ts";
import { distFolder } from "../../installation/current-build.ts";
import { systemPlaces } from "../../installation/system-folders.ts";
import { processTerminal } from "../../terminal/confirm.ts";

/** Gives a stable median within a second or two. */
const RUNS = 15;

export const doctorCommand: CliCommand = {
  name: "doctor",
  summary: "Checks that the hooks are installed, answer, are recorded and are fast, and says how to fix each problem.",
  usage: "doctor [--fix] [--json]",
  details: [
    "With --fix it repairs what is safe to repair: installed files that were changed, a damaged database, the runtime",
    "directory, a daemon that does not answer, and files that ended daemons left behind. It asks before it changes an",
    "agent's settings. The exit code is 1 when a problem is left.",
  ].join("\n"),
  options: {
    fix: { type: "boolean", description: "Repair what can be repaired." },
    json: { type: "boolean", description: "Print everything as one JSON object." },
  },
  async run(context) {
    const [{ runDoctor }, { packageRootOf }] = await Promise.all([
      import("./run.ts"),
      import("../../installation/version-folder.ts"),
    ]);
    const packageRoot = packageRootOf(import.meta.url);
    const parts = { dist: distFolder, packageRoot, places: systemPlaces(), terminal: processTerminal, runs: RUNS };
    return runDoctor(context, parts);
  },
};
