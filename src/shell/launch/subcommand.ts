import { type Command, knownWord, type Word } from "../command.ts";
import { type OptionSpec, readOptions } from "../options.ts";

/** The options before the subcommand, by program. */
const GLOBAL_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  git: {
    short: "C:c:hpPv",
    long: "git-dir: work-tree: namespace: super-prefix: config-env: attr-source: exec-path:: html-path man-path info-path paginate no-pager no-replace-objects bare literal-pathspecs glob-pathspecs noglob-pathspecs icase-pathspecs no-optional-locks no-lazy-fetch version help",
  },
};

export interface Subcommand {
  /** Undefined when not known. */
  readonly name: string | undefined;
  readonly words: readonly Word[];
  /** Values of the options before the subcommand, by name without dashes. */
  readonly options: ReadonlyMap<string, readonly (Word | undefined)[]>;
}

/** `git -C dir -c a=b push -f` is the subcommand `push` with `-f`. Undefined when there is none. */
export function subcommandOf(command: Command, spec?: OptionSpec): Subcommand | undefined {
  const { program = "" } = command;
  const options = spec ?? (Object.hasOwn(GLOBAL_OPTIONS, program) ? GLOBAL_OPTIONS[program] : undefined) ?? {};
  const { given, operands } = readOptions(command.argv.slice(1), options, false);
  const [first = knownWord(""), ...words] = operands;
  if (operands.length === 0) return undefined;
  return { name: first.known ? first.text : undefined, words, options: given };
}
