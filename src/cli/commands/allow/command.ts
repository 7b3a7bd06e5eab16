import type { CliCommand } from "../../command.ts";
import { processTerminal } from "../../terminal/confirm.ts";

export const allowCommand: CliCommand = {
  name: "allow",
  summary: "Allows a command that a policy would stop: one time, or for a while.",
  usage: 'allow (--once | --for TIME) ("COMMAND" | --kind KIND --target PATTERN) | allow --list | allow --revoke ID',
  details: [
    "A grant holds in this project, for exactly one command line, or for one kind of loss on the paths that a pattern",
    "matches: `*` matches everything but a slash, `**` everything. `hookwright check` shows the kinds of a command. A",
    "grant for one time ends after an hour if it is not used. No grant allows a change to Hookwright itself. Only a person",
    "in a terminal can give or revoke a grant, by typing a word. The journal records when grants are given and used.",
  ].join("\n"),
  allowPositionals: true,
  takesCommandLine: true,
  options: {
    once: { type: "boolean", description: "Only for the next time." },
    for: { type: "string", value: "TIME", description: "For this long, such as `10m` or `2h`; at most a day." },
    kind: { type: "string", value: "KIND", description: "A kind of loss, such as `delete-tree`." },
    target: { type: "string", value: "PATTERN", description: "The paths it may concern, such as `data/**`." },
    reason: { type: "string", value: "TEXT", description: "Why; the journal and the model get to read it." },
    list: { type: "boolean", description: "List the grants of this project (the default)." },
    revoke: { type: "string", value: "ID", description: "Revoke this grant." },
    json: { type: "boolean", description: "With --list: print JSON." },
  },
  changes: ({ args, options }) => args.length > 0 || options.kind !== undefined || options.revoke !== undefined,
  async run(context) {
    const { runAllow } = await import("./run.ts");
    return runAllow(context, processTerminal);
  },
};
