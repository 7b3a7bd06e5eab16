import type { CliCommand } from "../../command.ts";
import { setupOptions } from "../../installation/setup-options.ts";
import { processTerminal } from "../../terminal/confirm.ts";

export const uninstallCommand: CliCommand = {
  name: "uninstall",
  summary: "Removes the hooks from an agent's settings.",
  usage: "uninstall [--agent A] [--scope user|project|local|managed] [--yes]",
  details: [
    "Removes exactly the entries that `init` made. If nothing else changed since, the settings file is byte for byte",
    "what it was before. `--profile` is accepted but ignored: all entries of Hookwright are removed. What the hooks of",
    "the profile omc made in the .omc of projects goes too; notes, plans, skills and open task boards stay.",
  ].join("\n"),
  options: setupOptions,
  changes: () => true,
  async run(context) {
    const { runUninstall } = await import("./run.ts");
    return runUninstall(context, processTerminal);
  },
};
