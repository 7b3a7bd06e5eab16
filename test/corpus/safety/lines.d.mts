/** One labelled command. */
export interface Line {
  readonly expect: "block" | "allow";
  readonly family: string;
  readonly disguise: string;
  readonly command: string;
  readonly heldOut: boolean;
  /** Which half it is in is told by its hash, not by its file. */
  readonly byHash: boolean;
  /** File and line, for people. */
  readonly where: string;
}

export function readCorpus(): Line[];
export function isHeldOut(command: string): boolean;
export function readFamily(file: string, text: string): Line[];
