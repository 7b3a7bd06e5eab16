import type { Command } from "../../shell/command.ts";
import { subcommandOf } from "../../shell/launch/subcommand.ts";
import { type OptionSpec, readOptions } from "../../shell/options.ts";

/** The options of `git commit`. */
export const COMMIT_OPTIONS: OptionSpec = {
  short: "aem:F:C:c:t:pqsvnu::S::io",
  long: "all amend message: file: author: date: template: fixup: squash: reuse-message: reedit-message: trailer: cleanup: no-edit no-verify signoff patch interactive",
};

/** The messages of the commits that a line makes with `-m`, as far as they are known before it runs. */
export function messagesOnLine(commands: readonly Command[]): string[] {
  return commands.flatMap((command) => {
    const sub =
      command.program === "git" && !command.uncertain.includes("uncalled") ? subcommandOf(command) : undefined;
    if (sub?.name !== "commit") return [];
    const { given } = readOptions(sub.words, COMMIT_OPTIONS, true);
    const parts = [...(given.get("m") ?? []), ...(given.get("message") ?? [])];
    const isKnown = parts.length > 0 && parts.every((part) => part?.known);
    // Git puts a blank line between them.
    return isKnown ? [parts.map((part) => part?.text).join("\n\n")] : [];
  });
}
