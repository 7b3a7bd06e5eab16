import type { Command, Word } from "./command.ts";
import type { StartedFile } from "./launch/scripts.ts";
import { readTree } from "./parse/tree.ts";
import { type Conclusions, conclude } from "./walk/conclusions.ts";
import { Reader } from "./walk/reader.ts";

export interface ShellOptions {
  /** The folder that the line starts in. */
  readonly cwd?: string;
  /** Variables that the shell is known to start with, such as HOME. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Texts of scripts on disk that the line starts, by the paths that an earlier reading gave in `started`. */
  readonly files?: ReadonlyMap<string, string>;
}

/** The result of reading a command line. */
export interface Shell {
  /** Every command that the line may run, also what launchers start; empty when the line is unreadable. */
  readonly commands: readonly Command[];
  /** The words that loops assign to their variables, by name. */
  readonly loops: ReadonlyMap<string, readonly Word[]>;
  /** Scripts and task files that the line starts and has not written itself; they were not read. */
  readonly started: readonly StartedFile[];
  /** The reason why the line cannot be read. */
  readonly unreadable: string | undefined;
  /**
   * Commands of this machine that surely ran and succeeded if the whole line succeeded (`true`) or failed (`false`). Of
   * a line that was killed nothing is certain.
   */
  certain(ok: boolean): readonly Command[];
  /** The text of a file that the line itself has written before this command. */
  fileText(word: Word | undefined, command: Command): Word | undefined;
  /** Commands that surely ran, with any exit status. */
  ran(ok: boolean): readonly Command[];
}

/** Reads a command line as bash would. Never throws and never starts anything. */
export function readShell(text: string, options: ShellOptions = {}): Shell {
  const reader = new Reader({ parse: readTree, ...options });
  const unreadable = reader.read(text);
  const made = new Map<boolean, Conclusions>();
  const conclusions = (ok: boolean): Conclusions => {
    const known = made.get(ok) ?? (reader.statusUnreliable ? { ran: [], succeeded: [] } : conclude(reader.flow, ok));
    made.set(ok, known);
    return known;
  };
  const local = (commands: readonly Command[]) =>
    commands.filter(({ remote, uncertain }) => !remote && !uncertain.includes("alias"));
  return {
    commands: reader.commands,
    loops: reader.loops,
    started: reader.scripts.started,
    unreadable,
    fileText: (word, command) => reader.scripts.textOf(word, command.cwd),
    certain: (ok) => local(conclusions(ok).succeeded),
    ran: (ok) => local(conclusions(ok).ran),
  };
}
