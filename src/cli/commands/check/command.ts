import type { CliCommand } from "../../command.ts";
import { distFolder } from "../../installation/current-build.ts";

export const checkCommand: CliCommand = {
  name: "check",
  summary: "Shows what a command would do, and what a hook would answer to it here and now.",
  usage: 'check "COMMAND" [--session S] [--profile P,…] [--json]',
  details: [
    "The command is read as a shell would read it and is not run. Each effect is shown with the piece of the command it",
    "comes from. Whether anything would be lost depends on where you are: the git state of this folder is looked at, and",
    "outside a work tree everything counts as lost. An answer that a retry would change is shown as deny.",
    "",
    "The verdict is that of the hook for a call of Bash in this folder: with the configuration, rules and policies of this",
    "project, with what was allowed, and with what happened before. It is the answer to the first call of a new session, or",
    "with --session to the next call of that one. Nothing is written: no entry, no snapshot, and no grant is used up.",
    "",
    "`-` reads the command from standard input. The exit code is 0 when it passes and 2 otherwise.",
  ].join("\n"),
  allowPositionals: true,
  takesCommandLine: true,
  options: {
    session: { type: "string", value: "S", description: "As the next call of this session." },
    profile: { type: "string", value: "P,…", description: "As if exactly these profiles were in use." },
    json: { type: "boolean", description: "Print verdict, policy, reason and effects as one JSON object." },
  },
  async run(context) {
    const { runCheck } = await import("./run.ts");
    return runCheck(context, { dist: distFolder, input: process.stdin });
  },
};
