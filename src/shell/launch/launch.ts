import type { Assignment, Doubt, Word } from "../command.ts";

/** What a command starts: either the words of another command, or a script. */
export interface Launch {
  readonly words?: readonly Word[];
  /** An unknown word is a script whose text is not on the line. */
  readonly script?: Word;
  /** The arguments of the script without `$0`; undefined when not known. */
  readonly args?: readonly Word[] | undefined;
  readonly zero?: Word | undefined;
  /** The file that holds the script. */
  readonly file?: Word | undefined;
  readonly assignments: readonly Assignment[];
  /** The exit status of the launcher is that of the started command. */
  readonly passesStatus: boolean;
  /** It runs in the same shell, with its variables and builtins. */
  readonly sameShell: boolean;
  readonly remote: boolean;
  readonly folder: Word | undefined;
  readonly switches: { readonly errexit: boolean; readonly pipefail: boolean };
  readonly doubts: readonly Doubt[];
  /** It does not share the input of its launcher. */
  readonly detachedInput?: true;
}

/** A launcher whose exit status is that of the started command. */
export const SAME_STATUS: Launch = {
  assignments: [],
  passesStatus: true,
  sameShell: false,
  remote: false,
  folder: undefined,
  switches: { errexit: false, pipefail: false },
  doubts: [],
};
/** A launcher whose exit status does not depend on the started command alone. */
export const OTHER_STATUS: Launch = { ...SAME_STATUS, passesStatus: false };
