import type { Command, Word } from "./command.ts";
import type { StartedFile } from "./launch/scripts.ts";
import { readTree } from "./parse/tree.ts";
import { type Conclusions, conclude } from "./walk/conclusions.ts";
import { Reader } from "./walk/reader.ts";

export interface ShellOptions {
  /** Folder the line starts in. */
  readonly cwd?: string;
  /** Variables the shell is known to start with, such as HOME. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Texts of scripts on disk that the line is known to start, by the names under which it `started` them. */
  readonly files?: ReadonlyMap<string, string>;
}

/** A command line, read. */
export interface Shell {
  /** Every command the line may run, what launchers start included; empty when the line is unreadable. */
  readonly commands: readonly Command[];
  /** Words that loops put into their variables, by name, where not all of them are known. */
  readonly loops: ReadonlyMap<string, readonly Word[]>;
  /** Scripts and files of tasks that it starts without having written them; they were not read. */
  readonly started: readonly StartedFile[];
  /** Why nothing can be said about the line. */
  readonly unreadable: string | undefined;
  /**
   * Commands that surely ran and succeeded, given whether the whole line did; only those of this machine. `false`
   * means that the shell itself ended with a failure: of a line that was killed half way nothing is certain.
   */
  certain(ok: boolean): readonly Command[];
  /** What a file holds that the line itself wrote before this command. */
  fileText(word: Word | undefined, command: Command): Word | undefined;
  /** Commands that surely ran, whatever came of them. */
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
