import type { Word } from "../command.ts";

/** The arguments of a shell such as `bash`. */
export interface ShellArguments {
  /** The script after `-c`. */
  readonly script: Word | undefined;
  /** The file that holds the script, when there is one. */
  readonly file: Word | undefined;
  readonly args: readonly Word[];
  /** `$0` of a script after `-c`. */
  readonly zero?: Word | undefined;
  /** Without `-c` and without a file, the shell reads commands from its input. */
  readonly fromStdin: boolean;
  /** The startup file of an interactive shell (`--rcfile`). */
  readonly start?: Word;
  /** It runs nothing: it checks the syntax or prints its version. */
  readonly idle: boolean;
  readonly switches: { readonly errexit: boolean; readonly pipefail: boolean };
  readonly doubtful: boolean;
}

export function readShellArguments(args: readonly Word[]): ShellArguments {
  let at = 0;
  let command = false;
  let stdin = false;
  let idle = false;
  let doubtful = false;
  let start: Word | undefined;
  const on = new Set<string>();
  for (; at < args.length; at++) {
    const word = args[at];
    if (!word || !/^[-+]./.test(word.text)) break;
    doubtful ||= !word.known;
    if (word.text === "--") {
      at++;
      break;
    }
    if (word.text.startsWith("--")) {
      idle ||= word.text === "--version" || word.text === "--help";
      if (word.text === "--rcfile" || word.text === "--init-file") start = args[++at];
      continue;
    }
    const set = word.text.startsWith("-");
    for (const letter of word.text.slice(1)) {
      if (letter === "c" && set) command = true;
      else if (letter === "s" && set) stdin = true;
      else if (letter === "n" && set) idle = true;
      else if (letter === "o" || letter === "O") turn(on, args[++at]?.text ?? "", set);
      else turn(on, letter === "e" ? "errexit" : letter, set);
    }
  }
  if (args[at]?.text === "-" && !command) at++;
  const rest = args.slice(at);
  const [first] = rest;
  const switches = { errexit: on.has("errexit"), pipefail: on.has("pipefail") };
  const common = {
    idle,
    switches,
    ...(start && on.has("i") && { start }),
    doubtful: doubtful || rest.slice(0, 1).some((word) => word.many),
  };
  if (command)
    return {
      ...common,
      script: first,
      file: undefined,
      zero: rest[1],
      args: rest.slice(2),
      fromStdin: false,
      idle: idle || !first,
    };
  const fromStdin = stdin || !first || first.text === "/dev/stdin";
  return {
    ...common,
    script: undefined,
    file: fromStdin ? undefined : first,
    args: stdin || !first ? rest : rest.slice(1),
    fromStdin,
  };
}

function turn(on: Set<string>, name: string, set: boolean): void {
  if (set) on.add(name);
  else on.delete(name);
}
