import { posix } from "node:path";
import type { Command, Word } from "../../shell/command.ts";
import type { Shell } from "../../shell/shell.ts";
import { isOutputVisible, printsInput } from "./visible-output.ts";

/** Programs whose first operand is a pattern or a script, not a file. */
const FIRST_IS_NO_FILE = /^(?:e?grep|fgrep|rg|ag|sed|g?awk|jq|yq|tr)$/;

/** The files whose content a line would print, as absolute paths; a name may contain a `*`. */
export function printedFiles(shell: Shell, cwd: string): readonly string[] {
  return shell.commands
    .filter((command) => !command.remote && !command.uncertain.includes("uncalled"))
    .flatMap((command) => (printsInput(command) && isOutputVisible(command, shell) ? filesOf(command, cwd) : []));
}

function filesOf(command: Command, cwd: string): readonly string[] {
  const words = command.argv.slice(1).filter(({ text }) => !text.startsWith("-"));
  const isGiven = command.args.some((arg) => /^(?:-e|-f|--regexp|--file|--expression)/.test(arg ?? ""));
  const named = FIRST_IS_NO_FILE.test(command.program ?? "") && !isGiven ? words.slice(1) : words;
  const read = command.redirections.flatMap(({ operator, target }) => (operator === "<" && target ? [target] : []));
  return [...named, ...read].flatMap((word) => placed(word, command, cwd));
}

function placed({ text, known, glob }: Word, command: Command, cwd: string): readonly string[] {
  if (!known && !glob) return [];
  return (command.cwds ?? ["."]).map((folder) => posix.resolve(cwd, folder, text));
}
