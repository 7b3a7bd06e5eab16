// docs/cli.md: the help of every command, as the command itself prints it.
import { page, plain, table } from "./markdown.mjs";

export function cliPage({ commands, help }) {
  return page(
    "Command line",
    "`hookwright COMMAND --help` prints the same. Exit codes: 0 is well, 1 is failed or wrongly called, 2 is blocked.",
    "",
    table(
      ["command", "what it does"],
      commands.map(({ name, summary }) => [`[\`${name}\`](#${name})`, plain(summary)]),
    ),
    "",
    commands.flatMap((command) => [`## ${command.name}`, "", "```text", help(command), "```", ""]),
  );
}
