import type { Command } from "../../shell/command.ts";
import type { Shell } from "../../shell/shell.ts";

/** Facts about the whole line that many of its commands need, collected in one pass. */
interface LineIndex {
  readonly positions: ReadonlyMap<Command, number>;
  /** Calls of export. */
  readonly exports: readonly Command[];
  /** Calls of git that may change its settings. */
  readonly gitConfigs: readonly Command[];
  /** Calls of mv, and of zip where it moves. */
  readonly moves: readonly Command[];
  /** Calls of ln that make links by name. */
  readonly links: readonly Command[];
  /** Calls of cloud tools that move files. */
  readonly cloudMoves: readonly Command[];
  /** Names of variables that are given a value. */
  readonly assigned: ReadonlySet<string>;
  /** The first call of read for each name. */
  readonly reads: ReadonlyMap<string, Command>;
  /** The first command that goes to another folder, by its position. */
  readonly firstMove: number;
  /** Goes to a folder by its whole path. */
  readonly jumps: boolean;
}

const CLOUD_MOVERS = new Set(["aws", "gsutil", "gcloud", "rclone", "mc", "s3cmd", "s5cmd"]);
const ZIP_MOVES = /^(?:-[a-zA-Z\d]*m[a-zA-Z\d]*|--move)$/;
const made = new WeakMap<readonly Command[], LineIndex>();

export function lineIndex({ commands }: Shell): LineIndex {
  const known = made.get(commands);
  if (known) return known;
  const positions = new Map<Command, number>();
  const exports: Command[] = [];
  const gitConfigs: Command[] = [];
  const moves: Command[] = [];
  const links: Command[] = [];
  const cloudMoves: Command[] = [];
  const assigned = new Set<string>();
  const reads = new Map<string, Command>();
  let jumps = false;
  let firstMove = Number.POSITIVE_INFINITY;
  for (const command of commands) {
    const { program } = command;
    if (program === "cd" || program === "pushd" || program === "popd") firstMove = Math.min(firstMove, positions.size);
    for (const { name } of command.assignments) assigned.add(name);
    if (program === "read") {
      const name = command.args.at(-1) ?? "";
      if (!reads.has(name)) reads.set(name, command);
    } else if (program === "cd" || program === "pushd")
      jumps ||= command.argv.some((word, at) => at > 0 && /^[/~$]/.test(word.text));
    positions.set(command, positions.size);
    if (program === "export") exports.push(command);
    else if (program === "mv" || (program === "zip" && command.args.some((arg) => ZIP_MOVES.test(arg ?? ""))))
      moves.push(command);
    else if (program === "ln" && command.args.some((arg) => /^-\w*s|^--symbolic$/.test(arg ?? ""))) links.push(command);
    else if (CLOUD_MOVERS.has(program ?? "") && command.args.some((arg) => arg === "mv" || arg === "move"))
      cloudMoves.push(command);
    else if (program === "git" && command.args.some((arg) => arg === "config" || arg === "remote"))
      gitConfigs.push(command);
  }
  const index = { positions, exports, gitConfigs, moves, links, cloudMoves, assigned, reads, jumps, firstMove };
  made.set(commands, index);
  return index;
}

/** Those of the list that come before the command; all of them when it is not on the line itself. */
export function earlierOf(list: readonly Command[], command: Command, { positions }: LineIndex): readonly Command[] {
  if (list.length === 0) return list;
  const end = positions.get(command);
  return end === undefined ? list : list.filter((one) => (positions.get(one) ?? 0) < end);
}

/**
 * The commands of a group or a loop, for the one that carries its redirections: `{ curl …; } > file`. None where it
 * stands in a text of its own; undefined for any other command.
 */
export function groupOf({ at, argv, wraps }: Command, { commands }: Shell): readonly Command[] | undefined {
  if (argv.length > 0 || !wraps) return undefined;
  return commands.filter((one) => one.at !== at && one.at.start >= at.start && one.at.end <= at.end);
}
