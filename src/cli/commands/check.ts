import type { Command } from "../command.ts";
import { distFolder } from "../installation.ts";

export const check: Command = {
  name: "check",
  summary: "Shows what a command would do, and whether the guards would let it.",
  usage: 'check "COMMAND" [--json]',
  details: [
    "The command is read as a shell would read it and is not run. Each effect is shown with the piece of the command it",
    "comes from. Whether anything would be lost depends on where you are: the git state of this folder is looked at, and",
    "outside a work tree everything counts as lost. An answer that a retry would change is shown as deny. What a command",
    "only reads, such as a file with secrets, is no effect: what an agent would be asked about that is shown beside the",
    "verdict, and with --json under `also`.",
    "",
    "`-` reads the command from standard input. The exit code is 0 when it passes and 2 otherwise.",
  ].join("\n"),
  allowPositionals: true,
  takesCommandLine: true,
  options: { json: { type: "boolean", description: "Print the verdict and the effects as one JSON object." } },
  async run(context) {
    const { runCheck } = await import("../check/run.ts");
    return runCheck(context, { dist: distFolder, input: process.stdin });
  },
};
