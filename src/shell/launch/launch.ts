import type { Assignment, Doubt, Word } from "../command.ts";

/** Something that a command starts: either words, or a text that a shell reads. */
export interface Launch {
  readonly words?: readonly Word[];
  /** Not known: a script whose text is not on the line. */
  readonly script?: Word;
  /** `$0` aside, the arguments of the script; undefined when they cannot be known. */
  readonly args?: readonly Word[] | undefined;
  readonly zero?: Word | undefined;
  /** The file that holds the script. */
  readonly file?: Word | undefined;
  readonly assignments: readonly Assignment[];
  /** The exit status of the outer command is the inner one's. */
  readonly passes: boolean;
  /** Same shell, same variables, same builtins. */
  readonly here: boolean;
  readonly remote: boolean;
  readonly folder: Word | undefined;
  readonly switches: { readonly errexit: boolean; readonly pipefail: boolean };
  readonly doubts: readonly Doubt[];
  /** It does not read what its launcher reads. */
  readonly detachedInput?: true;
}

export const PLAIN: Launch = {
  assignments: [],
  passes: true,
  here: false,
  remote: false,
  folder: undefined,
  switches: { errexit: false, pipefail: false },
  doubts: [],
};
export const OTHER_STATUS: Launch = { ...PLAIN, passes: false };
