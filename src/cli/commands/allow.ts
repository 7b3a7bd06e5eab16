import type { Command } from "../command.ts";
import { processTerminal } from "../confirm.ts";

export const allow: Command = {
  name: "allow",
  summary: "Lets something pass that the guard would stop: once, or for a while.",
  usage: 'allow (--once | --for TIME) ("COMMAND" | --kind KIND --target PATTERN) | allow --list | allow --revoke ID',
  details: [
    "A grant is for this project and for exactly one command line, or for one kind of loss where a pattern says what it",
    "may hit: `*` is anything but a slash, `**` anything. `hookwright check` shows the kinds of a command. One that is",
    "given once and not used is over after an hour. It does not outweigh what protects Hookwright itself. Only a person in",
    "a terminal can give or take it; it asks for a word and has no option to skip it. Giving and using are journalled.",
  ].join("\n"),
  allowPositionals: true,
  takesCommandLine: true,
  options: {
    once: { type: "boolean", description: "For the next time only." },
    for: { type: "string", value: "TIME", description: "For this long: `10m`, `2h`; a day at most." },
    kind: { type: "string", value: "KIND", description: "A kind of loss, such as `delete-tree`." },
    target: { type: "string", value: "PATTERN", description: "What it may hit, such as `data/**`." },
    reason: { type: "string", value: "TEXT", description: "Why, for the journal and the model." },
    list: { type: "boolean", description: "Show the grants of this project. So does no argument at all." },
    revoke: { type: "string", value: "ID", description: "Take a grant back." },
    json: { type: "boolean", description: "With --list: print JSON." },
  },
  changes: ({ args, options }) => args.length > 0 || options.kind !== undefined || options.revoke !== undefined,
  async run(context) {
    const { runAllow } = await import("../allow/run.ts");
    return runAllow(context, processTerminal);
  },
};
