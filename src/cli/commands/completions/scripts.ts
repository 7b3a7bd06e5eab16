import type { CliCommand } from "../../command.ts";
import { type Choice, firstWords, optionsOf } from "./choices.ts";

type Commands = readonly CliCommand[];

/** The completion script of each shell, from the table of commands. */
export const scripts: Readonly<Record<"bash" | "zsh" | "fish", (commands: Commands) => string>> = { bash, zsh, fish };

function bash(commands: Commands): string {
  const values = commands.flatMap((command) =>
    optionsOf(command)
      .filter(({ value }) => value !== undefined)
      .map(({ name, value }) => {
        const words = Array.isArray(value) ? value.join(" ") : "";
        // Without words the shell completes file names, where those are of use.
        const then = words === "" && value !== "file" ? "compopt +o default 2>/dev/null" : `words=${quoted(words)}`;
        return `    ${quoted(`${command.name} --${name}`)}) ${then} ;;`;
      }),
  );
  const rows = commands.map((command) => {
    const options = optionsOf(command).map(({ name }) => `--${name}`);
    const first = firstWords(command).join(" ");
    const word = first === "" ? "" : `[ "$COMP_CWORD" -eq 2 ] && words=${quoted(first)}; `;
    return `    ${command.name}) ${word}[[ $current == -* ]] && words=${quoted(options.join(" "))} ;;`;
  });
  return [
    "# Completion of hookwright for bash. Made by `hookwright completions bash`.",
    "_hookwright() {",
    `  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} command=\${COMP_WORDS[1]} words=`,
    '  case "$command $before" in',
    ...values,
    "    *)",
    '  case "$command" in',
    ...rows,
    "  esac ;;",
    "  esac",
    `  [ "$COMP_CWORD" -eq 1 ] && words=${quoted(commands.map(({ name }) => name).join(" "))}`,
    // Without mapfile, which the bash of macOS does not have; no word has a blank or a wildcard.
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    "}",
    "complete -o default -F _hookwright hookwright",
    "",
  ].join("\n");
}

function zsh(commands: Commands): string {
  const option = ({ name, description, value }: Choice): string => {
    const text = quoted(`--${name}[${description.replace(/[[\]:\\]/g, "\\$&")}]`).slice(0, -1);
    if (value === undefined) return `${text}'`;
    const what = Array.isArray(value) ? `(${value.join(" ")})` : value === "file" ? "_files" : "";
    return `${text}:value:${what}'`;
  };
  const cases = commands.map((command) => {
    const words = firstWords(command);
    const first = words.length > 0 ? `1:action:(${words.join(" ")})` : "1:argument:_files";
    return `    ${command.name}) _arguments ${[...optionsOf(command).map(option), quoted(first), "'*:argument:_files'"].join(" ")} ;;`;
  });
  return [
    "#compdef hookwright",
    "# Completion of hookwright for zsh. Made by `hookwright completions zsh`.",
    "_hookwright() {",
    "  local -a commands",
    "  commands=(",
    ...commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary.replaceAll(":", "\\:")}`)}`),
    "  )",
    "  if (( CURRENT == 2 )); then _describe command commands; return; fi",
    "  shift words; (( CURRENT-- ))",
    '  case "$words[1]" in',
    ...cases,
    "  esac",
    "}",
    'if [ "$funcstack[1]" = _hookwright ]; then _hookwright "$@"; else compdef _hookwright hookwright; fi',
    "",
  ].join("\n");
}

function fish(commands: Commands): string {
  const names = commands.map(({ name }) => name).join(" ");
  const row = (condition: string, rest: string): string => `complete -c hookwright -n ${quoted(condition)} ${rest}`;
  return [
    "# Completion of hookwright for fish. Made by `hookwright completions fish`.",
    ...commands.map(({ name, summary }) =>
      row(`not __fish_seen_subcommand_from ${names}`, `-f -a ${name} -d ${fishQuoted(summary)}`),
    ),
    ...commands.flatMap((command) => [
      ...(firstWords(command).length > 0
        ? [
            row(
              `__fish_seen_subcommand_from ${command.name}; and test (count (commandline -opc)) -eq 2`,
              `-f -a ${fishQuoted(firstWords(command).join(" "))}`,
            ),
          ]
        : []),
      ...optionsOf(command).map(({ name, description, value }) => {
        const words = Array.isArray(value) ? ` -x -a ${fishQuoted(value.join(" "))}` : "";
        const argument = value === "file" ? " -r" : value === "text" ? " -x" : words;
        return row(
          `__fish_seen_subcommand_from ${command.name}`,
          `-l ${name}${argument} -d ${fishQuoted(description)}`,
        );
      }),
    ]),
    "",
  ].join("\n");
}

/** One word for bash and zsh, whatever is in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function fishQuoted(text: string): string {
  return `'${text.replace(/['\\]/g, "\\$&")}'`;
}
