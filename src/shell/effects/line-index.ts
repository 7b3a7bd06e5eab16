import type { Command } from "../command.ts";
import type { Shell } from "../shell.ts";

/** What every call of git on a line asks about the whole line, found in one walk. */
interface LineIndex {
  readonly positions: ReadonlyMap<Command, number>;
  /** Calls of export. */
  readonly exports: readonly Command[];
  /** Calls of git that may change its settings. */
  readonly gitConfigs: readonly Command[];
}

const made = new WeakMap<readonly Command[], LineIndex>();

export function lineIndex({ commands }: Shell): LineIndex {
  const known = made.get(commands);
  if (known) return known;
  const positions = new Map<Command, number>();
  const exports: Command[] = [];
  const gitConfigs: Command[] = [];
  for (const command of commands) {
    positions.set(command, positions.size);
    if (command.program === "export") exports.push(command);
    else if (command.program === "git" && command.args.includes("config")) gitConfigs.push(command);
  }
  const index = { positions, exports, gitConfigs };
  made.set(commands, index);
  return index;
}

/** Those of the list that come before the command; all of them when it is not on the line itself. */
export function earlierOf(list: readonly Command[], command: Command, { positions }: LineIndex): readonly Command[] {
  if (list.length === 0) return list;
  const end = positions.get(command);
  return end === undefined ? list : list.filter((one) => (positions.get(one) ?? 0) < end);
}
