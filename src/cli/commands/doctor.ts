import type { Command } from "../command.ts";
import { processTerminal } from "../confirm.ts";
import { distFolder } from "../installation.ts";
import { systemPlaces } from "../system-places.ts";

/** Enough for a median that does not jump, in a second or two. */
const RUNS = 15;

export const doctor: Command = {
  name: "doctor",
  summary: "Checks that hooks are installed, reached, recorded and fast, and says how to mend what is not.",
  usage: "doctor [--fix] [--json]",
  details: [
    "With --fix it mends what is safe to mend: installed files that were changed, a damaged database, the runtime",
    "directory, a daemon that does not answer, and what dead ones left behind. Before it touches an agent's settings",
    "it asks. Ends with 1 when a problem is left.",
  ].join("\n"),
  options: {
    fix: { type: "boolean", description: "Mend what can be mended." },
    json: { type: "boolean", description: "Print everything as one JSON object." },
  },
  async run(context) {
    const [{ runDoctor }, { packageRootOf }] = await Promise.all([
      import("../doctor/run.ts"),
      import("../version-folder.ts"),
    ]);
    const packageRoot = packageRootOf(import.meta.url);
    const parts = { dist: distFolder, packageRoot, places: systemPlaces(), terminal: processTerminal, runs: RUNS };
    return runDoctor(context, parts);
  },
};
